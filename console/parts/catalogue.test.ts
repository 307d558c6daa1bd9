import { expect, test } from 'bun:test';
import { chooseLanguage } from './catalogue.ts';

test.each([
  [[], 'en'],
  [['de-AT', 'en'], 'de'],
  [['DE'], 'de'],
  [['fr', 'de'], 'de'],
  [['en-GB', 'de'], 'en'],
  [['fr', 'not a tag'], 'en'],
])('a browser with the languages %j gets the texts in %s', (wanted, language) => {
  expect(chooseLanguage(wanted)).toBe(language as 'en');
});
