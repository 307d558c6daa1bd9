// A list as it is, or as it was at the end of a day: what answers are made from.

import type { Pauses } from '../../base/pauses.ts';
import type { KeptItem } from '../rules/item.ts';
import { languageKey, languageSets } from '../rules/label-language.ts';
import { type IsOnList, isOnListOn, stretchOf, turningDays } from '../rules/list-on-day.ts';
import { createFinalValues, replacementsIn } from '../rules/replacements.ts';
import type { StoredList } from '../stored/list.queries.ts';

export interface ListState {
  /** The same for the same items. */
  key: string;
  items: readonly KeptItem[];
  languages: readonly string[];
  languageSets: readonly ReadonlySet<string>[];
  /** The values that were not on it yet: those items are as they are today. */
  enteredLater: ReadonlySet<string>;
  /** Made when it is first asked for. */
  parentLists?: readonly string[];
  /** See `turningDays`. */
  turningDays?: readonly string[];
  /** The replacement of each replaced value. */
  replacements?: ReadonlyMap<string, string | null>;
}

/** Of a list that has this version now: as it was at another. */
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

/** What could be chosen on a day. An item that was entered later counts from its first day, if it has one. */
export function offeredOn({ enteredLater }: ListState, day: string, today: string): IsOnList {
  const isOnList = isOnListOn(day, today);
  return (item) => isOnList(item) && (item.validFrom !== null || !enteredLater.has(item.value));
}

/** For each value, what it was replaced by in the end. Made for one request: it remembers every value it is asked for. */
export function finalValuesOf(state: ListState): (value: string) => string {
  state.replacements ??= replacementsIn(state.items.filter(({ replacedBy }) => replacedBy !== null));
  const { replacements } = state;
  return createFinalValues((value) => replacements.get(value) ?? null);
}

/** The lists that items name parents in. */
export function parentListsOf(state: ListState): readonly string[] {
  state.parentLists ??= [...new Set(state.items.flatMap(({ parents }) => Object.keys(parents)))];
  return state.parentLists;
}

/** Names the days around this one on which the same items are offered. */
export function stretchIn(state: ListState, day: string, today: string): string {
  state.turningDays ??= turningDays(state.items);
  return `${stretchOf(state.turningDays, day)} ${day < today}`;
}
