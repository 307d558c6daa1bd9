import { expect, test } from 'bun:test';
import { SelectionQuery, selectionFrom } from '../reading/selection.schema.ts';
import { limitTo, matches, splitAtColon } from './selection.ts';

test('a code may contain colons', () => {
  expect(splitAtColon('sap:a:b')).toEqual(['sap', 'a:b']);
});

test('an item must fit one chosen value of each list, and fits all values of a list if it names none', () => {
  const item = (parents: Record<string, string[]>) => ({ tags: [], codes: {}, parents }) as never;
  const isOffered = (where: string[], parents: Record<string, string[]>) =>
    matches({ where, tags: [], code: undefined })(item(parents));
  const both = { country: ['DE', 'AT'], unit: ['HR'] };
  expect(isOffered(['country:DE'], both)).toBe(true);
  expect(isOffered(['country:FR', 'country:AT'], both)).toBe(true);
  expect(isOffered(['country:FR'], both)).toBe(false);
  expect(isOffered(['country:DE', 'unit:IT'], both)).toBe(false);
  expect(isOffered(['country:DE', 'unit:HR', 'planet:MARS'], both)).toBe(true);
  expect(isOffered(['constructor:X', 'country:FR'], {})).toBe(true);
});

test('a limit counts matching items, and included items are shown in addition', () => {
  const shown = ['A', 'B', 'C', 'D'].map((value) => ({ value }));
  const limited = (limit: number | undefined, include: string[]) =>
    limitTo(shown, { limit, include }, ({ value }) => value !== 'B')
      .map(({ value }) => value)
      .join('');
  expect([limited(2, []), limited(2, ['B']), limited(1, ['D']), limited(2, ['A']), limited(undefined, [])]).toEqual([
    'AC',
    'ABC',
    'AD',
    'AC',
    'ABCD',
  ]);
});

test('queries with the same meaning give the same selection, and queries without selection parameters give none', () => {
  const read = (query: object) => selectionFrom(SelectionQuery.parse(query));
  expect(read({ fields: 'tags,codes', include: ['B', 'A', 'B'], q: 'Ä b' })).toEqual(
    read({ fields: ['codes', 'tags'], include: ['A', 'B'], q: 'B  a' }),
  );
  expect([read({}), read({ colour: 'red' }), read({ q: ' ' }), selectionFrom(undefined)]).toEqual(
    Array(4).fill(undefined),
  );
});
