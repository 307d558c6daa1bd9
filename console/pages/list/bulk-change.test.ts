import { expect, test } from 'bun:test';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { bulkDocument, withDatesInReverse } from './bulk-change.ts';

const item = (value: string, more: Partial<KeptItem> = {}) =>
  ({ value, label: value.toLowerCase(), tags: [], validFrom: null, validTo: null, ...more }) as unknown as KeptItem;
const items = [item('A', { tags: ['x', 'b'] }), item('B', { validFrom: '2027-05-01' }), item('C')];
const list = { list: 'grade', version: 7, items } as unknown as KeptList;

test.each([
  [{ kind: 'retire' }, { retired: true }],
  [{ kind: 'restore' }, { retired: false }],
  [{ kind: 'from', day: '2027-01-01' }, { validFrom: '2027-01-01' }],
  [{ kind: 'until', day: null }, { validTo: null }],
] as const)('%o changes only the selected values, and nothing else in them', (change, fields) => {
  expect(bulkDocument(list, new Set(['A', 'C', 'GONE']), change)).toEqual({
    lists: {
      grade: {
        version: 7,
        items: [
          { value: 'A', label: 'a', ...fields },
          { value: 'C', label: 'c', ...fields },
        ],
      },
    },
  });
});

test('a tag is added to existing tags', () => {
  const { lists } = bulkDocument(list, new Set(['A']), { kind: 'tag', tag: 'b2' });
  expect(lists.grade?.items?.[0]?.tags).toEqual(['b', 'b2', 'x']);
});

test('a last day before the first day is found before the change is sent', () => {
  const found = (kind: 'from' | 'until', day: string) =>
    withDatesInReverse(items, { kind, day }).map(({ value }) => value);
  expect(found('until', '2027-04-30')).toEqual(['B']);
  expect(found('until', '2027-05-01')).toEqual([]);
  expect(withDatesInReverse([item('D', { validTo: '2027-01-01' })], { kind: 'from', day: '2027-01-02' })).toHaveLength(
    1,
  );
});
