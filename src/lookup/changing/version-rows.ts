// What the next versions of lists write, ready for the database: JSON that the database parses, so that a version of
// ten thousand items costs the event loop almost nothing. In slices, and for documents in a thread.

import type { ListSettings } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';
import { type Change, type ItemField, type ItemState, isChanged, isItemChange, itemFields } from './change.ts';
import { rowsOfStatement } from './given-rows.ts';
import { settingsAfter } from './list-settings.ts';
import { type ChangeRow, createChangeHash, itemRow, settingsRow } from './stored-changes.ts';

export interface VersionRows {
  /** The lists, and the version each was planned from: 0 for one that is to be made. */
  from: { list: string; version: number }[];
  /** The id of the first item that is added. */
  firstId: number;
  /** JSON arrays, each with up to `rowsOfStatement` rows. */
  lists: string;
  added: string[];
  changed: string[];
  /** The fields that change in at least one of the changed items: the others are not written. */
  fields: ItemField[];
  /** The history's part. */
  steps: { list: string; version: number; count: number; hash: string; rows: string[] }[];
}

export interface ListChanges extends ListSettings {
  list: string;
  version: number;
  /** Before the changes. */
  items: readonly { id: number; value: string }[];
  /** Those of its settings first. */
  changes: readonly Change[];
}

export async function versionRows(
  lists: readonly ListChanges[],
  firstId: number,
  pauses: Pauses,
): Promise<VersionRows> {
  const [added, changed]: [object[], object[]] = [[], []];
  const fields = await changedFields(lists, pauses);
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
      if (ids.has(value)) changed.push({ id, ...columnsOf(after, fields) });
      else added.push({ id, list, value, ...columnsOf(after, itemFields) });
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
    fields,
    steps,
  };
}

async function changedFields(lists: readonly ListChanges[], pauses: Pauses): Promise<ItemField[]> {
  const found = new Set<ItemField>();
  for (const { changes } of lists) {
    await pauses.map(changes.filter(isItemChange), ({ before, after }) => {
      if (before === null) return;
      for (const field of itemFields) if (!found.has(field) && isChanged(field, before, after)) found.add(field);
    });
  }
  return [...found];
}

/** The ids of the items that change. */
async function idsOf({ items, changes }: ListChanges, pauses: Pauses): Promise<Map<string, number>> {
  const values = new Set(changes.map(({ value }) => value));
  const changing = await pauses.filter(items, ({ value }) => values.has(value));
  return new Map(changing.map(({ id, value }) => [value, id]));
}

function headAfter(list: ListChanges): object {
  const { readers, keepers, archived, ...settings } = settingsAfter(list, list.changes);
  return {
    list: list.list,
    version: list.version + 1,
    ...settings,
    readers: readers && JSON.stringify(readers),
    keepers: keepers && JSON.stringify(keepers),
    archived: Number(archived),
  };
}

/** Null is left out: a field that a row lacks is null. The columns have objects as text. */
function columnsOf(item: ItemState, fields: readonly ItemField[]): object {
  const row: Record<string, unknown> = {};
  for (const field of fields) {
    const value = item[field];
    if (value !== null) row[field] = typeof value === 'object' ? JSON.stringify(value) : value;
  }
  return row;
}

/** As JSON texts of so many rows as one statement takes. */
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
