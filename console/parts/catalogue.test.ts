import { expect, test } from 'bun:test';
import { chooseLanguage, translatedText } from './catalogue.ts';

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

test.each([
  [['de-AT', 'en'], 'Stelle'],
  [['en-GB', 'de'], 'Job'],
  [['pt', 'de'], 'Cargo'],
  [['zh-TW', 'fr'], 'Job'],
  [[], 'Job'],
])('a browser with the languages %j shows a translated title as %s', (wanted, shown) => {
  expect(translatedText('Job', { de: 'Stelle', 'pt-BR': 'Cargo' }, wanted)).toBe(shown);
});

test('a text that exists only as a translation is shown only to people who read that language', () => {
  expect(translatedText(null, { de: 'Text' }, ['de'])).toBe('Text');
  expect(translatedText(null, { de: 'Text' }, ['en'])).toBeNull();
});
