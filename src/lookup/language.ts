// Chooses the language of a list: Accept-Language, RFC 9110 section 12.5.4, looked up as RFC 4647 says.
import { namesByWeight } from '../http/weighted-list.ts';

/** The labels every item has. Without an English translation they count as English. */
export const baseLanguage = '';

/** RFC 4647 section 2.1, in lower case. */
const languageRange = /^(\*|[a-z0-9]+(-[a-z0-9]+)*)$/;

/** The tag of a translation, or the base language. */
export function negotiateLanguage(header: string | null, available: readonly string[]): string {
  if (header === null || available.length === 0) return baseLanguage;
  const byLowerCase = new Map(available.map((tag) => [tag.toLowerCase(), tag]));
  for (const wanted of namesByWeight(header).filter((name) => languageRange.test(name))) {
    // From the narrowest to the widest: de-AT, then de.
    for (let tag = wanted; tag !== ''; tag = widerTag(tag)) {
      const found = byLowerCase.get(tag);
      if (found !== undefined) return found;
      if (tag === 'en' || tag === '*') return baseLanguage;
    }
  }
  return baseLanguage;
}

interface Labelled {
  label: string;
  labels: Readonly<Record<string, string>>;
}

/** The languages that any of the items is translated into. */
export function languagesOf(items: readonly Labelled[]): string[] {
  return [...new Set(items.flatMap(({ labels }) => Object.keys(labels)))].sort();
}

/** The label of an item in a language, or in the next wider one it has, or its base label. */
export function labelIn(item: Labelled, language: string): string {
  return item.labels[translationOf(item, language)] ?? item.label;
}

/** The tag of the label shown for a language: de-AT, or else de, or else the base label. */
export function translationOf({ labels }: Labelled, language: string): string {
  let tag = language;
  while (tag !== '' && labels[tag] === undefined) tag = widerTag(tag);
  return tag;
}

/** `de` for `de-AT`, and the base language for `de`. */
function widerTag(tag: string): string {
  return tag.slice(0, Math.max(0, tag.lastIndexOf('-')));
}

/** Of the tags found for one wanted language: the one nearest to it. */
export function narrowest(tags: readonly string[]): string {
  return tags.reduce((found, tag) => (tag.length > found.length ? tag : found), baseLanguage);
}
