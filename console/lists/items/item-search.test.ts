import { describe, expect, test } from 'bun:test';
import { findExact, labelKey } from './item-search.ts';

test('labels that look the same to people have the same key', () => {
  const same = ['Office 1', ' office  1 ', 'Office\u00a01', 'OFFICE\t1', 'O\ufb03ce 1', '\uff2fffice \uff11'];
  expect(new Set(same.map(labelKey))).toEqual(new Set(['office 1']));
  expect(labelKey('Office')).not.toBe(labelKey('Of fice'));
});

describe('a value typed in full', () => {
  const items = [
    { value: 'TEMPORARY', label: 'Temporary' },
    { value: 'CAFE', label: 'Café' },
    { value: 'GIG_WORKER', label: 'Gig worker' },
    { value: 'PORTER', label: 'Porter' },
    { value: 'PORTER_2', label: 'porter ' },
    { value: 'CAFE_AU_LAIT', label: 'Cafe_au_lait' },
  ];
  test.each([
    ['Temporary', 'TEMPORARY'],
    ['  temporary ', 'TEMPORARY'],
    ['Gig  worker', 'GIG_WORKER'],
    ['Gig\u00a0Worker', 'GIG_WORKER'],
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
