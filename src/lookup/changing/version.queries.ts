// Writing versions of lists: a few statements for any number of items, in either engine's SQL.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { Author, StoredEntry, StoredList } from '../lookup.queries.ts';
import { Pauses } from '../pauses.ts';
import { type Change, type ItemField, isItemChange, itemFields } from './change.ts';
import { insertChangedValues } from './changed-value.queries.ts';
import { givenRows, numberOf, partsFor, textOf } from './given-rows.ts';
import { settingsAfter } from './list-settings.ts';
import { type VersionRows, versionRows } from './version-rows.ts';

/** The column of each field. */
const itemColumns: Record<ItemField, string> = {
  label: 'label',
  labels: 'labels',
  sortOrder: 'sort_order',
  status: 'status',
  validFrom: 'valid_from',
  validTo: 'valid_to',
  replacedBy: 'replaced_by',
  retiredAt: 'retired_at',
  codes: 'codes',
  tags: 'tags',
  description: 'description',
  parents: 'parents',
};

const columnOf = (field: ItemField) => sql.ref(itemColumns[field]);
const givenOf = (field: ItemField) => (field === 'sortOrder' ? numberOf(field) : textOf(field));

interface Written {
  /** Of the first item that was added. */
  firstId: number;
  /** What the history has of them now. */
  entries: StoredEntry[];
}

/** What the history will have of it, but for its place there. */
export function entryOf(
  step: VersionRows['steps'][number],
  { by, reason, at }: Author,
  restoredVersion?: number,
): Omit<StoredEntry, 'seq'> {
  return { ...step, at: at.toISOString(), by, reason: reason ?? null, restored_version: restoredVersion ?? null };
}

/** Writes the next versions of lists, and makes those that are new. */
export async function writeVersions(
  tx: Transaction<Tables>,
  { from, lists, added, alike, changed, fields, values: changedValues, steps }: VersionRows,
  author: Author,
  restoredVersion?: number,
): Promise<Written> {
  const time = author.at.toISOString();
  if (from.some(({ version }) => version === 0)) {
    await sql`insert into lookup_list (name, title, version, updated_at)
      select ${textOf('list')}, ${textOf('title')}, 0, ${time} from ${givenRows(tx, lists)}
      where ${numberOf('version')} = 1`.execute(tx);
  }
  for (const rows of partsFor(tx, changed)) {
    const assignments = fields.map((field) => sql`${columnOf(field)} = ${givenOf(field)}`);
    await sql`update lookup_item set ${sql.join(assignments)} from ${givenRows(tx, rows)}
      where lookup_item.id = ${numberOf('id')}`.execute(tx);
    // SQLite works in this thread: other requests run in between.
    await nextTurn();
  }
  const { lastId } = await tx
    .selectFrom('lookup_item')
    .select((select) => select.fn.max('id').as('lastId'))
    .executeTakeFirstOrThrow();
  const firstId = (lastId ?? 0) + 1;
  const same = new Map(alike);
  const contentOf = (field: ItemField) => (same.has(field) ? sql`${same.get(field)}` : givenOf(field));
  for (const rows of partsFor(tx, added)) {
    await sql`insert into lookup_item (id, list, value, ${sql.join(itemFields.map(columnOf))})
      select cast(${firstId} as bigint) + ${numberOf('nth')}, ${textOf('list')}, ${textOf('value')}, ${sql.join(itemFields.map(contentOf))}
      from ${givenRows(tx, rows)}`.execute(tx);
    await nextTurn();
  }
  const { lastSeq } = await tx
    .selectFrom('lookup_history')
    .select((select) => select.fn.max('seq').as('lastSeq'))
    .executeTakeFirstOrThrow();
  const entries = steps.map((step, index) => {
    return { seq: (lastSeq ?? 0) + 1 + index, ...entryOf(step, author, restoredVersion) };
  });
  // In parts: a statement takes some thousand parameters at most.
  for (let start = 0; start < entries.length; start += 100) {
    await tx
      .insertInto('lookup_history')
      .values(entries.slice(start, start + 100))
      .execute();
    await nextTurn();
  }
  await insertChangedValues(tx, changedValues);
  // What an older replica has not noted is still to be: see change-index.ts.
  await sql`update lookup_list set title = ${textOf('title')}, description = ${textOf('description')},
      readers = ${textOf('readers')}, keepers = ${textOf('keepers')}, archived = ${numberOf('archived')},
      version = ${numberOf('version')}, updated_at = ${time},
      indexed_version = case when indexed_version = lookup_list.version then ${numberOf('version')} else indexed_version end
    from ${givenRows(tx, lists)} where lookup_list.name = ${textOf('list')}`.execute(tx);
  return { firstId, entries };
}

/** Writes the changes as the list's next version, with its history. The list as it is then, and its entry. */
export async function commitChanges(
  tx: Transaction<Tables>,
  stored: StoredList,
  changes: readonly Change[],
  author: Author,
  restoredVersion?: number,
): Promise<{ after: StoredList; entries: StoredEntry[] }> {
  const { version, items } = stored;
  const rows = await versionRows([{ ...stored, changes }], new Pauses());
  const { firstId, entries } = await writeVersions(tx, rows, author, restoredVersion);
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
