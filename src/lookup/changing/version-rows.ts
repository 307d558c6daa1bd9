// What the next versions of lists write, ready for the database: JSON that the database parses, so that a version of
// ten thousand items costs the event loop almost nothing. In slices, and for documents in a thread.

import type { ListSettings } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';
import {
  type Change,
  changesMoreThanOrder,
  type ItemField,
  type ItemState,
  isChanged,
  isItemChange,
  itemFields,
} from './change.ts';
import { settingsAfter } from './list-settings.ts';

export interface VersionRows {
  /** The lists, and the version each was planned from: 0 for one that is to be made. */
  from: { list: string; version: number }[];
  /** JSON arrays, each with up to `rowsOfStatement` rows. */
  lists: string;
  added: string[];
  changed: string[];
  /** What at least one of the changed items has another value of: nothing else of them is written. */
  fields: ItemField[];
  values: ChangedValues[];
  /** The history's part. */
  steps: { list: string; version: number; changes: string }[];
}

/** The values that a version changed, in more than their order: a JSON array of up to `rowsOfStatement`. */
export interface ChangedValues {
  list: string;
  version: number;
  values: string;
}

export interface ListChanges extends ListSettings {
  list: string;
  version: number;
  changes: readonly Change[];
}

const rowsOfStatement = 1000;

export async function versionRows(lists: readonly ListChanges[], pauses: Pauses): Promise<VersionRows> {
  const added: object[] = [];
  const changed: object[] = [];
  const fields = await changedFields(lists, pauses);
  const values: ChangedValues[] = [];
  const steps: VersionRows['steps'] = [];
  for (const { list, version, changes } of lists) {
    await pauses.map(changes.filter(isItemChange), ({ before, after }) => {
      if (before === null) added.push({ nth: added.length, ...rowOf(list, after, itemFields) });
      else changed.push(rowOf(list, after, fields));
    });
    values.push(...(await changedValues(list, version + 1, changes, pauses)));
    const texts: string[] = [];
    await pauses.inSlices(changes, (slice) => texts.push(JSON.stringify(slice).slice(1, -1)));
    steps.push({ list, version: version + 1, changes: `[${texts.join(',')}]` });
  }
  return {
    from: lists.map(({ list, version }) => ({ list, version })),
    lists: JSON.stringify(lists.map(headAfter)),
    added: await inParts(added, pauses),
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
): Promise<ChangedValues[]> {
  const ofItems = await pauses.filter(changes.filter(isItemChange), changesMoreThanOrder);
  const parts = await inParts(
    ofItems.map(({ value }) => value),
    pauses,
  );
  return parts.map((values) => ({ list, version, values }));
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

async function changedFields(lists: readonly ListChanges[], pauses: Pauses): Promise<ItemField[]> {
  const changed = new Set<ItemField>();
  for (const { changes } of lists) {
    await pauses.map(changes.filter(isItemChange), ({ before, after }) => {
      if (before === null) return;
      for (const field of itemFields) if (isChanged(field, before, after)) changed.add(field);
    });
  }
  return [...changed];
}

/** JSON within JSON: the columns store objects as text. Null is left out: a field that a row lacks is null. */
function rowOf(list: string, item: ItemState, fields: readonly ItemField[]): object {
  const row: Record<string, unknown> = { list, value: item.value };
  for (const field of fields) {
    const value = item[field];
    if (value !== null) row[field] = typeof value === 'object' ? JSON.stringify(value) : value;
  }
  return row;
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
