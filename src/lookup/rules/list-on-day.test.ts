import { expect, test } from 'bun:test';
import type { KeptItem } from './item.ts';
import { isInOrder, isOnListOn, statusOn, stretchOf, turningDays } from './list-on-day.ts';

const today = '2026-06-15';
const item = (dates: Partial<KeptItem>) =>
  ({ validFrom: null, validTo: null, retiredAt: null, status: 'active', ...dates }) as KeptItem;
const retired = (retiredAt: string | null, dates: Partial<KeptItem> = {}) =>
  item({ status: 'retired', retiredAt, ...dates });

const items = [
  item({}),
  item({ validFrom: '2026-06-10' }),
  item({ validTo: '2026-06-10' }),
  item({ validFrom: '2026-06-11', validTo: '2026-06-11' }),
  item({ validFrom: '2026-06-14', validTo: '2026-07-02' }),
  retired('2026-06-12T23:59:59.999Z'),
  retired('2026-06-20T00:00:00.000Z'),
  retired(null),
  retired('2026-06-13T00:00:00.000Z', { validFrom: '2026-06-12', validTo: '2026-06-30' }),
];
const days = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.UTC(2026, 5, 1 + index)).toISOString().slice(0, 10),
);

test('two days have the same stretch only if the list has the same items on both days', () => {
  const turning = turningDays(items);
  const shown = (day: string) => items.map(isOnListOn(day, today)).join();
  const byStretch = Map.groupBy(days, (day) => `${stretchOf(turning, day)} ${day < today}`);
  for (const [stretch, same] of byStretch) expect([stretch, new Set(same.map(shown)).size]).toEqual([stretch, 1]);
  // A list that changes on few days has few different answers.
  expect(byStretch.size).toBe(10);
});

test('a list without dates has one stretch', () => {
  expect(new Set(days.map((day) => stretchOf(turningDays([item({})]), day))).size).toBe(1);
});

test.each([
  [{}, { kind: 'active' }],
  [{ validFrom: '2027-05-10' }, { kind: 'active' }],
  [{ validFrom: '2027-05-11' }, { kind: 'scheduled', day: '2027-05-11' }],
  [{ validTo: '2027-05-10' }, { kind: 'ending', day: '2027-05-10' }],
  [{ validTo: '2027-05-09' }, { kind: 'expired', day: '2027-05-09' }],
  [
    { validFrom: '2027-06-01', validTo: '2027-07-01' },
    { kind: 'scheduled', day: '2027-06-01' },
  ],
  [
    { status: 'retired', retiredAt: '2027-01-02T23:00:00.000Z' },
    { kind: 'retired', day: '2027-01-02' },
  ],
  [
    { status: 'retired', validFrom: '2028-01-01' },
    { kind: 'retired', day: null },
  ],
] as const)('an item with %o has the status %o', (more, expected) => {
  expect(statusOn(item(more), '2027-05-10')).toEqual(expected);
});

test('exactly the items on the list today have the status active or ending', () => {
  for (const each of items) {
    expect(['active', 'ending'].includes(statusOn(each, today).kind)).toBe(isOnListOn(today, today)(each));
  }
});

test('two dates are in order if the first is not later, or one is missing', () => {
  expect(isInOrder('2027-01-01', '2027-01-01')).toBe(true);
  expect(isInOrder('2027-01-02', '2027-01-01')).toBe(false);
  expect([isInOrder(null, '2027-01-01'), isInOrder('2027-01-02', undefined)]).toEqual([true, true]);
});
