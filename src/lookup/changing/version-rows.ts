// What the next versions of lists write, ready for the database: JSON that the database parses, so that a version of
// ten thousand items costs the event loop almost nothing. In slices, and for documents in a thread.

import type { ListSettings } from '../lookup-admin.schema.ts';
import type { Pauses } from '../pauses.ts';
import { type Change, changesMoreThanOrder, type ItemState, isItemChange } from './change.ts';
import { settingsAfter } from './list-settings.ts';

export interface VersionRows {
  /** The lists, and the version each was planned from: 0 for one that is to be made. */
  from: { list: string; version: number }[];
  /** JSON objects by running number, each with up to `rowsOfStatement` rows. */
  lists: string;
  added: string[];
  changed: string[];
  /** Of the table of changed values. */
  values: string[];
  /** The history's part. */
  steps: { list: string; version: number; changes: string }[];
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
  const values: object[] = [];
  const steps: VersionRows['steps'] = [];
  for (const { list, version, changes } of lists) {
    await pauses.map(changes.filter(isItemChange), ({ before, after }) => {
      if (before === null) added.push({ list, nth: added.length, ...rowOf(after) });
      else changed.push({ list, ...rowOf(after) });
    });
    for (const row of await changedValues(list, version + 1, changes, pauses)) values.push(row);
    const texts = await pauses.map(changes, (change) => JSON.stringify(change));
    steps.push({ list, version: version + 1, changes: `[${texts.join(',')}]` });
  }
  return {
    from: lists.map(({ list, version }) => ({ list, version })),
    lists: numbered(lists.map(headAfter)),
    added: await inParts(added, pauses),
    changed: await inParts(changed, pauses),
    values: await inParts(values, pauses),
    steps,
  };
}

/** The rows of the values that a version changed. */
export async function changedValues(
  list: string,
  version: number,
  changes: readonly Change[],
  pauses: Pauses,
): Promise<{ list: string; value: string; version: number }[]> {
  const ofItems = await pauses.filter(changes.filter(isItemChange), changesMoreThanOrder);
  return ofItems.map(({ value }) => ({ list, value, version }));
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

function rowOf(item: ItemState): object {
  // JSON within JSON: the columns store it as text.
  const { labels, codes, tags, parents } = item;
  return {
    ...item,
    labels: JSON.stringify(labels),
    codes: JSON.stringify(codes),
    tags: JSON.stringify(tags),
    parents: JSON.stringify(parents),
  };
}

/** As JSON texts of so many rows as one statement takes. */
export async function inParts(rows: readonly object[], pauses: Pauses): Promise<string[]> {
  const parts: string[] = [];
  for (let start = 0; start < rows.length; start += rowsOfStatement) {
    parts.push(numbered(rows.slice(start, start + rowsOfStatement)));
    await pauses.ifDue();
  }
  return parts;
}

/** Both engines have json_each for objects; for arrays they have different functions. */
function numbered(rows: readonly object[]): string {
  return JSON.stringify({ ...rows });
}
