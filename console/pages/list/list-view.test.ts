import { expect, test } from 'bun:test';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import { matcherOf } from '../../lists/items/item-search.ts';
import type { KeptItem } from '../../shell/api.ts';
import { type Chip, countByChip, languagesOf, ownOrder, type SortColumn, viewOf } from './list-view.ts';

const day = '2027-05-10';
let ids = 0;
const item = (value: string, more: Partial<KeptItem> = {}): KeptItem => ({
  ...emptyItem,
  id: ++ids,
  value,
  label: value.toLowerCase(),
  sortOrder: ids,
  ...more,
});

const items = [
  item('ZEBRA', { sortOrder: 10, labels: { de: 'Zebra', fr: 'Zèbre' } }),
  item('AFTER', { sortOrder: 20, validFrom: '2027-06-01', labels: { de: 'Später' } }),
  item('UNTIL', { sortOrder: 30, validTo: '2027-06-01' }),
  item('PAST', { sortOrder: 40, validTo: '2027-01-01', labels: { de: 'Alt', fr: 'Vieux' } }),
  item('GONE', { sortOrder: 5, status: 'retired', labels: { ja: '無' } }),
];
const languages = languagesOf(items, []);
const lastVersions = { ZEBRA: 2, AFTER: 9, UNTIL: 9, PAST: 4, GONE: 1 };
const view = (more: { chip?: Chip; search?: string; column?: SortColumn; isDescending?: boolean } = {}) => {
  const { chip = 'all', search = '', column = 'order', isDescending = false } = more;
  const sorting = { column, isDescending };
  return viewOf(items, { chip, search, sorting, day, languages, lastVersions }).map(({ value }) => value);
};

test('the languages of a list are those of its values that are not retired', () => {
  expect(languages).toEqual(['de', 'fr']);
});

test('each chip counts what it shows', () => {
  expect(countByChip(items, day, languages)).toEqual({ all: 5, active: 2, scheduled: 1, retired: 1, untranslated: 2 });
  expect(view({ chip: 'active' })).toEqual(['ZEBRA', 'UNTIL']);
  expect(view({ chip: 'scheduled' })).toEqual(['AFTER']);
  expect(view({ chip: 'retired' })).toEqual(['GONE']);
  expect(view({ chip: 'untranslated' })).toEqual(['AFTER', 'UNTIL']);
});

test('a list without translations is untranslated in the languages of the other lists', () => {
  const lists = [
    { archived: false, translations: { fr: 2, it: 0 } },
    { archived: false, translations: { de: 1 } },
    { archived: true, translations: { ja: 5 } },
  ];
  const plain = [item('A'), item('B'), item('C', { status: 'retired', labels: { pl: 'c' } })];
  expect(languagesOf(plain, lists)).toEqual(['de', 'fr']);
  expect(countByChip(plain, day, languagesOf(plain, lists)).untranslated).toBe(2);
  // For a list with translations, only its own languages count.
  expect(languagesOf(items, lists)).toEqual(['de', 'fr']);
  expect(languagesOf([item('A', { labels: { nl: 'a' } })], lists)).toEqual(['nl']);
});

test('nothing is untranslated if no list has translations', () => {
  expect(languagesOf([item('A')], [])).toEqual([]);
  expect(countByChip([item('A')], day, []).untranslated).toBe(0);
});

test('a value whose label is being edited is shown despite the filters', () => {
  const options = { sorting: ownOrder, day, languages, lastVersions };
  const shown = viewOf(items, { ...options, chip: 'scheduled', search: 'nothing', kept: 'GONE' });
  expect(shown.map(({ value }) => value)).toEqual(['GONE']);
});

test.each([
  ['order', ['ZEBRA', 'AFTER', 'UNTIL', 'PAST', 'GONE']],
  ['label', ['AFTER', 'GONE', 'PAST', 'UNTIL', 'ZEBRA']],
  ['value', ['AFTER', 'GONE', 'PAST', 'UNTIL', 'ZEBRA']],
  ['status', ['ZEBRA', 'UNTIL', 'AFTER', 'PAST', 'GONE']],
  ['lastChange', ['AFTER', 'UNTIL', 'PAST', 'ZEBRA', 'GONE']],
] as const)('values are sorted by %s', (column, expected) => {
  expect(view({ column })).toEqual([...expected]);
});

test('in reverse order, equal values stay in list order', () => {
  expect(view({ column: 'lastChange', isDescending: true })).toEqual(['GONE', 'ZEBRA', 'PAST', 'AFTER', 'UNTIL']);
});

test('the given items are not sorted in place', () => {
  const given = items.map(({ value }) => value);
  view({ column: 'label' });
  expect(items.map(({ value }) => value)).toEqual(given);
  expect(ownOrder.column).toBe('order');
});

test.each([
  ['muss', 'Muße'],
  ['MUSSE', 'Muße'],
  ['uber', 'Über'],
  ['lodz', 'Łódź'],
  ['oeuvre', 'Œuvre'],
  ['clerk senior', 'Senior Clerk'],
  ['ﬁn', 'Finance'],
])('%s finds %s', (search, label) => {
  expect(matcherOf(search)(item('A', { label }))).toBe(true);
});

test('a search looks in value, translations and codes, and finds nothing else', () => {
  const one = item('HEAD_OF', { label: 'Lead', labels: { de: 'Leitung' }, codes: { workday: 'JP-113' } });
  expect(['head_of', 'leitung', 'jp-113', 'lead jp', ' '].map((search) => matcherOf(search)(one))).toEqual(
    new Array(5).fill(true),
  );
  expect(['workday', 'lead x', 'ば'].map((search) => matcherOf(search)(one))).toEqual([false, false, false]);
});
