// Changes of a list's settings: everything but its items.

import { type Change, type Fault, isItemChange, type SettingsChange } from './change.ts';
import type { GivenSettings, ListSettings } from './list.ts';
import { isStandardList } from './list.ts';

/** Plans a change of the settings that differ from those of the list. */
export function planSettings(list: ListSettings, wanted: GivenSettings): SettingsChange[] {
  const names = settingNames.filter((name) => wanted[name] !== undefined && !isSame(list[name], wanted[name]));
  if (names.length === 0) return [];
  const pick = (from: GivenSettings) => Object.fromEntries(names.map((name) => [name, from[name]])) as GivenSettings;
  return [{ value: null, before: pick(list), after: pick(wanted) }];
}

/** Roles are sorted: see fields.schema.ts. */
function isSame(a: Setting, b: Setting): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((role, index) => role === b[index]);
}

type Setting = GivenSettings[keyof GivenSettings];

const settingNames = [
  'title',
  'description',
  'readers',
  'keepers',
  'archived',
] as const satisfies (keyof ListSettings)[];

export function settingsFaults(list: string, { archived }: GivenSettings): Fault[] {
  if (archived !== true || !isStandardList(list)) return [];
  return [{ field: 'archived', message: 'must be false: a standard list cannot be archived' }];
}

/** Whether readers, keepers or archived change. The keepers of a single list may not change these. */
export function changesRights(changes: readonly Change[]): boolean {
  return changes.some((change) => !isItemChange(change) && rightNames.some((name) => change.after[name] !== undefined));
}

const rightNames = ['readers', 'keepers', 'archived'] as const;

/** The settings after these changes. */
export function settingsAfter(
  { title, description, readers, keepers, archived }: ListSettings,
  changes: readonly Change[],
): ListSettings {
  const before = { title, description, readers, keepers, archived };
  return Object.assign(before, ...changes.filter((change) => !isItemChange(change)).map(({ after }) => after));
}
