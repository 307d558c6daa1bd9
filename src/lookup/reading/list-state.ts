// The current state of a list, or its state at the end of a day. Answers are made from it.

import type { Pauses } from '../../base/pauses.ts';
import type { KeptItem } from '../rules/item.ts';
import { languageKey, languageSets } from '../rules/label-language.ts';
import { type IsOnList, isOnListOn, stretchOf, turningDays } from '../rules/list-on-day.ts';
import { createFinalValues, replacementsIn } from '../rules/replacements.ts';
import type { StoredList } from '../stored/list.queries.ts';

export interface ListState {
  /** Identifies the items. Two states with the same key have the same items. */
  key: string;
  items: readonly KeptItem[];
  languages: readonly string[];
  languageSets: readonly ReadonlySet<string>[];
  /** Values that were added after this state. Their items are included as they are today. */
  enteredLater: ReadonlySet<string>;
  /** The lists that the items' parents come from. Computed on first use. */
  parentLists?: readonly string[];
  /** See `turningDays`. Computed on first use. */
  turningDays?: readonly string[];
  /** The replacement of each replaced value. Computed on first use. */
  replacements?: ReadonlyMap<string, string | null>;
}

/** `at` is the version of the state, if it is not the current one. */
export const stateKey = ({ list, version }: StoredList, at = version) => `${list} ${version} ${at}`;

export async function stateOf(
  key: string,
  items: readonly KeptItem[],
  pauses: Pauses,
  enteredLater: ReadonlySet<string> = new Set(),
): Promise<ListState> {
  const sets = languageSets(await pauses.map(items, languageKey));
  const languages = [...new Set(sets.flatMap((tags) => [...tags]))].sort();
  return { key, items, languages, languageSets: sets, enteredLater };
}

/**
 * Whether an item could be chosen on a day. An item that was added after that day counts only if it has a first day of
 * validity (`validFrom`).
 */
export function offeredOn({ enteredLater }: ListState, day: string, today: string): IsOnList {
  const isOnList = isOnListOn(day, today);
  return (item) => isOnList(item) && (item.validFrom !== null || !enteredLater.has(item.value));
}

/**
 * Maps each value to its final replacement. Create it anew for each request, because it caches every value that it is
 * asked for.
 */
export function finalValuesOf(state: ListState): (value: string) => string {
  state.replacements ??= replacementsIn(state.items.filter(({ replacedBy }) => replacedBy !== null));
  const { replacements } = state;
  return createFinalValues((value) => replacements.get(value) ?? null);
}

/** The lists that the items' parents come from. */
export function parentListsOf(state: ListState): readonly string[] {
  state.parentLists ??= [...new Set(state.items.flatMap(({ parents }) => Object.keys(parents)))];
  return state.parentLists;
}

/**
 * Returns a key that is the same for consecutive days that offer the same items. A past day never has the key of today or a
 * later day.
 */
export function stretchIn(state: ListState, day: string, today: string): string {
  state.turningDays ??= turningDays(state.items);
  return `${stretchOf(state.turningDays, day)} ${day < today}`;
}
