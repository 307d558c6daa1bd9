import { expect, test } from 'bun:test';
import { Pauses } from '../pauses.ts';
import { addBefore, parsePastChanges } from './past-changes.ts';

const item = (value: string, label: string) => ({
  value,
  label,
  labels: {},
  sortOrder: 10,
  status: 'active',
  validFrom: null,
  validTo: null,
  replacedBy: null,
  retiredAt: null,
});
const change = (value: string, label: string) => ({ value, before: item(value, label), after: item(value, 'new') });

test.each([0, 1, 3, 2000])('%d changes are parsed, whatever their texts hold', async (count) => {
  const changes = Array.from({ length: count }, (_, index) => change(`V${index}`, `},{"value":"X${index} ]}`));
  const parsed = await parsePastChanges(7, JSON.stringify(changes), new Pauses());
  expect(parsed.map(({ version, value, before }) => [version, value, before?.label])).toEqual(
    changes.map(({ value, before }) => [7, value, before.label]),
  );
});

test("a new item was not there, an old entry has no newer fields, and the list's own changes are passed over", async () => {
  const changes = [
    { value: null, before: { title: 'Old' }, after: { title: 'New' } },
    { value: 'A', before: null, after: item('A', 'new') },
    change('B', 'old'),
  ];
  const [a, b, ...others] = await parsePastChanges(1, JSON.stringify(changes), new Pauses());
  expect([a?.before, b?.before?.tags, b?.before?.parents, others]).toEqual([null, [], {}, []]);
});

test('what an item was at a version is what the oldest change after it says', () => {
  const found = new Map();
  const at = (version: number, value: string, label: string | null) => ({ version, value, before: label as never });
  addBefore(found, [at(1, 'A', 'at 0'), at(2, 'A', 'at 1'), at(3, 'B', null)], 1);
  addBefore(found, [at(4, 'A', 'at 3'), at(5, 'B', 'at 4'), at(5, 'C', 'at 4')], 1);
  expect([...found]).toEqual([
    ['A', 'at 1'],
    ['B', null],
    ['C', 'at 4'],
  ]);
});
