import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { KeptItem, KeptList } from '../../shell/api.ts';
import { activeOrder, fitsRequest, mergeMove, moveValues, newPlaces, orderDocument } from './value-order.ts';

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

const placesOf = (order: string, moved: string, places: Record<string, number>) =>
  Object.fromEntries(newPlaces([...order], new Set(moved), (value) => places[value] ?? 0));
const tens = { a: 10, b: 20, c: 30, d: 40 };

test.each([
  ['between two', 'bacd', 'a', tens, { a: 25 }],
  ['to the top', 'dabc', 'd', tens, { d: 0 }],
  ['to the end', 'bcda', 'a', tens, { a: 50 }],
  ['of several values', 'cabd', 'ab', tens, { a: 33, b: 36 }],
  ['without room, which shifts the values after it', 'abcd', 'b', { a: 1, b: 9, c: 2, d: 9 }, { b: 3, c: 5 }],
  ['among equal sortOrders', 'ba', 'b', { a: 0, b: 0 }, { b: -10 }],
])('a move %s', (_, order, moved, places, expected) => {
  expect(placesOf(order, moved, places)).toEqual(expected);
});

test('any move leaves the values in the requested order', () => {
  const cases = fc.array(fc.tuple(fc.integer({ min: -5, max: 30 }), fc.boolean()), { maxLength: 12 }).map((pairs) => ({
    places: pairs.map(([place]) => place).sort((a, b) => a - b),
    isMoved: pairs.map(([, is]) => is),
  }));
  fc.assert(
    fc.property(cases, fc.infiniteStream(fc.nat()), ({ places, isMoved }, chance) => {
      const order = places.map((_, index) => String(index));
      const moved = new Set(order.filter((_, index) => isMoved[index]));
      const next = order.filter((value) => !moved.has(value));
      for (const value of moved) next.splice((chance.next().value ?? 0) % (next.length + 1), 0, value);
      const changed = newPlaces(next, moved, (value) => places[Number(value)] ?? 0);
      const result = next.map((value) => changed.get(value) ?? places[Number(value)] ?? 0);
      expect(result.every((place, index) => index === 0 || place > (result[index - 1] ?? 0))).toBe(true);
      expect(result.every(Number.isSafeInteger)).toBe(true);
    }),
  );
});

test('a document contains only values with a new sortOrder', () => {
  const items = [
    { value: 'A', label: 'a', sortOrder: 10 },
    { value: 'B', label: 'b', sortOrder: 20 },
  ];
  const list = { list: 'grade', version: 3, items } as unknown as KeptList;
  const places = new Map([
    ['A', 25],
    ['B', 20],
  ]);
  expect(orderDocument(list, places)).toEqual({
    lists: { grade: { version: 3, items: [{ value: 'A', label: 'a', sortOrder: 25 }] } },
  });
});

test('an order of 10,000 short values fits into a request, one of 50,000 does not', () => {
  const order = (count: number) => Array.from({ length: count }, (_, index) => `VALUE_${index}`);
  expect([fitsRequest(order(10_000)), fitsRequest(order(50_000))]).toEqual([true, false]);
});
