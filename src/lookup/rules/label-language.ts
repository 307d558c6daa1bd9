// Which of its labels an item shows to somebody who wants certain languages.
import { noTexts } from './item.ts';

/** The language of the labels that every item has: they count as English. */
export const baseLanguage = '';

/** The tags to try for each item, the most wanted first. After them, its plain label. */
export type LanguageChain = readonly string[];

export interface Labelled {
  label: string;
  labels: Readonly<Record<string, string>>;
}

/** The languages in which an item has labels, as one text. However many items there are, few of these texts differ. */
export function languageKey({ labels }: Labelled): string {
  if (labels === noTexts) return '';
  const tags = Object.keys(labels);
  return tags.length > 1 ? tags.sort().join(' ') : (tags[0] ?? '');
}

/** The distinct sets of languages among these keys. */
export function languageSets(keys: readonly string[]): ReadonlySet<string>[] {
  return [...new Set(keys)].filter((key) => key !== '').map((key) => new Set(key.split(' ')));
}

/** The chain without tags that none of these sets would show: chains with the same result become the same chain. */
export function reduceChain(chain: LanguageChain, sets: readonly ReadonlySet<string>[]): LanguageChain {
  const shown = new Set(sets.map((tags) => chain.find((tag) => tags.has(tag))));
  return chain.filter((tag) => shown.has(tag));
}

/** The tag of the label that an item shows, or the base language. */
export function shownLanguage({ labels }: Labelled, chain: LanguageChain): string {
  if (chain.length === 0) return baseLanguage;
  return chain.find((tag) => labels[tag] !== undefined) ?? baseLanguage;
}
