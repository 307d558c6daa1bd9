// Builds the rows of new list versions as JSON, which the database parses, so that writing 10,000 items takes almost no
// time on the event loop. Building the rows pauses regularly for other requests; for documents, it runs in a worker
// thread.

import { type Kysely, sql } from 'kysely';
import type { Pauses } from '../../base/pauses.ts';
import { isPostgres } from '../../storage/migrations/engine.ts';
import type { Tables } from '../../storage/tables.ts';
import { type ChangeRow, createChangeHash, itemRow, settingsRow } from '../history/stored-changes.ts';
import { type Change, isItemChange } from '../rules/change.ts';
import { fieldNames, type ItemState } from '../rules/item.ts';
import type { ListSettings } from '../rules/list.ts';
import { settingsAfter } from '../rules/list-settings.ts';

export interface VersionRows {
  /** The lists, each with the version that it was planned from (0 for a new list). */
  from: { list: string; version: number }[];
  /** The id for the first new item. */
  firstId: number;
  /** The rows of the lists, as one JSON array. */
  lists: string;
  /** The rows of new items, as JSON arrays of at most `rowsOfStatement` rows each. */
  added: string[];
  /** The rows of changed items, in the same form. */
  changed: string[];
  /** The new entries of the history, with their changes. */
  steps: { list: string; version: number; count: number; hash: string; rows: string[] }[];
}

export interface ListChanges extends ListSettings {
  list: string;
  version: number;
  /** The items before the changes. */
  items: readonly { id: number; value: string }[];
  /** A change of the settings, if any, comes first. */
  changes: readonly Change[];
}

export async function versionRows(
  lists: readonly ListChanges[],
  firstId: number,
  pauses: Pauses,
): Promise<VersionRows> {
  const [added, changed]: [object[], object[]] = [[], []];
  const steps: VersionRows['steps'] = [];
  for (const each of lists) {
    const { list, version, changes } = each;
    const ids = await idsOf(each, pauses);
    const settings = settingsAfter(each, changes);
    const rows: ChangeRow[] = [];
    if (version === 0 && changes[0]?.value !== null) rows.push(settingsRow(0, settings));
    await pauses.map(changes, (change, index) => {
      const nth = index + 1;
      if (!isItemChange(change)) return rows.push(settingsRow(nth, settings));
      const { value, after } = change;
      const id = ids.get(value) ?? firstId + added.length;
      if (ids.has(value)) changed.push({ id, ...columnsOf(after) });
      else added.push({ id, list, ...columnsOf(after) });
      return rows.push(itemRow(nth, id, change));
    });
    const hash = createChangeHash();
    const parts = await inParts(rows, pauses, hash.add);
    steps.push({ list, version: version + 1, count: changes.length, hash: hash.finish(), rows: parts });
  }
  return {
    from: lists.map(({ list, version }) => ({ list, version })),
    firstId,
    lists: JSON.stringify(lists.map(headAfter)),
    added: await inParts(added, pauses),
    changed: await inParts(changed, pauses),
    steps,
  };
}

/** The ids of the changed items, by value. */
async function idsOf({ items, changes }: ListChanges, pauses: Pauses): Promise<Map<string, number>> {
  const values = new Set(changes.map(({ value }) => value));
  const changing = await pauses.filter(items, ({ value }) => values.has(value));
  return new Map(changing.map(({ id, value }) => [value, id]));
}

function headAfter(list: ListChanges): object {
  const { titles, descriptions, readers, keepers, archived, ...settings } = settingsAfter(list, list.changes);
  return {
    list: list.list,
    version: list.version + 1,
    ...settings,
    titles: JSON.stringify(titles),
    descriptions: JSON.stringify(descriptions),
    readers: readers && JSON.stringify(readers),
    keepers: keepers && JSON.stringify(keepers),
    archived: Number(archived),
  };
}

/** Null fields are left out, because the database reads a missing field as null. Objects are stored as text. */
function columnsOf(item: ItemState): object {
  const row: Record<string, unknown> = {};
  for (const field of fieldNames) {
    const value = item[field];
    if (value !== null) row[field] = typeof value === 'object' ? JSON.stringify(value) : value;
  }
  return row;
}

/** Splits rows into JSON texts, one for each statement. */
export async function inParts<R>(
  rows: readonly R[],
  pauses: Pauses,
  textOf: (part: R[]) => string = JSON.stringify,
): Promise<string[]> {
  const parts: string[] = [];
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    parts.push(textOf(rows.slice(start, start + rowsOfStatement)));
    await pauses.ifDue();
  }
  return parts;
}

/** Maximum number of rows in one statement. SQLite runs in this thread, and each statement blocks it. */
const rowsOfStatement = 1000;

/** The rows as a table to select from. PostgreSQL parses `json` again for each field of a row, but `jsonb` only once. */
export const givenRows = (db: Kysely<Tables>, rows: string) =>
  sql`${sql.raw(isPostgres(db) ? 'jsonb_array_elements' : 'json_each')}(${rows}) as given`;

/** A field of a row, by name or by index. */
export const textOf = (field: string | number) => sql`given.value ->> ${sql.lit(field)}`;
export const numberOf = (field: string | number) => sql`cast(${textOf(field)} as bigint)`;
