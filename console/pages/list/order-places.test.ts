import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { KeptList } from '../../shell/api.ts';
import { fitsRequest, newPlaces, orderDocument } from './order-places.ts';

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
