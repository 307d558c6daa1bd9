// What the next versions of lists write, ready for the database: JSON that the database parses, so that a version of
// ten thousand items costs the event loop almost nothing. Pure; for documents it runs in a thread.
import { type Change, type ItemState, isItemChange } from './change.ts';
import { settingsAfter } from './list-settings.ts';
import type { ListSettings } from './lookup-admin.schema.ts';

export interface VersionRows {
  /** The lists, and the version each was planned from: 0 for one that is to be made. */
  from: { list: string; version: number }[];
  /** JSON objects by running number, each with up to `rowsOfStatement` rows. */
  lists: string;
  added: string[];
  changed: string[];
  /** The history's part. */
  steps: { list: string; version: number; changes: string }[];
}

export interface ListChanges extends ListSettings {
  list: string;
  version: number;
  changes: readonly Change[];
}

const rowsOfStatement = 1000;

export function versionRows(lists: readonly ListChanges[]): VersionRows {
  const added: object[] = [];
  const changed: object[] = [];
  for (const { list, changes } of lists) {
    for (const { before, after } of changes.filter(isItemChange)) {
      if (before === null) added.push({ list, nth: added.length, ...rowOf(after) });
      else changed.push({ list, ...rowOf(after) });
    }
  }
  return {
    from: lists.map(({ list, version }) => ({ list, version })),
    lists: numbered(lists.map(headAfter)),
    added: inParts(added),
    changed: inParts(changed),
    steps: lists.map(({ list, version, changes }) => ({
      list,
      version: version + 1,
      changes: JSON.stringify(changes),
    })),
  };
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
export function inParts(rows: readonly object[]): string[] {
  const count = Math.ceil(rows.length / rowsOfStatement);
  return Array.from({ length: count }, (_, part) =>
    numbered(rows.slice(part * rowsOfStatement, (part + 1) * rowsOfStatement)),
  );
}

/** Both engines have json_each for objects; for arrays they have different functions. */
function numbered(rows: readonly object[]): string {
  return JSON.stringify({ ...rows });
}
