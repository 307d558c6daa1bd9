import { expect, test } from 'bun:test';
import type { ListSummary, Permissions } from '../../shell/api.ts';
import { goToSections } from './found.ts';

const summary = (list: string, title: string, more: Partial<ListSummary> = {}): ListSummary => ({
  ...{ list, title, titles: {}, description: null, descriptions: {}, readers: null, keepers: null, archived: false },
  ...{ version: 1, active: 1, retired: 0, scheduled: 0, translations: {}, mayKeep: true },
  ...{ updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: 'E-1', updatedByName: null },
  ...more,
});
const lists = [
  summary('position', 'Position', { titles: { de: 'Stelle' }, updatedAt: '2026-02-01T00:00:00.000Z' }),
  summary('employment-type', 'Employment type', { mayKeep: false }),
];
const all: Permissions = { seeLists: true, createLists: true, readAudit: true };
const none: Permissions = { seeLists: false, createLists: false, readAudit: false };
const items = [
  { list: 'position', title: 'Position', value: 'CLERK', label: 'Clerk', match: 'Clerk', status: 'active' as const },
];
const found = (given: Partial<Parameters<typeof goToSections>[0]>) =>
  Object.fromEntries(
    goToSections({ text: '', place: { page: 'home' }, permissions: all, lists, items: [], ...given }).map(
      ({ id, entries }) => [id, entries.map(({ name, title }) => (title === undefined ? name : `${name} (${title})`))],
    ),
  );

test('without a text, the most recently changed lists and every page are offered', () => {
  expect(found({ items })).toEqual({
    lists: ['Position', 'Employment type'],
    pages: ['Home', 'Lists', 'Import', 'Preview form', 'Audit log', 'Profile', 'Keyboard shortcuts'],
  });
});

test('a person is offered only what they may do', () => {
  expect(found({ permissions: none, lists: [] })).toEqual({
    pages: ['Home', 'Preview form', 'Profile', 'Keyboard shortcuts'],
  });
  const reader = { ...all, createLists: false, readAudit: false };
  const readOnly = lists.filter(({ mayKeep }) => !mayKeep);
  expect(found({ text: 'employment', permissions: reader, lists: readOnly })).toEqual({ lists: ['Employment type'] });
  expect(found({ text: 'import', permissions: reader, lists: readOnly })).toEqual({});
});

test('lists are found by name and by title in any language, and entries for adding a value by their text', () => {
  const position = { lists: ['Position'], add: ['Add a value to Position'] };
  expect(found({ text: 'pos' })).toEqual(position);
  expect(found({ text: 'stelle' })).toEqual({ lists: ['Position'] });
  expect(found({ text: 'add pos' })).toEqual({ add: ['Add a value to Position'] });
});

test('two words find a page of a list, and the pages of the open list come first', () => {
  expect(found({ text: 'history pos' })).toEqual({ pages: ['History (Position)'] });
  const open = found({ place: { page: 'list', list: 'position' } });
  expect(open.pages?.slice(0, 2)).toEqual(['Translations (Position)', 'History (Position)']);
  expect(open.add).toEqual(['Add a value to Position']);
});

test('values come last, so that they do not change what Enter opens', () => {
  const sections = goToSections({ text: 'l', place: undefined, permissions: all, lists, items });
  expect(sections.map(({ id }) => id)).toEqual(['pages', 'values']);
  expect(sections.at(-1)?.entries).toMatchObject([
    { name: 'Clerk', title: 'Position', place: { page: 'value', list: 'position', value: 'CLERK' } },
  ]);
});

test('each section has a maximum number of entries', () => {
  const many = Array.from({ length: 500 }, (_, index) => summary(`list-${index}`, `List ${index}`));
  const values = many.map(({ list }) => ({ ...items[0], list, label: 'List' }) as (typeof items)[0]);
  const sections = goToSections({ text: 'list', place: undefined, permissions: all, lists: many, items: values });
  for (const { entries } of sections) expect(entries.length).toBeLessThanOrEqual(12);
  const pages = goToSections({ text: 'list history', place: undefined, permissions: all, lists: many, items: [] });
  expect(pages.map(({ id, entries }) => [id, entries.length])).toEqual([['pages', 8]]);
});
