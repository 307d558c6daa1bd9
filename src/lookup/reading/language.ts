// Turns Accept-Language (RFC 9110 section 12.5.4) into the order in which an item's labels are tried.
import { RecentMap } from '../../base/recent-map.ts';
import { parseWeightedList } from '../../http/weighted-list.ts';
import { type Labelled, type LanguageChain, shownLanguage } from '../rules/label-language.ts';

const longestHeader = 1000;
const mostRanges = 20;

/** The part of the header that is read: whole ranges only. */
export function boundHeader(header: string): string {
  if (header.length <= longestHeader) return header;
  return header.slice(0, Math.max(0, header.lastIndexOf(',', longestHeader)));
}

/** RFC 4647 section 2.1, a basic range in lower case. */
const basicRange = /^(\*|[a-z]{1,8}(-[a-z0-9]{1,8})*)$/;

/** The order in which these tags are tried for somebody who sends this header. */
export function chainFor(header: string, available: readonly string[]): LanguageChain {
  const ranges = parseWeightedList(boundHeader(header)).filter(({ name }) => basicRange.test(name));
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
    // Plain labels are English: only the exact tag, or a wider one, is preferred to them.
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
  /** With its likely script and region (Unicode Technical Standard 35). */
  maximized: string;
}

/** Exact; then the same when maximized; then wider ones, the narrowest first; then others, its language's usual region first. */
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
function refusedBy(ranges: readonly { name: string; weight: number }[]): (tag: string) => boolean {
  if (ranges.every(({ weight }) => weight > 0)) return () => false;
  const byLength = ranges.toSorted((a, b) => b.name.length - a.name.length);
  return (tag) => {
    const lower = tag.toLowerCase();
    return byLength.find(({ name }) => name === '*' || isWiderOrSame(name, lower))?.weight === 0;
  };
}

// Parsing takes about 20 µs, so results are cached. The cache is bounded, since a client can send any tag.
const maximized = new RecentMap<Tag>(1000);

function parseTag(text: string): Tag | undefined {
  const known = maximized.get(text);
  if (known !== undefined) return known;
  try {
    const locale = new Intl.Locale(text);
    const parsed = { tag: locale.baseName, maximized: locale.maximize().baseName };
    maximized.set(text, parsed);
    return parsed;
  } catch {
    // Not a language tag, such as `x-private`.
    return undefined;
  }
}

const maximize = (tag: string) => parseTag(tag)?.maximized ?? tag;

/** `zh-Hant` for `zh-Hant-TW`; the language alone if its script is unknown. */
function scriptOf(maximizedTag: string): string {
  const [language = '', script = ''] = maximizedTag.split('-');
  return script.length === 4 ? `${language}-${script}` : language;
}

/** The label of each item for somebody who sends this header. */
export function labelsFor(header = ''): (item: Labelled) => string {
  const chains = new Map<string, LanguageChain>();
  return (item) => {
    const tags = Object.keys(item.labels);
    const key = tags.join();
    const chain = chains.get(key) ?? chainFor(header, tags);
    chains.set(key, chain);
    return item.labels[shownLanguage(item, chain)] ?? item.label;
  };
}
