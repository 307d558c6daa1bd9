// Which label of an item is shown to a person, given the languages they accept, the preferred one first.
import type { Item } from './list.ts';

export interface Shown {
  label: string;
  /** The language tag of the translation; undefined for the plain label. */
  tag?: string;
  /** Position among the accepted languages: 0 is the preferred one. */
  rank: number;
}

/** Tries each accepted language, the preferred one first, then the plain label. */
export function labelFor({ label, labels }: Pick<Item, 'label' | 'labels'>, wishes: readonly string[]): Shown {
  const plain = { label, rank: Number.POSITIVE_INFINITY };
  for (const [index, wish] of wishes.entries()) {
    // The wildcard names no language.
    if (wish === '*') continue;
    const tags = findTags(wish, Object.keys(labels));
    const tag = tags[0];
    const translation = tag === undefined ? undefined : labels[tag];
    if (tag !== undefined && translation !== undefined) {
      return { label: translation, tag, rank: index * 100 + distance(wish, tag) };
    }
    if (languageOf(wish) === 'en') return plain;
  }
  return plain;
}

/**
 * Tags of the same language and script, nearest first. Plain labels are English, so for English only an exact or more
 * general tag is found.
 */
function findTags(wish: string, tags: readonly string[]): string[] {
  const isFound = (tag: string) =>
    languageOf(wish) === 'en' ? isExactOrWider(wish, tag) : scriptOf(wish) === scriptOf(tag);
  return tags.filter(isFound).sort((a, b) => distance(wish, a) - distance(wish, b));
}

/** The exact tag is nearest, then tags with ever fewer parts, then other tags of the same language and script. */
function distance(wish: string, tag: string): number {
  return isExactOrWider(wish, tag) ? wish.split('-').length - tag.split('-').length : 10;
}

const isExactOrWider = (wish: string, tag: string) => `${wish}-`.startsWith(`${tag}-`);
const languageOf = (tag: string) => new Intl.Locale(tag).language;

function scriptOf(tag: string): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

/** The language tag of the label with the lowest rank; null if only plain labels are shown. */
export function contentLanguage(shown: readonly Shown[]): string | null {
  const [first] = shown.filter(({ tag }) => tag !== undefined).sort((a, b) => a.rank - b.rank);
  return first?.tag ?? null;
}
