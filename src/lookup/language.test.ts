import { expect, test } from 'bun:test';
import { labelIn, negotiateLanguage } from './language.ts';

test.each([
  [null, ''],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de-AT, fr;q=0.9', 'de'],
  ['fr;q=0.5, de;q=0.4', 'fr'],
  ['es, de;q=0.4', 'de'],
  ['pt-BR', 'pt-BR'],
  ['pt', ''],
  ['pt-PT', ''],
  ['en, de;q=0.5', ''],
  ['en-GB,de;q=0.9', ''],
  ['*', ''],
  ['de;q=0', ''],
  ['de;q=x', ''],
  ['zh-Hant-TW', ''],
  [',,;', ''],
])('Accept-Language %p gets %p', (header, language) => {
  expect(negotiateLanguage(header, ['de', 'fr', 'pt-BR'])).toBe(language);
});

test('an English translation takes precedence over the base labels', () => {
  expect(negotiateLanguage('en-GB', ['de', 'en'])).toBe('en');
});

test('the fallback is chosen for each item', () => {
  const item = { label: 'base', labels: { de: 'deutsch', 'de-CH': 'schweiz' } };
  expect(['de-CH', 'de-AT', 'de', 'fr', ''].map((tag) => labelIn(item, tag))).toEqual([
    'schweiz',
    'deutsch',
    'deutsch',
    'base',
    'base',
  ]);
});
