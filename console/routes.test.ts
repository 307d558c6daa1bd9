import { describe, expect, test } from 'bun:test';
import { addressOf, type Place, placeOf } from './routes.ts';

const places: [string, Place][] = [
  ['#/', { page: 'home' }],
  ['#/lists', { page: 'lists' }],
  ['#/import', { page: 'import' }],
  ['#/preview', { page: 'preview' }],
  ['#/profile', { page: 'profile' }],
  ['#/audit', { page: 'audit', query: '' }],
  ['#/audit?person=E-1001', { page: 'audit', query: 'person=E-1001' }],
  ['#/lists/position', { page: 'list', list: 'position' }],
  ['#/lists/position/new', { page: 'new-value', list: 'position' }],
  ['#/lists/position/values/ACCOUNTANT', { page: 'value', list: 'position', value: 'ACCOUNTANT' }],
  ['#/lists/position/translations', { page: 'translations', list: 'position' }],
  ['#/lists/position/history', { page: 'history', list: 'position' }],
  ['#/lists/position/history?by=ada', { page: 'history', list: 'position', query: 'by=ada' }],
  ['#/lists/position/history/7?with=3', { page: 'version', list: 'position', version: 7, against: 3 }],
  ['#/lists/position/history/7', { page: 'version', list: 'position', version: 7 }],
  ['#/lists/position/import', { page: 'list-import', list: 'position' }],
  ['#/lists/position/settings', { page: 'settings', list: 'position' }],
];

describe('an address', () => {
  test.each(places)('%s leads to a page and is made from it', (address, place) => {
    expect(placeOf(address)).toEqual(place);
    expect(addressOf(place)).toBe(address);
  });

  test('that is empty is the home page', () => expect(placeOf('')).toEqual({ page: 'home' }));

  test.each([
    '#/nowhere',
    '#/lists/../auth',
    '#/lists/..%5C..%5Cauth',
    '#/lists/position/values/lower',
    '#/lists/position/history/0',
    '#/lists/position/nothing',
    '#/lists/position/values/A/B',
    '#/constructor',
    '#/lists/position/__proto__',
  ])('%s leads nowhere', (address) => expect(placeOf(address)).toBeUndefined());
});
