import { describe, expect, test } from 'bun:test';
import { findExact } from './item-search.ts';

describe('a value typed in full', () => {
  const items = [
    { value: 'TEMPORARY', label: 'Temporary' },
    { value: 'CAFE', label: 'Café' },
    { value: 'PORTER', label: 'Porter' },
    { value: 'PORTER_2', label: 'porter ' },
    { value: 'CAFE_AU_LAIT', label: 'Cafe_au_lait' },
  ];
  test.each([
    ['Temporary', 'TEMPORARY'],
    ['  temporary ', 'TEMPORARY'],
    ['TEMPORARY', 'TEMPORARY'],
    ['Cafe\u0301', 'CAFE'],
    ['PORTER_2', 'PORTER_2'],
    ['cafe_au_lait', 'CAFE_AU_LAIT'],
  ])('%p is found: %p', (text, value) => {
    expect(findExact(items, text)).toMatchObject({ value });
  });

  test('is not guessed from part of a label, or when several values match', () => {
    expect(findExact(items, 'emporary')).toBeUndefined();
    expect(findExact(items, 'Temp')).toBeUndefined();
    expect(findExact(items, 'Porter')).toBe('several');
  });
});
