// The last change to each value, and the history of one value. Changes to the order alone are in neither.
import { beforeAll, describe, expect, test } from 'bun:test';

import { type Step, startListKeeping } from '../support/lists.ts';
import { runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

interface LastChanges {
  versions: { version: number; at: string; by: string; byName: string | null }[];
  values: Record<string, number>;
}

const get = (path: string, headers = {}) => keeping.get(`/admin/lookups/${path}`, { ...headers });
async function lastChanges(list: string): Promise<LastChanges> {
  const response = await get(`${list}/last-changes`);
  expect(response.status).toBe(200);
  return (await response.json()) as LastChanges;
}
const versionsOf = async (list: string, value: string, query = '') =>
  (await keeping.history(list, `?value=${value}${query}`)).map(({ version }) => version);

describe('every kind of change', () => {
  beforeAll(async () => {
    await keeping.send('POST', '', { list: 'kind', title: 'Kind' });
    await keeping.apply('kind', [
      { value: 'A', label: 'A' },
      { value: 'B', label: 'B' },
      { value: 'C', label: 'C' },
    ]);
    await keeping.change('PATCH', 'kind', '/items/A', { label: 'First' });
    await keeping.change('PUT', 'kind', '/order', { values: ['C', 'B', 'A'] });
    await keeping.change('POST', 'kind', '/items', { value: 'D', label: 'D' });
    await keeping.change('POST', 'kind', '/items/B/retire', { replacedBy: 'A' });
    await keeping.change('POST', 'kind', '/items/B/restore', {});
    await keeping.change('PATCH', 'kind', '', { title: 'Kinds', keepers: ['X'] });
    // Restores the label of A and the order, and retires D.
    await keeping.change('POST', 'kind', '/undo', { version: 2 });
    expect(
      (await runToEnd(['lookups', 'undo', 'kind', '8'], keeping.desk.commandEnv, keeping.desk.folder)).exitCode,
    ).toBe(0);
  });

  test('the last change of a value is never a mere new order', async () => {
    const { versions, values } = await lastChanges('kind');
    // C was moved three times, but has not changed otherwise since it was added.
    expect(values).toEqual({ A: 10, B: 7, C: 2, D: 10 });
    expect(versions.map(({ version, by, byName }) => [version, by, byName])).toEqual([
      [10, expect.stringMatching(/^command line/), null],
      [7, 'E-1001', 'Ada Park'],
      [2, 'E-1001', 'Ada Park'],
    ] as [number, string, string | null][]);
    expect(versions.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
  });

  test.each([
    ['A', [10, 9, 3, 2]],
    ['B', [7, 6, 2]],
    ['C', [2]],
    ['D', [10, 9, 5]],
    ['NONE', []],
  ])('the history of %s has the versions that changed it', async (value, versions) => {
    expect(await versionsOf('kind', value)).toEqual(versions);
  });

  test('the history of a value has the same changes as the whole history, with everything about the version', async () => {
    const whole = await keeping.history('kind');
    for (const value of ['A', 'B', 'C', 'D']) {
      for (const step of await keeping.history('kind', `?value=${value}`)) {
        const found = whole.find(({ version }) => version === step.version) as Step;
        const { laterChange: _, ...rest } = step;
        const { laterChange: __, ...expected } = found;
        expect(rest).toEqual({ ...expected, changes: found.changes.filter((change) => change.value === value) });
        expect(step.changes).toHaveLength(1);
      }
    }
  });

  test('the changes of a value are sorted newest first, including undos', async () => {
    const [undo] = await keeping.history('kind', '?before=10&limit=1');
    expect(undo?.changes.map(({ value }) => value)).toEqual([null, 'D', 'A', 'C']);
  });

  test('each entry names the newest later change of the same values; for a new order, only later orders count', async () => {
    const laterOf = (steps: Step[]) =>
      steps.map(({ version, laterChange: later }) => [version, later?.version, later?.change.value]);
    expect(laterOf(await keeping.history('kind'))).toEqual([
      [10, undefined, undefined],
      // Versions 8 and 9 changed the settings, which version 10 changed again.
      [9, 10, null],
      [8, 10, null],
      [7, undefined, undefined],
      [6, 7, 'B'],
      [5, 10, 'D'],
      // Version 10 changed the order of C and A again, and the label of A.
      [4, 10, 'C'],
      [3, 10, 'A'],
      [2, 10, 'A'],
      // The settings of a new list do not count as a change.
      [1, undefined, undefined],
    ] as [number, number | undefined, string | null | undefined][]);
    expect(laterOf(await keeping.history('kind', '?value=A'))).toEqual([
      [10, undefined, undefined],
      [9, 10, 'A'],
      [3, 10, 'A'],
      [2, 10, 'A'],
    ] as [number, number | undefined, string | null | undefined][]);
    // A change to a different setting is not named as a later change. Nor is any change to rights, because an undo does not
    // restore rights.
    await keeping.send('POST', '', { list: 'settings', title: 'One' });
    for (const settings of [{ title: 'Two' }, { description: 'What' }, { readers: ['X'] }, { archived: true }]) {
      await keeping.change('PATCH', 'settings', '', settings);
    }
    const found = await keeping.history('settings');
    expect(found.map(({ laterChange }) => laterChange?.version)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    await keeping.change('PATCH', 'settings', '', { title: 'Three', readers: null });
    expect(laterOf(await keeping.history('settings'))).toEqual([
      [6, undefined, undefined],
      [5, undefined, undefined],
      [4, undefined, undefined],
      [3, undefined, undefined],
      [2, 6, null],
      [1, undefined, undefined],
    ] as [number, number | undefined, string | null | undefined][]);
    const [renamed] = await keeping.history('kind', '?before=4&limit=1');
    expect(renamed?.laterChange).toMatchObject({
      byName: null,
      by: expect.stringMatching(/^command line/),
      change: { value: 'A', before: { label: 'A' }, after: { label: 'First' } },
    });
  });

  test('is filtered by person, time and value, page by page, with the same changes', async () => {
    const versions = async (query: string) => (await keeping.history('kind', query)).map(({ version }) => version);
    const whole = await keeping.history('kind');
    const own = [9, 8, 7, 6, 5, 4, 3, 2, 1];
    for (const by of ['ada', 'park%20ADA', 'E-1001']) expect([by, await versions(`?by=${by}`)]).toEqual([by, own]);
    const commandLine = whole[0]?.by ?? '';
    expect(await versions(`?by=${encodeURIComponent(commandLine)}`)).toEqual([10]);
    for (const by of ['nobody', 'da', 'E-100']) expect([by, await versions(`?by=${by}`)]).toEqual([by, []]);
    expect(await versions('?by=ada&value=A')).toEqual([9, 3, 2]);
    const at = (version: number) => (whole.find((step) => step.version === version) as Step & { at: string }).at;
    expect(await versions(`?since=${at(4)}&until=${at(7)}`)).toEqual(own.filter((n) => n >= 4 && at(n) < at(7)));
    expect(await versions(`?value=B&since=${at(6)}`)).toEqual([7, 6]);
    expect(await versions('?until=2020-01-01')).toEqual([]);
    // A time in the year 10000, which is how other systems may write that there is no end.
    expect(await versions('?until=9999-12-31')).toEqual(await versions(''));
    expect(await versions('?value=B&until=9999-12-31T23:59:59-01:00')).toEqual(await versions('?value=B'));
    expect(await versions('?since=9999-12-31T23:59:59-01:00')).toEqual([]);
    expect(await versions(`?since=${at(1).slice(0, 10)}&until=${at(10).slice(0, 10)}`)).toHaveLength(10);
    // Versions that do not match are left out, with their changes.
    const byAda = await keeping.history('kind', '?by=ada');
    expect(byAda).toEqual(whole.filter(({ version }) => version < 10));
    const pages: number[][] = [];
    for (let next: string | undefined = '?by=ada&limit=4'; next !== undefined && pages.length < 5; ) {
      const response = await get(`kind/history${next}`);
      pages.push(((await response.json()) as Step[]).map(({ version }) => version));
      next = /^<(\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([[9, 8, 7, 6], [5, 4, 3, 2], [1]]);
  });

  test.each(['by=', 'by=%00', 'since=yesterday', 'until=2026-13-01', 'who=ada'])('%s is 400', async (query) => {
    expect((await get(`kind/history?${query}`)).status).toBe(400);
  });

  test('the history of a value is read page by page', async () => {
    const pages: number[][] = [];
    for (let next: string | undefined = '?value=A&limit=2'; next !== undefined && pages.length < 4; ) {
      const response = await get(`kind/history${next}`);
      pages.push(((await response.json()) as Step[]).map(({ version }) => version));
      next = /^<(\?[^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([
      [10, 9],
      [3, 2],
    ]);
    expect(await versionsOf('kind', 'A', '&before=9')).toEqual([3, 2]);
  });

  test('an unchanged answer is 304, and a change gives it a new ETag', async () => {
    const tag = (await get('kind/last-changes')).headers.get('etag') ?? '';
    expect((await get('kind/last-changes', { 'if-none-match': tag })).status).toBe(304);
    await keeping.change('PATCH', 'kind', '/items/C', { label: 'Sea' });
    expect((await get('kind/last-changes', { 'if-none-match': tag })).status).toBe(200);
  });

  test.each(['a', '', 'A&value=B', '%00'])('value=%s is 400', async (value) => {
    expect((await get(`kind/history?value=${value}`)).status).toBe(400);
  });
});

test('a value is found in a version with thousands of changes, whatever the other texts contain', async () => {
  const look = '},{"value":"V7","before":';
  const items = Array.from({ length: 2500 }, (_, index) => ({ value: `V${index}`, label: `${look} ${index} 😀` }));
  await keeping.apply('many', items);
  const labels = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`de-x-a${index}`, `${look}${'😀'.repeat(170)}`]),
  );
  await keeping.change('PATCH', 'many', '/items/V2499', { labels });
  await keeping.change('PATCH', 'many', '/items/V7', { label: 'Seven' });
  for (const value of ['V0', 'V7', 'V70', 'V1300', 'V2499']) {
    for (const step of await keeping.history('many', `?value=${value}`)) {
      expect(step.changes.map((change) => [change.value, change.after?.value])).toEqual([[value, value]]);
    }
  }
  expect(await versionsOf('many', 'V2499')).toEqual([2, 1]);
  const [long] = await keeping.history('many', '?value=V2499&limit=1');
  expect(long?.changes[0]?.after?.labels).toEqual(labels);
  expect(Object.keys((await lastChanges('many')).values)).toHaveLength(2500);
});
