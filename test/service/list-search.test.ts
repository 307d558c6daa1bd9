// One search over all lists.
import { beforeAll, expect, test } from 'bun:test';

import { startListKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);
beforeAll(async () => {
  await keeping.send('POST', '', { list: 'cost-centre', title: 'Größen der Kostenstellen' });
  await keeping.apply('cost-centre', [
    { value: 'HEAD_OFFICE', label: 'Head office', labels: { de: 'Straße der Zentrale', ja: '東京本社' } },
    { value: 'DEPOT', label: 'Dépôt Lyon', codes: { sap: 'FR-0042', oracle: '77' } },
    { value: 'OLD_DEPOT', label: 'Ancien dépôt', retired: true, replacedBy: 'DEPOT' },
  ]);
});

interface Found {
  lists: { list: string; title: string }[];
  items: { list: string; title: string; value: string; label: string; match: string; status: string }[];
}

const ask = (q: string, more = '') => keeping.get(`/admin/search?q=${encodeURIComponent(q)}${more}`);
async function search(q: string, more = ''): Promise<Found> {
  const response = await ask(q, more);
  expect(response.status).toBe(200);
  return (await response.json()) as Found;
}

test.each([
  ['head', [['HEAD_OFFICE', 'Head office']]],
  ['OFF hea', [['HEAD_OFFICE', 'Head office']]],
  ['HEAD_OF', [['HEAD_OFFICE', 'Head office']]],
  ['strasse', [['HEAD_OFFICE', 'Straße der Zentrale']]],
  ['京本', [['HEAD_OFFICE', '東京本社']]],
  ['fr-00', [['DEPOT', 'FR-0042']]],
  ['77', [['DEPOT', '77']]],
  // Retired items are found as well.
  [
    'depot',
    [
      ['DEPOT', 'Dépôt Lyon'],
      ['OLD_DEPOT', 'Ancien dépôt'],
    ],
  ],
  ['old_d', [['OLD_DEPOT', 'OLD_DEPOT']]],
  // One word in the label and another in a code do not match together.
  ['lyon 77', []],
  // The middle of a word does not match.
  ['ffice', []],
])('%s finds items, and the answer says what matched', async (q, expected) => {
  const items = (await search(q)).items.filter(({ list }) => list === 'cost-centre');
  expect(items.map(({ value, match }) => [value, match])).toEqual(expected);
});

test('each result has its list, label and status', async () => {
  expect((await search('ancien')).items).toEqual([
    {
      list: 'cost-centre',
      title: 'Größen der Kostenstellen',
      value: 'OLD_DEPOT',
      label: 'Ancien dépôt',
      match: 'Ancien dépôt',
      status: 'retired',
    },
  ]);
});

test.each([
  ['grossen', ['cost-centre']],
  ['centre cost', ['cost-centre']],
  ['position', ['position']],
  ['employ', ['employee-level', 'employment-type']],
])('%s finds lists by title and name', async (q, lists) => {
  expect((await search(q)).lists.map(({ list }) => list)).toEqual(lists);
});

test('a new text is found at once, and the text that it replaced is no longer found', async () => {
  await keeping.change('PATCH', 'cost-centre', '/items/DEPOT', { label: 'Warehouse' });
  expect((await search('warehouse')).items.map(({ value }) => value)).toEqual(['DEPOT']);
  expect((await search('lyon')).items).toEqual([]);
});

test('no more items are found than the limit, 30 by default', async () => {
  await keeping.apply(
    'many',
    Array.from({ length: 150 }, (_, index) => ({ value: `V${index}`, label: `Zebra ${index}` })),
  );
  expect((await search('zebra')).items).toHaveLength(30);
  expect((await search('zebra', '&limit=1')).items.map(({ value }) => value)).toEqual(['V0']);
  expect((await search('zebra', '&limit=100')).items).toHaveLength(100);
  expect((await search('e', '&limit=1')).lists).toHaveLength(1);
});

test.each([
  '',
  'q=',
  'q=%20',
  'q=%C2%AD',
  'q=a&q=b',
  `q=${'a'.repeat(101)}`,
  'q=a&limit=0',
  'q=a&limit=101',
  'q=a&limit=x',
])('?%s is 400', async (query) => {
  await expectProblem(await keeping.get(`/admin/search?${query}`), 'invalid-request', 400);
});
