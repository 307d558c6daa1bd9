// Writes new versions of lists, many rows with each statement, in SQL that both engines accept.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Pauses } from '../../base/pauses.ts';
import type { Tables } from '../../storage/tables.ts';
import { readLastSeq } from '../history/event.queries.ts';
import type { StoredEntry } from '../history/history.queries.ts';
import { type Change, isItemChange } from '../rules/change.ts';
import { type FieldName, fieldNames, itemFields } from '../rules/item.ts';
import { settingsAfter } from '../rules/list-settings.ts';
import { storedColumn } from '../stored/item.queries.ts';
import type { StoredList } from '../stored/list.queries.ts';
import { givenRows, numberOf, textOf, type VersionRows, versionRows } from './version-rows.ts';

/** Who changes something, why and when. */
export interface Author {
  by: string;
  reason: string | undefined;
  at: Date;
  /** Whether they may add and archive lists, and change who may read and keep them. */
  mayKeepAll: boolean;
  /** Whether they may see the values of a list and name them as parents. If absent, they may do so for every list. */
  mayName?: (list: string) => boolean;
  /** Details of the request, for the audit. */
  session?: string;
  address?: string;
  requestId?: string;
}

const changeable = fieldNames.filter((field) => field !== 'value');
const columnOf = (field: FieldName) => sql.ref(storedColumn(field));
const givenOf = (field: FieldName) => (itemFields[field].holds === 'number' ? numberOf(field) : textOf(field));

/** The id for the next new item. */
export async function findNextId(db: Kysely<Tables>): Promise<number> {
  const { last } = await db
    .selectFrom('lookup_item')
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/** Writes the next version of each list, and creates lists that do not exist yet. Returns the new entries of the history. */
export async function writeVersions(
  tx: Transaction<Tables>,
  { from, lists, added, changed, steps }: VersionRows,
  { by, reason, at }: Author,
  restoredVersion?: number,
): Promise<StoredEntry[]> {
  const time = at.toISOString();
  if (from.some(({ version }) => version === 0)) {
    await sql`insert into lookup_list (name, title, version, updated_at)
      select ${textOf('list')}, ${textOf('title')}, 0, ${time} from ${givenRows(tx, lists)}
      where ${numberOf('version')} = 1`.execute(tx);
  }
  for (const rows of changed) {
    const assignments = changeable.map((field) => sql`${columnOf(field)} = ${givenOf(field)}`);
    await sql`update lookup_item set ${sql.join(assignments)} from ${givenRows(tx, rows)}
      where lookup_item.id = ${numberOf('id')}`.execute(tx);
    // SQLite runs in this thread, so other requests must get a turn between statements.
    await nextTurn();
  }
  for (const rows of added) {
    await sql`insert into lookup_item (id, list, ${sql.join(fieldNames.map(columnOf))})
      select ${numberOf('id')}, ${textOf('list')}, ${sql.join(fieldNames.map(givenOf))} from ${givenRows(tx, rows)}`.execute(
      tx,
    );
    await nextTurn();
  }
  const lastSeq = await readLastSeq(tx);
  const entries = steps.map(({ list, version, count, hash }, index) => {
    const change = { change_count: count, change_hash: hash, restored_version: restoredVersion ?? null };
    return { seq: lastSeq + 1 + index, list, version, at: time, by, reason: reason ?? null, ...change };
  });
  // Inserted in parts, because a statement can have only a few thousand parameters.
  for (let start = 0; start < entries.length; start += 100) {
    await tx
      .insertInto('lookup_history')
      .values(entries.slice(start, start + 100))
      .execute();
    await nextTurn();
  }
  for (const { list, version, rows } of steps) {
    for (const part of rows) {
      await sql`insert into lookup_change (list, version, nth, value, moved, after)
        select ${list}, cast(${version} as bigint), ${numberOf(0)}, ${textOf(1)}, ${numberOf(2)}, ${textOf(3)}
        from ${givenRows(tx, part)}`.execute(tx);
      await nextTurn();
    }
  }
  await sql`update lookup_list set title = ${textOf('title')}, titles = ${textOf('titles')},
      description = ${textOf('description')}, descriptions = ${textOf('descriptions')},
      readers = ${textOf('readers')}, keepers = ${textOf('keepers')}, archived = ${numberOf('archived')},
      version = ${numberOf('version')}, updated_at = ${time}
    from ${givenRows(tx, lists)} where lookup_list.name = ${textOf('list')}`.execute(tx);
  return entries;
}

/** Writes the changes as the list's next version. Returns the new list and its entry in the history. */
export async function commitChanges(
  tx: Transaction<Tables>,
  stored: StoredList,
  changes: readonly Change[],
  author: Author,
  restoredVersion?: number,
): Promise<{ after: StoredList; entries: StoredEntry[] }> {
  const { version, items } = stored;
  const firstId = await findNextId(tx);
  const rows = await versionRows([{ ...stored, changes }], firstId, new Pauses());
  const entries = await writeVersions(tx, rows, author, restoredVersion);
  const ofItems = changes.filter(isItemChange);
  const changed = new Map(ofItems.map(({ value, after }) => [value, after]));
  const kept = items.map((item) => {
    const after = changed.get(item.value);
    return after === undefined ? item : { ...item, ...after };
  });
  const added = ofItems
    .filter(({ before }) => before === null)
    .map(({ after }, index) => ({ id: firstId + index, ...after }));
  const updatedAt = author.at.toISOString();
  const settings = settingsAfter(stored, changes);
  const after = { ...stored, ...settings, version: version + 1, updatedAt, items: [...kept, ...added] };
  return { after, entries };
}
