import { expect, test } from 'bun:test';
import type { ItemChange } from '../rules/change.ts';
import { blankItem, type ItemState } from '../rules/item.ts';
import { noSettings } from '../rules/list.ts';
import { itemText, parseItem } from '../stored/stored-item.ts';
import { changeOfRow, createChangeHash, itemRow, settingsRow } from './stored-changes.ts';

const plain = blankItem('A', 'a', 10);
const full: ItemState = {
  value: 'A',
  label: 'Ä "😀"',
  labels: { de: '}]' },
  sortOrder: 0,
  status: 'retired',
  validFrom: '2026-01-01',
  validTo: '2026-12-31',
  replacedBy: 'B',
  retiredAt: '2026-06-01T00:00:00.000Z',
  codes: { sap: '7' },
  tags: ['t'],
  description: 'd',
  parents: { country: ['DE'] },
};

test('default values are not stored, and every item is read as it was', () => {
  expect(itemText({ id: 7, ...plain })).toBe('{"id":7,"label":"a","sortOrder":10}');
  for (const item of [
    { id: 7, ...plain },
    { id: 8, ...full },
  ])
    expect(parseItem('A', itemText(item))).toEqual(item);
});

test.each<[string, ItemChange]>([
  ['an addition', { value: 'A', before: null, after: full }],
  ['a change', { value: 'A', before: plain, after: full }],
  ['a new order', { value: 'A', before: plain, after: { ...plain, sortOrder: 20 } }],
])('%s is read as it was written', (_, change) => {
  const { value, moved, after } = itemRow(1, 7, change);
  const before = change.before && itemText({ id: 7, ...change.before });
  expect(changeOfRow(value, before, after)).toEqual(change);
  expect(moved).toBe(change.after.sortOrder === 20 ? 1 : 0);
});

test('a settings change contains only the settings that differ; for a new list, only those that differ from the defaults', () => {
  const [made, changed] = [
    { ...noSettings, title: 'A', titles: { de: 'Ä' }, readers: ['X'] },
    { ...noSettings, title: 'B', descriptions: { de: 'Text' }, archived: true },
  ].map((settings) => settingsRow(1, settings).after);
  expect(changeOfRow('', null, made ?? '')).toEqual({
    value: null,
    before: { titles: {}, readers: null },
    after: { titles: { de: 'Ä' }, readers: ['X'] },
  });
  expect(changeOfRow('', made ?? '', changed ?? '')).toEqual({
    value: null,
    before: { title: 'A', titles: { de: 'Ä' }, descriptions: {}, readers: ['X'], archived: false },
    after: { title: 'B', titles: {}, descriptions: { de: 'Text' }, readers: null, archived: true },
  });
});

test('the hash does not depend on how many rows are added at once, and is different for different rows', () => {
  const rows = Array.from({ length: 5 }, (_, nth) =>
    itemRow(nth, nth, { value: `V${nth}`, before: null, after: full }),
  );
  const hashOf = (...pages: (typeof rows)[]) => {
    const hash = createChangeHash();
    for (const page of pages) hash.add(page);
    return hash.finish();
  };
  const whole = hashOf(rows);
  expect([hashOf(rows.slice(0, 2), rows.slice(2), []), hashOf([], rows.slice(0, 4), rows.slice(4))]).toEqual([
    whole,
    whole,
  ]);
  expect([hashOf(rows.slice(0, 4)), hashOf([...rows].reverse())]).not.toContain(whole);
});
