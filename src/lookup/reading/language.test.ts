import { describe, expect, test } from 'bun:test';
import { languageKey, languageSets, reduceChain, shownLanguage } from '../rules/label-language.ts';
import { boundHeader, chainFor } from './language.ts';

describe('the languages that are tried', () => {
  test.each([
    ['de', ['de']],
    ['DE-at', ['de']],
    ['de-AT, fr;q=0.9', ['de', 'fr']],
    ['fr;q=0.5, de;q=0.4', ['fr', 'de']],
    ['es, de;q=0.4', ['de']],
    ['de;q=0.4, fr;q=0.4', ['de', 'fr']],
    ['pt-BR', ['pt-BR']],
    ['pt', ['pt-BR']],
    ['pt-PT', ['pt-BR']],
    ['en, de;q=0.5', []],
    ['fr, en;q=0.9, de;q=0.5', ['fr']],
    ['de;q=x', []],
    [',,;', []],
    ['x-private, i-klingon, de-a-b, fr', ['fr']],
    ['*', []],
    // RFC 4647 section 3.4: `*` names no language, and the ranges after it count.
    ['*, de;q=0.5', ['de']],
    ['*;q=0.9, fr;q=0.5', ['fr']],
  ])('for %p are %p', (header, chain) => {
    expect(chainFor(header, ['de', 'fr', 'pt-BR'])).toEqual(chain);
  });

  test.each([
    // RFC 4647 section 3.4: the range is shortened from its end. A single letter and the part after it are removed together.
    ['zh-Hant-CN-x-private1-private2', ['zh-Hans', 'zh-Hant', 'zh-Hant-CN'], ['zh-Hant-CN', 'zh-Hant']],
    ['de-CH-1996', ['de', 'de-CH', 'de-1996', 'de-CH-1996'], ['de-CH-1996', 'de-CH', 'de', 'de-1996']],
    // Section 3.4.1: with this priority list, fr is found for fr-FR, and ja for ja-JP.
    ['fr-FR, zh-Hant, ja-JP', ['fr', 'ja'], ['fr', 'ja']],
    ['zh-TW', ['zh', 'zh-Hans', 'zh-Hant'], ['zh-Hant']],
    ['zh-HK', ['zh-Hant', 'zh-Hant-HK', 'zh-TW'], ['zh-Hant-HK', 'zh-Hant', 'zh-TW']],
    ['zh', ['zh-Hans', 'zh-Hant', 'zh-TW'], ['zh-Hans']],
    ['zh-SG', ['zh', 'zh-Hant'], ['zh']],
    ['sr', ['sr-Latn', 'sr-Cyrl'], ['sr-Cyrl']],
    ['sr-Latn-RS', ['sr', 'sr-Latn', 'hr'], ['sr-Latn']],
    ['pt', ['pt-BR', 'pt-PT'], ['pt-BR', 'pt-PT']],
    ['de-AT', ['de-CH', 'de', 'de-DE', 'de-AT'], ['de-AT', 'de', 'de-DE', 'de-CH']],
    ['de', ['de-CH', 'de-AT', 'de-DE'], ['de-DE', 'de-AT', 'de-CH']],
    // The old code for Hebrew.
    ['iw', ['he', 'ar'], ['he']],
    ['fr, de-AT, de', ['de', 'de-AT', 'fr-CA'], ['fr-CA', 'de-AT', 'de']],
  ])('for %p are those of the same script, nearest first: of %p, these: %p', (header, available, chain) => {
    expect(chainFor(header, available)).toEqual(chain);
  });

  test.each([
    ['en-US, de', ['en-US', 'en']],
    ['en-AU', ['en']],
    ['en', ['en']],
    ['en-GB-oxendict', ['en-GB', 'en']],
    ['de, en-GB, fr', ['de', 'en-GB', 'en']],
    ['de, en;q=0, fr;q=0.1', ['de', 'fr']],
    // Shavian is not the script of plain labels.
    ['en-Shaw', ['en-Shaw']],
  ])('for %p end with English, and only exact or wider tags precede the plain labels: %p', (header, chain) => {
    expect(chainFor(header, ['de', 'en', 'en-GB', 'en-Shaw', 'en-US', 'fr'])).toEqual(chain);
  });

  test.each([
    ['de;q=0', []],
    ['fr, de;q=0', ['fr']],
    ['de, de-CH;q=0', ['de', 'de-AT']],
    ['de-AT, de;q=0', ['de-AT']],
    ['fr, *;q=0', ['fr']],
    ['de-AT, *;q=0', ['de-AT']],
    ['de;q=0.000, fr;q=0.001', ['fr']],
  ])('for %p never have weight 0, which the longest matching range decides: %p', (header, chain) => {
    expect(chainFor(header, ['de', 'de-AT', 'de-CH', 'fr'])).toEqual(chain);
  });
});

test('a long header is cut between ranges, and only the 20 ranges with the highest weights count', () => {
  expect(boundHeader('de')).toBe('de');
  expect(boundHeader('x'.repeat(1001))).toBe('');
  const long = `fr, ${'aa, '.repeat(1000)}de`;
  expect(boundHeader(long).length).toBeLessThanOrEqual(1000);
  expect(chainFor(long, ['de', 'fr'])).toEqual(['fr']);
  const many = Array.from({ length: 20 }, (_, index) => `a${String.fromCharCode(97 + index)};q=0.5`);
  expect(chainFor([...many, 'de;q=0.4', 'fr;q=0.6'].join(), ['de', 'fr'])).toEqual(['fr']);
});

describe('the label shown', () => {
  const items = [
    { label: 'one', labels: { de: 'eins', fr: 'un' } },
    { label: 'two', labels: { fr: 'deux' } },
    { label: 'three', labels: {} },
    { label: 'four', labels: { 'de-CH': 'vier', de: 'vier' } },
  ];

  test('is the first one in the chain that the item has, or else its plain label', () => {
    expect(items.map((item) => shownLanguage(item, ['de-CH', 'de', 'fr']))).toEqual(['de', 'fr', '', 'de-CH']);
    expect(items.map((item) => shownLanguage(item, []))).toEqual(['', '', '', '']);
  });

  test('is the same for two chains if they are reduced to the same chain', () => {
    const sets = languageSets(items.map(languageKey));
    expect(sets).toHaveLength(3);
    expect(reduceChain(['it', 'de', 'de-CH', 'fr'], sets)).toEqual(['de', 'fr']);
    expect(reduceChain(['de-CH', 'de', 'es', 'fr'], sets)).toEqual(['de-CH', 'de', 'fr']);
    expect(reduceChain(['fr'], [])).toEqual([]);
  });
});
