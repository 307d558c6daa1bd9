import { expect, test } from 'bun:test';
import { languagesToTranslate, translatedPercent } from './to-translate.ts';

const others = [
  { archived: false, translations: { fr: 2, it: 0 } },
  { archived: false, translations: { de: 1 } },
  { archived: true, translations: { ja: 5 } },
];

test('a list is translated into its own languages or, if it has none, into those of the other lists', () => {
  expect(languagesToTranslate({ nl: 1, pl: 0 }, others)).toEqual(['nl']);
  expect(languagesToTranslate({}, others)).toEqual(['de', 'fr']);
  expect(languagesToTranslate({ de: 0 }, [])).toEqual([]);
});

test.each([
  [{ active: 10, translations: { de: 10 } }, 100],
  [{ active: 10, translations: { de: 10, fr: 5 } }, 75],
  [{ active: 1000, translations: { de: 999 } }, 99],
  [{ active: 10, translations: { de: 10, fr: 0 } }, 100],
  [{ active: 10, translations: {} }, 0],
  [{ active: 0, translations: {} }, null],
])('%j is translated to %p percent', (summary, percent) => {
  expect(translatedPercent(summary, languagesToTranslate(summary.translations, others))).toBe(percent);
});

test('nothing is to be translated if no list has translations', () => {
  expect(translatedPercent({ active: 10, translations: {} }, languagesToTranslate({}, []))).toBeNull();
});
