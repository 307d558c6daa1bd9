import { expect, test } from 'bun:test';
import { namesByWeight, parseWeightedList } from './weighted-list.ts';

test('names are in lower case, and have weight 1 by default', () => {
  expect(parseWeightedList('GZip; Q=0.5,br ;level=3; q=0.25, *;q=0 , de-AT')).toEqual([
    { name: 'gzip', weight: 0.5 },
    { name: 'br', weight: 0.25 },
    { name: '*', weight: 0 },
    { name: 'de-at', weight: 1 },
  ]);
});

test('entries without a name or with an invalid weight are left out', () => {
  expect(parseWeightedList('')).toEqual([]);
  expect(parseWeightedList(' , ;q=1,a;q=x,b;q=-1,c;q=1.1,d;q=NaN,e')).toEqual([{ name: 'e', weight: 1 }]);
  expect(parseWeightedList('a;q=2', Number.POSITIVE_INFINITY)).toEqual([{ name: 'a', weight: 2 }]);
});

test('the preferred name comes first, equal weights stay in order, and weight 0 excludes a name', () => {
  expect(namesByWeight('a;q=0.2,b,c;q=0,d;q=0.2,e')).toEqual(['b', 'e', 'a', 'd']);
  expect(namesByWeight('a,b;q=2')).toEqual(['a']);
  expect(namesByWeight('a,b;q=2', Number.POSITIVE_INFINITY)).toEqual(['b', 'a']);
});
