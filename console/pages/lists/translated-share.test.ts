import { expect, test } from 'bun:test';
import { translatedPercent } from './translated-share.ts';

test.each([
  [{ active: 10, translations: { de: 10 } }, 100],
  [{ active: 10, translations: { de: 10, fr: 5 } }, 75],
  [{ active: 1000, translations: { de: 999 } }, 99],
  [{ active: 10, translations: { de: 10, fr: 0 } }, 100],
  [{ active: 10, translations: {} }, null],
  [{ active: 0, translations: {} }, null],
])('%j is translated to %p percent', (summary, percent) => {
  expect(translatedPercent(summary)).toBe(percent);
});
