import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { KeptItem } from '../../shell/api.ts';
import { activeOrder, mergeMove, moveValues } from './value-order.ts';

const letters = (text: string) => [...text];
const moved = (order: string, values: string, target: string, position: 'before' | 'after') =>
  moveValues(letters(order), letters(values), target, position).join('');

test.each([
  ['abcde', 'a', 'c', 'after', 'bcade'],
  ['abcde', 'e', 'a', 'before', 'eabcd'],
  ['abcde', 'db', 'e', 'after', 'acebd'],
  ['abcde', 'bd', 'd', 'before', 'acbde'],
  ['abcde', 'c', 'c', 'after', 'abcde'],
  ['abcde', 'a', 'x', 'after', 'abcde'],
  ['abcde', 'ax', 'b', 'after', 'bacde'],
] as const)('%s with %s moved to %s (%s) is %s', (order, values, target, position, expected) => {
  expect(moved(order, values, target, position)).toBe(expected);
});

const merged = (mine: string, values: string, latest: string) =>
  mergeMove(letters(mine), new Set(letters(values)), letters(latest)).join('');

test.each([
  ['nothing changed meanwhile', 'bcade', 'a', 'abcde', 'bcade'],
  ['a value was added', 'bcade', 'a', 'abxcde', 'bxcade'],
  ['the value before it was retired', 'bcade', 'a', 'abde', 'bade'],
  ['my value was retired', 'bcade', 'a', 'bcde', 'bcde'],
  ['others moved other values', 'bcade', 'a', 'edcba', 'edcab'],
  ['I moved a value to the top', 'eabcd', 'e', 'bacde', 'ebacd'],
  ['a value I do not know was added at the top', 'eabcd', 'e', 'xabcde', 'exabcd'],
  ['everything else is gone', 'bcade', 'a', 'a', 'a'],
  ['I moved several values to two places', 'cabed', 'ce', 'abxcde', 'cabexd'],
])('my move is merged if %s', (_, mine, values, latest, expected) => {
  expect(merged(mine, values, latest)).toBe(expected);
});

test('a merged order has every value of the latest list once, and unmoved values keep their order', () => {
  const order = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String));
  fc.assert(
    fc.property(order, order, fc.array(fc.integer({ min: 0, max: 12 }).map(String)), (mine, latest, values) => {
      const set = new Set(values);
      const result = mergeMove(mine, set, latest);
      expect(result.toSorted()).toEqual(latest.toSorted());
      expect(result.filter((value) => !set.has(value))).toEqual(latest.filter((value) => !set.has(value)));
    }),
  );
});

const item = (value: string, sortOrder: number, label = value, status: KeptItem['status'] = 'active') =>
  ({ value, sortOrder, label, status }) as KeptItem;

test('values with the same sortOrder are sorted by label, as in the service', () => {
  const items = [item('A', 2), item('B', 1, 'zebra'), item('C', 1, 'Éclair'), item('D', 0, 'D', 'retired')];
  expect(activeOrder(items)).toEqual(['C', 'B', 'A']);
});
