import { expect, test } from 'bun:test';
import type { ListSummary } from '../../shell/api.ts';
import { findAttention, newestFirst } from './attention.ts';

const summary = (list: string, more: Partial<ListSummary> = {}) =>
  ({
    list,
    title: list,
    titles: {},
    descriptions: {},
    active: 10,
    scheduled: 0,
    translations: {},
    archived: false,
    mayKeep: true,
    updatedAt: '2027-01-01T00:00:00Z',
    ...more,
  }) as ListSummary;

test('lists with missing translations come first, then those with scheduled values', () => {
  const found = findAttention([
    summary('complete', { translations: { de: 10 } }),
    summary('never-translated'),
    summary('scheduled', { scheduled: 2, translations: { de: 10 } }),
    summary('half', { translations: { de: 4, fr: 9, it: 10 } }),
  ]);
  expect(found.map(({ list, scheduled, missing, languages }) => [list.list, scheduled, missing, languages])).toEqual([
    // A list without any translations should be translated into every language that the other lists use.
    ['never-translated', 0, 30, ['de', 'fr', 'it']],
    ['half', 0, 7, ['de', 'fr']],
    ['scheduled', 2, 0, []],
  ]);
});

test('lists that the user may not change, and archived ones, are left out', () => {
  const lists = [summary('theirs', { scheduled: 1, mayKeep: false }), summary('old', { scheduled: 1, archived: true })];
  expect(findAttention(lists)).toEqual([]);
});

test('the list that was changed last comes first', () => {
  const lists = [summary('a'), summary('b', { updatedAt: '2027-01-02T00:00:00Z' })];
  expect(newestFirst(lists).map(({ list }) => list)).toEqual(['b', 'a']);
});
