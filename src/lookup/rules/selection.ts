// What a list may be asked for beyond the plain one, and which items that takes. Pure.

import type { KeptItem } from './item.ts';
import type { IsOnList } from './list-on-day.ts';
import { hasTerms, searchable } from './search.ts';

/** What an item may show beyond the interface's four members, in the order of an answer. */
export const itemFields = ['codes', 'tags', 'description', 'parents'] as const;
export type ItemField = (typeof itemFields)[number];

/** Arrays are sorted and have each entry once: what means the same is written the same. */
export interface Selection {
  /** A date; today where it is left out. */
  asOf?: string | undefined;
  /** Values to show in spite of everything below. */
  include: readonly string[];
  fields: readonly ItemField[];
  /** Chosen values of other lists, each as `list:VALUE`. */
  where: readonly string[];
  tags: readonly string[];
  /** As `system:code`. */
  code?: string | undefined;
  /** What a label is searched for: see search.ts. */
  terms: readonly string[];
  limit?: number | undefined;
}

/** What is before the first colon, and after it. */
export function splitAtColon(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** By list: what a value of it was replaced by in the end; the value itself, where nothing replaces it. */
export type FinalValues = ReadonlyMap<string, (value: string) => string>;

/** Whether an item passes `where`, `tag` and `code`. A value that was replaced counts as its replacement, on both sides. */
export function matches(
  { where, tags, code }: Pick<Selection, 'where' | 'tags' | 'code'>,
  finalValues: FinalValues = new Map(),
): IsOnList {
  const chosen = Map.groupBy(where.map(splitAtColon), ([list]) => list);
  const parents = [...chosen].map(([list, pairs]) => {
    const final = finalValues.get(list) ?? ((value: string) => value);
    return { list, final, values: new Set(pairs.map(([, value]) => final(value))) };
  });
  const [system, own] = code === undefined ? [] : splitAtColon(code);
  return (item) =>
    tags.every((tag) => item.tags.includes(tag)) &&
    (system === undefined || item.codes[system] === own) &&
    parents.every(({ list, final, values }) => namedIn(item, list)?.some((value) => values.has(final(value))) ?? true);
}

/** An item that names no values of a list is offered with all of them. */
const namedIn = ({ parents }: KeptItem, list: string) => (Object.hasOwn(parents, list) ? parents[list] : undefined);

/** Whether the label shown has the words that are searched for. */
export function isFound(shown: { label: string; searchable?: string }, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  shown.searchable ??= searchable(shown.label);
  return hasTerms(shown.searchable, terms);
}

/** The first ones, and those that are shown whatever the limit is. */
export function limitTo<T extends { value: string }>(
  shown: readonly T[],
  { limit, include }: Pick<Selection, 'limit' | 'include'>,
  isMatching: (item: T) => boolean,
): readonly T[] {
  if (limit === undefined) return shown;
  const included = new Set(include);
  let count = 0;
  return shown.filter((each) => (isMatching(each) && count++ < limit) || included.has(each.value));
}
