// A selection: what a form may request beyond the plain list, and which items match it.

import type { ExtraField, KeptItem } from './item.ts';
import type { IsOnList } from './list-on-day.ts';
import { hasTerms, searchable } from './search.ts';

/** Arrays are sorted and have no duplicates, so that equal selections have the same cache key. */
export interface Selection {
  /** A date; today by default. */
  asOf?: string | undefined;
  /** Values to show regardless of the other conditions. */
  include: readonly string[];
  fields: readonly ExtraField[];
  /** Chosen values of other lists, each as `list:VALUE`. */
  where: readonly string[];
  tags: readonly string[];
  /** A code of another system, as `system:code`. */
  code?: string | undefined;
  /** The search terms for the label: see search.ts. */
  terms: readonly string[];
  limit?: number | undefined;
}

/** The parts before and after the first colon. */
export function splitAtColon(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** For each list, a function that maps a value to its final replacement, or to itself. */
export type FinalValues = ReadonlyMap<string, (value: string) => string>;

/** Whether an item passes `where`, `tag` and `code`. In `where` and in the item, a replaced value counts as its replacement. */
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

/** The item's parents in a list. If undefined, the item is offered whichever value of the list is chosen. */
const namedIn = ({ parents }: KeptItem, list: string) => (Object.hasOwn(parents, list) ? parents[list] : undefined);

/** Whether the label shown contains the search terms. */
export function isFound(shown: { label: string; searchable?: string }, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  shown.searchable ??= searchable(shown.label);
  return hasTerms(shown.searchable, terms);
}

/** The first items up to the limit, and those that are always included. */
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
