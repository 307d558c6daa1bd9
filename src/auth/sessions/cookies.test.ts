import { expect, test } from 'bun:test';
import { readCookies } from './cookies.ts';

test.each([
  ['a=1; b=2', { a: '1', b: '2' }],
  // RFC 6265bis section 5.7: a pair without a name is ignored.
  ['a=good; ab', { a: 'good' }],
  ['a; a=good', { a: 'good' }],
  ['=x; a=good', { a: 'good' }],
  ['a=first; a=second', { a: 'first' }],
  ['a=; b', { a: '' }],
  ['a=b=c ;', { a: 'b=c' }],
  [null, {}],
  ['', {}],
])('the header %p is read as %j', (header, cookies) => {
  expect(Object.fromEntries(readCookies(header))).toEqual(cookies);
});
