// Decides which label of an item is shown to a person with certain preferred languages.
import { noTexts } from './item.ts';

/** Stands for the language of plain labels. Every item has a plain label, which counts as English. */
export const baseLanguage = '';

/** The tags to try for each item, the preferred one first. An item without any of them shows its plain label. */
export type LanguageChain = readonly string[];

export interface Labelled {
  label: string;
  labels: Readonly<Record<string, string>>;
}

/** The languages in which an item has labels, joined into one key. Even a long list has only a few distinct keys. */
export function languageKey({ labels }: Labelled): string {
  if (labels === noTexts) return '';
  const tags = Object.keys(labels);
  return tags.length > 1 ? tags.sort().join(' ') : (tags[0] ?? '');
}

/** The distinct sets of languages that these keys stand for. */
export function languageSets(keys: readonly string[]): ReadonlySet<string>[] {
  return [...new Set(keys)].filter((key) => key !== '').map((key) => new Set(key.split(' ')));
}

/**
 * Removes the tags that no item would show, given the items' sets of languages. Chains that show the same labels become
 * equal.
 */
export function reduceChain(chain: LanguageChain, sets: readonly ReadonlySet<string>[]): LanguageChain {
  const shown = new Set(sets.map((tags) => chain.find((tag) => tags.has(tag))));
  return chain.filter((tag) => shown.has(tag));
}

/** The tag of the label that an item shows, or the base language. */
export function shownLanguage({ labels }: Pick<Labelled, 'labels'>, chain: LanguageChain): string {
  if (chain.length === 0) return baseLanguage;
  return chain.find((tag) => labels[tag] !== undefined) ?? baseLanguage;
}

/** A language range (RFC 4647 section 2.1) in lower case, and its weight, from 0 to 1. */
interface WantedLanguage {
  name: string;
  weight: number;
}

const mostRanges = 20;

/** The order in which the available tags are tried for these ranges. */
export function chainOf(ranges: readonly WantedLanguage[], available: readonly string[]): LanguageChain {
  const isRefused = refusedBy(ranges);
  const byScript = Map.groupBy(
    available.filter((tag) => !isRefused(tag)),
    (tag) => scriptOf(maximize(tag)),
  );
  const chain = new Set<string>();
  // RFC 4647 section 3.4: `*` names no language to look for.
  const wanted = ranges.filter(({ name, weight }) => weight > 0 && name !== '*');
  for (const { name } of wanted.toSorted((a, b) => b.weight - a.weight).slice(0, mostRanges)) {
    const wish = parseTag(name);
    if (wish === undefined) continue;
    const near = byScript.get(scriptOf(wish.maximized)) ?? [];
    // Plain labels are English, so a request for English prefers only the exact tag or a wider one to them.
    const isEnglish = scriptOf(wish.maximized) === 'en-Latn';
    const found = isEnglish ? near.filter((tag) => isWiderOrSame(tag, wish.tag)) : near;
    for (const tag of byNearness(found, wish)) chain.add(tag);
    if (isEnglish) break;
  }
  return [...chain];
}

interface Tag {
  /** The canonical form. */
  tag: string;
  /** The tag with its likely script and region (Unicode Technical Standard 35). */
  maximized: string;
}

/**
 * Sorts tags in four groups: the exact tag; tags that become the same when maximized; wider tags, the narrowest first;
 * and all others, the one with the usual region of the language first.
 */
function byNearness(tags: readonly string[], wish: Tag): string[] {
  const usual = maximize(scriptOf(wish.maximized));
  const distance = (tag: string) => {
    if (tag === wish.tag) return 0;
    if (maximize(tag) === wish.maximized) return 1;
    if (isWiderOrSame(tag, wish.tag)) return 2 + wish.tag.length - tag.length;
    return maximize(tag) === usual ? 1000 : 1001;
  };
  return tags.toSorted((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
}

const isWiderOrSame = (tag: string, wish: string) => wish === tag || wish.startsWith(`${tag}-`);

/**
 * RFC 9110 section 12.4.2: a weight of 0 means "not acceptable". If several ranges match a tag (RFC 4647 section 3.3.1), the
 * longest one counts.
 */
function refusedBy(ranges: readonly WantedLanguage[]): (tag: string) => boolean {
  if (ranges.every(({ weight }) => weight > 0)) return () => false;
  const byLength = ranges.toSorted((a, b) => b.name.length - a.name.length);
  return (tag) => {
    const lower = tag.toLowerCase();
    return byLength.find(({ name }) => name === '*' || isWiderOrSame(name, lower))?.weight === 0;
  };
}

// Parsing takes about 20 µs, so results are cached. The cache is bounded, since a client can send any tag.
const parsedTags = new Map<string, Tag>();
const mostParsed = 1000;

function parseTag(text: string): Tag | undefined {
  const known = parsedTags.get(text);
  if (known !== undefined) return known;
  try {
    const locale = new Intl.Locale(text);
    const parsed = { tag: locale.baseName, maximized: locale.maximize().baseName };
    if (parsedTags.size === mostParsed) parsedTags.clear();
    parsedTags.set(text, parsed);
    return parsed;
  } catch {
    // Not the tag of a language, for example `x-private`.
    return undefined;
  }
}

const maximize = (tag: string) => parseTag(tag)?.maximized ?? tag;

/** `zh-Hant` for `zh-Hant-TW`; only the language if its script is unknown. */
function scriptOf(maximizedTag: string): string {
  const [language = '', script = ''] = maximizedTag.split('-');
  return script.length === 4 ? `${language}-${script}` : language;
}

const longestTag = 64;

/** The canonical form of a well-formed tag. */
export function canonicalTag(text: string): string | undefined {
  try {
    const [tag] = text.length <= longestTag ? Intl.getCanonicalLocales(text) : [];
    return tag;
  } catch {
    return undefined;
  }
}

/** Registered languages have two or three letters. `german` is well-formed, but nobody who asks for `de` would find it. */
export const namesLanguage = (tag: string) => /^[a-z]{2,3}(?:-|$)/.test(tag);
