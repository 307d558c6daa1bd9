import { expect, test } from 'bun:test';
import { shownTime, shownValue } from './shown-value.ts';

test.each<[what: string, value: unknown, shown: string]>([
  ['a text is shown unchanged', 'Ada Park', 'Ada Park'],
  ['a text with a trailing space is quoted', 'E-1 ', '"E-1 "'],
  ['invisible characters are written out', 'E\u200b-1\u202e\u0000', '"E\\u{200b}-1\\u{202e}\\u{0}"'],
  ['a lone surrogate is written out', '\ud800', '"\\u{d800}"'],
  ['an empty text', '', ''],
  ['a number', 7, '7'],
  ['null', null, 'null'],
  ['an array', ['a', 'b\u202e'], '["a","b\\u{202e}"]'],
  ['a long array', ['a'.repeat(60), 'b'], `[\n  "${'a'.repeat(60)}",\n  "b"\n]`],
  ['a value that is not JSON', undefined, 'undefined'],
])('%s', (_, value, shown) => {
  expect(shownValue(value)).toBe(shown);
});

test('very long values are cut', () => {
  expect(shownValue('x'.repeat(100_000))).toBe(`${'x'.repeat(2000)}…`);
  expect(shownValue(['x'.repeat(100_000)]).length).toBeLessThan(2010);
});

test('a time is shown only for claims that are times', () => {
  expect(shownTime('iat', 1_763_000_000)).toBe('2025-11-13 02:13:20 UTC');
  expect([shownTime('age', 7), shownTime('exp', 'x'), shownTime('exp', 1e300)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
