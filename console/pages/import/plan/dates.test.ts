import { expect, test } from 'bun:test';
import type { Cell } from '../file/cells.ts';
import { readYesOrNo } from './cell-content.ts';
import { findDayOrder, readDay } from './dates.ts';

test.each<[Cell, string | undefined]>([
  ['31.12.2027', '2027-12-31'],
  ['1. 2. 2027', '2027-02-01'],
  ['31/12/2027', '2027-12-31'],
  ['31-12-27', '2027-12-31'],
  ['2027-12-31', '2027-12-31'],
  ['2027/1/5', '2027-01-05'],
  ['2027-12-31T00:00:00Z', '2027-12-31'],
  ['31. Dezember 2027', '2027-12-31'],
  ['1 März 2027', '2027-03-01'],
  ['31-Dec-27', '2027-12-31'],
  ['Dec 31, 2027', '2027-12-31'],
  [{ day: '2027-12-31' }, '2027-12-31'],
  [46752, '2027-12-31'],
  ['46752', '2027-12-31'],
  ['31.02.2027', undefined],
  ['12/31/2027', undefined],
  ['soon', undefined],
  [true, undefined],
  [3, undefined],
])('%p is %p where the day comes first', (cell, day) => {
  expect(readDay(cell, 'day-first', false)).toBe(day);
});

test('dates with dots have the day first even if other dates have the month first', () => {
  expect(readDay('12/31/2027', 'month-first', false)).toBe('2027-12-31');
  expect(readDay('31.12.2027', 'month-first', false)).toBe('2027-12-31');
  expect(readDay('31/12/2027', 'month-first', false)).toBeUndefined();
});

test('serial numbers count from 1904 if the workbook does', () => {
  expect(readDay(45290, 'day-first', true)).toBe('2027-12-31');
});

test.each<[string, string[], ReturnType<typeof findDayOrder>]>([
  ['a number over 12 in front', ['01/02/2027', '31/12/2027'], 'day-first'],
  ['a number over 12 in second place', ['01/02/2027', '12/31/2027'], 'month-first'],
  ['no number over 12', ['01/02/2027', '03/04/2027'], 'ambiguous'],
  ['the same number twice', ['05/05/2027'], 'not-needed'],
  ['dots', ['01.02.2027'], 'not-needed'],
  ['the year in front', ['2027-01-02'], 'not-needed'],
])('with %s, the order of day and month in %j is %s', (_, cells, order) => {
  expect(findDayOrder(cells)).toBe(order);
});

test.each<[Cell, boolean | undefined]>([
  ['yes', true],
  ['Ja', true],
  ['x', true],
  ['TRUE', true],
  [1, true],
  [true, true],
  ['✓', true],
  ['no', false],
  ['Nein', false],
  [0, false],
  [false, false],
  ['-', false],
  ['perhaps', undefined],
])('%p is yes, no or neither: %p', (cell, isYes) => {
  expect(readYesOrNo(cell)).toBe(isYes);
});
