import { expect, test } from 'bun:test';
import { Label } from '../../../../src/lookup/stored/fields.schema.ts';
import { readCell } from './cell-content.ts';

const options = { dayOrders: {}, isFrom1904: false, emptyClears: false };

test.each([
  ['plain text', 'Köchin', true],
  ['200 characters of two units', '😀'.repeat(200), true],
  ['201 characters', 'x'.repeat(201), false],
  ['nothing visible', '\u2800', false],
  ['a control character', 'a\u0007b', false],
  ['half a character', 'a\ud800', false],
  ['a noncharacter', 'a\ufdd0b', false],
  ['direction controls in pairs', '\u2066a\u2069 b', true],
  ['an unclosed direction control', 'a\u202eb', false],
  ['32 combining marks in a row', `e${'\u0301\u0323'.repeat(16)}`, false],
])('the import and the service agree about a label with %s', (_, label, isTaken) => {
  expect(Label.safeParse(label).success).toBe(isTaken);
  expect('content' in readCell('label', label, options)).toBe(isTaken);
});
