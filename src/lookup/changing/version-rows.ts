// What the next versions of lists write, ready for the database: JSON that the database parses, so that a version of
// ten thousand items costs the event loop almost nothing. In slices, and for documents in a thread.

import type { ListSettings } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';
import {
  type Change,
  changesMoreThanOrder,
  type ItemChange,
  type ItemField,
  type ItemState,
  isChanged,
  isItemChange,
  itemFields,
} from './change.ts';
import { settingsAfter } from './list-settings.ts';
import { changesText } from './stored-changes.ts';

export interface VersionRows {
  /** The lists, and the version each was planned from: 0 for one that is to be made. */
  from: { list: string; version: number }[];
  /** JSON arrays, each with up to `rowsOfStatement` rows. */
  lists: string;
  added: string[];
  /** What all added items have alike, as text: their rows lack it. */
  alike: [ItemField, string | null][];
  changed: string[];
  /** What at least one of the changed items has another value of: nothing else of them is written. */
  fields: ItemField[];
  values: ChangedValues[];
  /** The history's part. */
  steps: { list: string; version: number; changes: string }[];
}

/** The values that a version changed, in more than their order: JSON arrays of up to `rowsOfStatement`. */
export interface ChangedValues {
  list: string;
  version: number;
  values: string[];
}

export interface ListChanges extends ListSettings {
  list: string;
  version: number;
  /** Before the changes. */
  items: readonly { id: number; value: string }[];
  changes: readonly Change[];
}

const rowsOfStatement = 1000;

export async function versionRows(lists: readonly ListChanges[], pauses: Pauses): Promise<VersionRows> {
  const added: object[] = [];
  const changed: object[] = [];
  const fields = await fieldsThat(lists, pauses, (field, { before, after }) => {
    return before !== null && isChanged(field, before, after);
  });
  const alike = await fieldsAlike(lists, pauses);
  const own = itemFields.filter((field) => !alike.some(([other]) => other === field));
  const values: ChangedValues[] = [];
  const steps: VersionRows['steps'] = [];
  for (const { list, version, items, changes } of lists) {
    const after = new Map<string, ItemState>();
    await pauses.map(changes.filter(isItemChange), (change) => {
      if (change.before !== null) after.set(change.value, change.after);
      else added.push({ nth: added.length, list, value: change.value, ...rowOf(change.after, own) });
    });
    // By their ids, and in their order: so the database finds them soonest.
    await pauses.map(after.size === 0 ? [] : items, ({ id, value }) => {
      const item = after.get(value);
      if (item !== undefined) changed.push({ id, ...rowOf(item, fields) });
    });
    values.push(await changedValues(list, version + 1, changes, pauses));
    steps.push({ list, version: version + 1, changes: await changesText(changes, pauses) });
  }
  return {
    from: lists.map(({ list, version }) => ({ list, version })),
    lists: JSON.stringify(lists.map(headAfter)),
    added: await inParts(added, pauses),
    alike,
    changed: await inParts(changed, pauses),
    fields,
    values,
    steps,
  };
}

export async function changedValues(
  list: string,
  version: number,
  changes: readonly Change[],
  pauses: Pauses,
): Promise<ChangedValues> {
  const ofItems = await pauses.filter(changes.filter(isItemChange), changesMoreThanOrder);
  const values = ofItems.map(({ value }) => value);
  return { list, version, values: await inParts(values, pauses) };
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

/** Those of which this is true for at least one item. */
async function fieldsThat(
  lists: readonly ListChanges[],
  pauses: Pauses,
  isTrue: (field: ItemField, change: ItemChange) => boolean,
): Promise<ItemField[]> {
  const found = new Set<ItemField>();
  for (const { changes } of lists) {
    await pauses.map(changes.filter(isItemChange), (change) => {
      for (const field of itemFields) if (!found.has(field) && isTrue(field, change)) found.add(field);
    });
  }
  return [...found];
}

/** Most files have a value and a label for each item: reading the other fields from each row would be most of the work. */
async function fieldsAlike(lists: readonly ListChanges[], pauses: Pauses): Promise<VersionRows['alike']> {
  const isAdded = (change: Change) => isItemChange(change) && change.before === null;
  const first = lists.flatMap(({ changes }) => changes.find(isAdded) ?? []).find(isItemChange)?.after;
  if (first === undefined) return [];
  const differing = await fieldsThat(lists, pauses, (field, { before, after }) => {
    return before === null && isChanged(field, first, after);
  });
  return itemFields.flatMap((field) => {
    const value = stored(first[field]);
    return differing.includes(field) || typeof value === 'number' ? [] : [[field, value]];
  });
}

/** Null is left out: a field that a row lacks is null. */
function rowOf(item: ItemState, fields: readonly ItemField[]): object {
  const row: Record<string, unknown> = {};
  for (const field of fields) {
    const value = stored(item[field]);
    if (value !== null) row[field] = value;
  }
  return row;
}

/** The columns have objects as text. */
function stored(value: ItemState[ItemField]): string | number | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** As JSON texts of so many rows as one statement takes. */
export async function inParts(rows: readonly (object | string)[], pauses: Pauses): Promise<string[]> {
  const parts: string[] = [];
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    parts.push(JSON.stringify(rows.slice(start, start + rowsOfStatement)));
    await pauses.ifDue();
  }
  return parts;
}
