import { expect, test } from 'bun:test';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import { describeChanges } from '../../lists/sentences/history-sentences.ts';
import { sentenceContext } from '../../lists/sentences/sentence-context.ts';
import { historyEnglish } from '../../lists/sentences/texts.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { changesOfRestoring, versionRows } from './version-differences.ts';

const item = (value: string, more: Partial<KeptItem> = {}): KeptItem => ({
  ...emptyItem,
  id: 1,
  value,
  label: value.toLowerCase(),
  sortOrder: 10,
  ...more,
});
const list = (items: KeptItem[], more: Partial<KeptList> = {}): KeptList => ({
  list: 'grade',
  title: 'Grade',
  titles: { de: 'Stufe' },
  descriptions: {},
  description: null,
  readers: null,
  keepers: null,
  archived: false,
  version: 1,
  items,
  ...more,
});

const then = list([
  item('SAME', { labels: { de: 'a', fr: 'b' } }),
  item('RENAMED', { sortOrder: 5 }),
  item('LEFT'),
  item('BACK', { status: 'retired', retiredAt: '2026-01-01T00:00:00Z' }),
]);
const now = list(
  [
    item('SAME', { labels: { fr: 'b', de: 'a' } }),
    item('RENAMED', { sortOrder: 5, label: 'new name', codes: { sap: '1' } }),
    item('LEFT', { status: 'retired', retiredAt: '2026-02-01T00:00:00Z', replacedBy: 'SAME' }),
    item('BACK'),
    item('ADDED'),
    item('ADDED_AND_RETIRED', { status: 'retired' }),
  ],
  { title: 'Grades', titles: { de: 'Stufen' }, readers: ['HR'], version: 4 },
);

test('each value is marked with what has happened to it since, and keeps its old position', () => {
  expect(versionRows(then, now).map(({ item: { value }, mark }) => [value, mark])).toEqual([
    ['RENAMED', 'changed'],
    ['LEFT', 'retired'],
    ['SAME', 'same'],
    ['BACK', 'restored'],
    ['ADDED', 'added'],
    ['ADDED_AND_RETIRED', 'added'],
  ]);
});

test('the older version is compared with the newer one, whichever is shown', () => {
  const rows = versionRows(now, then);
  expect(rows.map(({ item: { value }, mark, isThere }) => [value, mark, isThere])).toEqual([
    ['RENAMED', 'changed', true],
    ['ADDED', 'added', true],
    ['BACK', 'restored', true],
    ['SAME', 'same', true],
    ['ADDED_AND_RETIRED', 'added', true],
    ['LEFT', 'retired', true],
  ]);
  expect(rows[0]?.item.label).toBe('new name');
  expect(rows[0]?.fields[0]).toEqual({ field: 'label', was: 'renamed', now: 'new name' });
  expect(versionRows(then, now).map(({ isThere }) => isThere)).toEqual([true, true, true, true, false, false]);
});

test('differences are listed field by field', () => {
  const rows = new Map(versionRows(then, now).map((row) => [row.item.value, row.fields]));
  expect(rows.get('RENAMED')).toEqual([
    { field: 'label', was: 'renamed', now: 'new name' },
    { field: 'codes.sap', was: null, now: '1' },
  ]);
  expect(rows.get('LEFT')).toEqual([{ field: 'replacedBy', was: null, now: 'SAME' }]);
});

test('restoring is described as what the service does: readers stay, values added since are retired', () => {
  const context = sentenceContext({ texts: historyEnglish, language: 'en', locale: 'en-GB' });
  const { first, rest } = describeChanges(changesOfRestoring(then, now), context);
  const sentences = [...first, ...rest].map((sentence) =>
    sentence.map((part) => ('text' in part ? part.text : part.label)).join(''),
  );
  expect(sentences).toEqual([
    'renamed the list from Grades to Grade',
    'changed the German title of the list from Stufen to Stufe',
    'renamed new name to renamed',
    'removed the sap code of renamed (before: 1)',
    'restored left',
    'retired back',
    'retired added',
  ]);
  expect(changesOfRestoring(then, then)).toEqual([]);
});
