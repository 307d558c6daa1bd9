// A list as it was at each of its versions.
import { expect, test } from 'bun:test';

import { type List, startListKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

const get = (path: string) => keeping.get(`/admin/lookups/${path}`);

test('every version is exactly what the list was while that version was the newest', async () => {
  const states: List[] = [];
  const keep = async (changed: Promise<unknown>) => {
    await changed;
    states.push(await keeping.read('past'));
  };
  await keep(keeping.send('POST', '', { list: 'past', title: 'Past', readers: ['A'] }));
  await keep(
    keeping.apply('past', [
      { value: 'A', label: 'A', labels: { de: 'Ah' }, codes: { sap: '1' }, tags: ['x'] },
      { value: 'B', label: 'B', validFrom: '2027-01-01' },
    ]),
  );
  await keep(
    keeping.change('PATCH', 'past', '/items/A', { label: 'Changed', labels: { de: null }, codes: { sap: null } }),
  );
  await keep(keeping.change('PATCH', 'past', '', { title: 'Other', description: 'D', readers: null, keepers: ['K'] }));
  await keep(keeping.change('PUT', 'past', '/order', { values: ['B', 'A'] }));
  await keep(keeping.change('POST', 'past', '/items', { value: 'C', label: 'C' }));
  await keep(keeping.change('POST', 'past', '/items/B/retire', { replacedBy: 'C' }));
  await keep(keeping.change('PATCH', 'past', '', { archived: true }));
  await keep(keeping.change('POST', 'past', '/undo', { version: 2 }));
  expect(states.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const state of states) {
    const response = await get(`past/versions/${state.version}`);
    expect(response.headers.get('etag')).toBe(`"${state.version}"`);
    expect(await response.json()).toEqual(state);
  }
});

test.each(['0', '10', '999999999', '1e0', '01', '-1', '1.5', 'x', '%20'])('version %s is 404', async (version) => {
  await expectProblem(await get(`past/versions/${version}`), 'not-found', 404);
});
