import { expect, test } from 'bun:test';
import { languageTags, ownNames } from './language-data.ts';
import { findLanguage, findLanguages, languageName, languageTagOf } from './language-names.ts';

const tagsFor = (text: string, used: string[] = []) => findLanguages(text, used).map(({ tag }) => tag);

test.each([
  ['german', 'de'],
  ['Deutsch', 'de'],
  ['de', 'de'],
  ['FRANCAIS', 'fr'],
  ['français', 'fr'],
  ['日本', 'ja'],
  ['brazil', 'pt-BR'],
  ['brazilian port', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['pt_BR', 'pt-BR'],
  ['austria', 'de-AT'],
  ['traditional', 'zh-Hant'],
  ['zh-hant', 'zh-Hant'],
  ['turkce', 'tr'],
])('%p finds %p', (text, tag) => {
  expect(tagsFor(text)).toContain(tag);
});

test('a language comes before its variants, and the best match comes first', () => {
  expect(tagsFor('german')[0]).toBe('de');
  expect(tagsFor('de')[0]).toBe('de');
  expect(tagsFor('portuguese').slice(0, 3)).toEqual(['pt', 'pt-BR', 'pt-PT']);
});

test('a tag that is not in the list is offered when it is typed in full', () => {
  expect(findLanguages('de-li')[0]).toEqual({
    tag: 'de-LI',
    name: 'German (Liechtenstein)',
    ownName: expect.any(String),
  });
  expect(tagsFor('sr-Latn-ME')[0]).toBe('sr-Latn-ME');
  expect(tagsFor('xq')).toEqual([]);
  expect(tagsFor('no such language')).toEqual([]);
});

test('a language and a region are found by their names', () => {
  expect(tagsFor('german liecht')).toEqual(['de-LI']);
});

test('languages that are already used are left out', () => {
  expect(tagsFor('german', ['de'])).not.toContain('de');
  expect(tagsFor('', ['de'])).not.toContain('de');
});

test('an empty search lists every language once, by name, with canonical tags', () => {
  const all = findLanguages('');
  expect(all.length).toBeGreaterThan(200);
  expect(new Set(all.map(({ tag }) => tag)).size).toBe(all.length);
  for (const { tag, name, ownName } of all) {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(name).not.toBe('');
    expect(ownName).not.toBe('');
  }
});

test('the name of a language in the language itself is known even if the browser has none', () => {
  expect(ownNames.get('hy')).toBe('հայերեն');
  expect(ownNames.get('sq')).toBe('shqip');
  for (const tag of ownNames.keys()) expect(languageTags).toContain(tag);
});

test('a language has a name in the language of the console, and a name in the language itself', () => {
  expect(findLanguage('de')).toEqual({ tag: 'de', name: 'German', ownName: 'Deutsch' });
  expect(findLanguage('fr')).toEqual({ tag: 'fr', name: 'French', ownName: 'Français' });
  expect(findLanguage('en')).toEqual({ tag: 'en', name: 'English', ownName: 'English' });
  expect(languageName('zh-Hant')).toBe('Chinese (Traditional)');
  expect(languageName('x-unknown')).toBe('x-unknown');
});

test('tags are made canonical, and anything else is refused', () => {
  expect(languageTagOf(' PT_br ')).toBe('pt-BR');
  expect(languageTagOf('iw')).toBe('he');
  expect(languageTagOf('not a tag')).toBeUndefined();
  expect(languageTagOf('german')).toBeUndefined();
  expect(languageTagOf(`de-${'x-abcdefgh'.repeat(10)}`)).toBeUndefined();
});
