// The changes of a version as the history stores them: one row each, and a SHA-256 hash over all of them.
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables.ts';
import type { Change, ItemChange } from '../rules/change.ts';
import { type FieldName, fieldNames, type ItemState } from '../rules/item.ts';
import { type ListSettings, noSettings } from '../rules/list.ts';
import { planSettings, settingsGiven } from '../rules/list-settings.ts';
import { itemText, parseItem } from '../stored/stored-item.ts';

/** A row without its list and version. */
export type ChangeRow = Omit<Selectable<Tables['lookup_change']>, 'list' | 'version'>;

/** The column `value` of rows that hold the settings of the list. */
export const ofSettings = '';

/** Compares by identity first, because most fields of most items are the same object. */
function isChanged(field: FieldName, before: ItemState, after: ItemState): boolean {
  return before[field] !== after[field] && !Bun.deepEquals(before[field], after[field]);
}

/** Whether anything but sortOrder changed. */
function changesMoreThanOrder({ before, after }: ItemChange): boolean {
  return before === null || fieldNames.some((field) => field !== 'sortOrder' && isChanged(field, before, after));
}

export function itemRow(nth: number, id: number, change: ItemChange): ChangeRow {
  const { value, after } = change;
  return { nth, value, moved: changesMoreThanOrder(change) ? 0 : 1, after: itemText({ id, ...after }) };
}

export function settingsRow(nth: number, settings: ListSettings): ChangeRow {
  return { nth, value: ofSettings, moved: 0, after: JSON.stringify(settingsGiven(settings)) };
}

const Texts = z.record(z.string(), z.string());
const StoredSettings = z.object({
  title: z.string(),
  titles: Texts.default({}),
  description: z.string().nullable().default(null),
  descriptions: Texts.default({}),
  readers: z.array(z.string()).nullable().default(null),
  keepers: z.array(z.string()).nullable().default(null),
  archived: z.boolean().default(false),
}) satisfies z.ZodType<ListSettings>;

export const parseSettings = (json: string): ListSettings => StoredSettings.parse(JSON.parse(json));

export function parseState(value: string, json: string): ItemState {
  const { id: _, ...state } = parseItem(value, json);
  return state;
}

/** `before` is the content of the previous row of the same value, or null if there is none. */
export function changeOfRow(value: string, before: string | null, after: string): Change {
  if (value !== ofSettings) {
    return { value, before: before === null ? null : parseState(value, before), after: parseState(value, after) };
  }
  const settings = parseSettings(after);
  const [change] = planSettings(
    before === null ? { ...noSettings, title: settings.title } : parseSettings(before),
    settings,
  );
  if (change === undefined) throw new Error('a row of the history changes nothing');
  return change;
}

/** Hashes the rows of a version in order. The result does not depend on how many are added at once. */
export function createChangeHash() {
  const hash = createHash('sha256');
  return {
    /** Adds rows to the hash, and returns them as a JSON array. */
    add(rows: readonly ChangeRow[]): string {
      const text = JSON.stringify(rows.map(({ nth, value, moved, after }) => [nth, value, moved, after]));
      if (rows.length > 0) hash.update(text.slice(1, -1)).update(',');
      return text;
    },
    finish: () => hash.digest('hex'),
  };
}
