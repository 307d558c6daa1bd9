// Changes to the settings of a list.

import { type Change, type Fault, isItemChange, mergeByKey, type SettingsChange } from './change.ts';
import type { GivenSettings, ListSettings, SomeSettings } from './list.ts';
import { isStandardList, mostLanguages, noSettings } from './list.ts';

/**
 * Plans the changes that a person or a document asks for. Translations are merged by language, like the labels of an
 * item.
 */
export function planGivenSettings(list: ListSettings, { titles, descriptions, ...given }: GivenSettings) {
  return planSettings(list, {
    ...given,
    titles: mergeByKey(list.titles, titles),
    descriptions: mergeByKey(list.descriptions, descriptions),
  });
}

/** Plans a change to each setting whose wanted value differs from its current value. */
export function planSettings(list: ListSettings, wanted: SomeSettings): SettingsChange[] {
  const names = settingNames.filter((name) => wanted[name] !== undefined && !isSame(list[name], wanted[name]));
  if (names.length === 0) return [];
  const pick = (from: SomeSettings) => Object.fromEntries(names.map((name) => [name, from[name]])) as SomeSettings;
  return [{ value: null, before: pick(list), after: pick(wanted) }];
}

/** The order of translations does not matter. Roles are already sorted (see fields.schema.ts). */
function isSame(a: Setting, b: Setting): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [entries, others] = [Object.entries(a), new Map(Object.entries(b))];
  return entries.length === others.size && entries.every(([key, text]) => others.get(key) === text);
}

/** The settings whose values are not the defaults, as the history and files contain them. */
export function settingsGiven(list: ListSettings): SomeSettings {
  return planSettings({ ...noSettings, title: '' }, list)[0]?.after ?? {};
}

type Setting = SomeSettings[keyof SomeSettings];

export const settingNames = [
  'title',
  'titles',
  'description',
  'descriptions',
  'readers',
  'keepers',
  'archived',
] as const satisfies (keyof ListSettings)[];

/** The settings that an undo restores. */
export const undoableNames = ['title', 'titles', 'description', 'descriptions'] as const;

export function settingsFaults(
  { list, ...settings }: Pick<ListSettings, 'titles' | 'descriptions'> & { list: string },
  given: GivenSettings,
): Fault[] {
  const faults: Fault[] = (['titles', 'descriptions'] as const)
    .filter((field) => Object.keys(mergeByKey(settings[field], given[field])).length > mostLanguages)
    .map((field) => ({ field, message: `must have at most ${mostLanguages} languages` }));
  if (given.archived === true && isStandardList(list)) {
    faults.push({ field: 'archived', message: 'must be false, because a standard list cannot be archived' });
  }
  return faults;
}

/** Whether `readers`, `keepers` or `archived` change. The keepers of a single list may not change these settings. */
export function changesRights(changes: readonly Change[]): boolean {
  return changes.some((change) => !isItemChange(change) && rightNames.some((name) => change.after[name] !== undefined));
}

const rightNames = ['readers', 'keepers', 'archived'] as const;

/** The settings after these changes. */
export function settingsAfter(list: ListSettings, changes: readonly Change[]): ListSettings {
  const before = Object.fromEntries(settingNames.map((name) => [name, list[name]])) as ListSettings;
  return Object.assign(before, ...changes.filter((change) => !isItemChange(change)).map(({ after }) => after));
}
