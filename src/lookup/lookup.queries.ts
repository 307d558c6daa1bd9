// Every statement of the list area.
import type { Kysely, Transaction } from 'kysely';
import { raise } from '../storage/signals.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { Change, ItemState } from './changes.ts';
import type { HistoryEntry, KeptItem, KeptList } from './lookup.schema.ts';

export type StoredList = KeptList & { updatedAt: string };

/** Who changes something, why and when. */
export interface Author {
  by: string;
  reason: string | undefined;
  at: Date;
  /** Of a request: for the audit. */
  session?: string;
  address?: string;
  requestId?: string;
}

/** In one statement: items of one version under the number of another would let a change be overwritten unseen. */
export async function readLists(db: Kysely<Tables>, names?: readonly string[]): Promise<StoredList[]> {
  let query = db
    .selectFrom('lookup_list')
    .leftJoin('lookup_item', 'lookup_item.list', 'lookup_list.name')
    .selectAll('lookup_item')
    .select(['lookup_list.name', 'lookup_list.title', 'lookup_list.version', 'lookup_list.updated_at'])
    .orderBy('lookup_list.name')
    .orderBy('lookup_item.id');
  if (names !== undefined) query = query.where('lookup_list.name', 'in', names);
  const lists = new Map<string, StoredList>();
  for (const { name, title, version, updated_at, ...item } of await query.execute()) {
    let list = lists.get(name);
    if (list === undefined) {
      list = { list: name, title, version, updatedAt: updated_at, items: [] };
      lists.set(name, list);
    }
    // A list without items comes as one row without an item.
    if (item.id !== null) list.items.push(itemOf(item as Tables['lookup_item']));
  }
  return [...lists.values()];
}

const noLabels: Record<string, string> = Object.freeze({});

function itemOf(row: Tables['lookup_item']): KeptItem {
  return {
    id: row.id,
    value: row.value,
    label: row.label,
    // Most have none: one object for all of those.
    labels: row.labels === '{}' ? noLabels : (JSON.parse(row.labels) as Record<string, string>),
    sortOrder: row.sort_order,
    status: row.status,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    replacedBy: row.replaced_by,
    retiredAt: row.retired_at,
  };
}

/** The lists without their items, counted. */
export async function readSummaries(db: Db) {
  const lists = await db.selectFrom('lookup_list').selectAll().orderBy('name').execute();
  const counts = await db
    .selectFrom('lookup_item')
    .select(['list', 'status', (select) => select.fn.countAll<number>().as('count')])
    .groupBy(['list', 'status'])
    .execute();
  const countOf = (name: string, status: string) =>
    Number(counts.find((row) => row.list === name && row.status === status)?.count ?? 0);
  return lists.map(({ name, title, version, updated_at }) => ({
    list: name,
    title,
    version,
    active: countOf(name, 'active'),
    retired: countOf(name, 'retired'),
    updatedAt: updated_at,
  }));
}

/** The versions there are, to see cheaply what has changed. */
export async function readVersions(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('lookup_list').select(['name', 'version']).execute();
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/** One at a time, on either engine: whoever raises the signal holds its row until the end of the transaction. */
export async function changeLists<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await raise(tx, 'lists');
    return change(tx);
  });
}

export async function insertList(tx: Transaction<Tables>, list: string, title: string, at: Date): Promise<void> {
  await tx.insertInto('lookup_list').values({ name: list, title, version: 0, updated_at: at.toISOString() }).execute();
}

/** Writes the changes as the list's next version, with its history. The list as it is then. */
export async function commitChanges(
  tx: Transaction<Tables>,
  { list, title, version, items }: StoredList,
  changes: readonly Change[],
  { by, reason, at }: Author,
  restoredVersion?: number,
): Promise<StoredList> {
  const fresh: ItemState[] = [];
  const changed = new Map<string, ItemState>();
  let newTitle = title;
  for (const change of changes) {
    if (change.value === null) {
      newTitle = change.after.title;
    } else if (change.before === null) {
      fresh.push(change.after);
    } else {
      changed.set(change.value, change.after);
      const update = tx.updateTable('lookup_item').set(rowOf(change.after));
      await update.where('list', '=', list).where('value', '=', change.value).execute();
    }
  }
  const added = await insertItems(tx, list, fresh);
  const { highest } = await tx
    .selectFrom('lookup_history')
    .select((select) => select.fn.max('seq').as('highest'))
    .executeTakeFirstOrThrow();
  const next = version + 1;
  await tx
    .insertInto('lookup_history')
    .values({
      seq: (highest ?? 0) + 1,
      list,
      version: next,
      at: at.toISOString(),
      by,
      reason: reason ?? null,
      changes: JSON.stringify(changes),
      restored_version: restoredVersion ?? null,
    })
    .execute();
  const updatedAt = at.toISOString();
  const change = { title: newTitle, version: next, updated_at: updatedAt };
  await tx.updateTable('lookup_list').set(change).where('name', '=', list).execute();
  const kept = items.map((item) => ({ ...item, ...changed.get(item.value) }));
  return { list, title: newTitle, version: next, updatedAt, items: [...kept, ...added] };
}

async function insertItems(tx: Transaction<Tables>, list: string, items: readonly ItemState[]): Promise<KeptItem[]> {
  const { highest } = await tx
    .selectFrom('lookup_item')
    .select((select) => select.fn.max('id').as('highest'))
    .executeTakeFirstOrThrow();
  const first = (highest ?? 0) + 1;
  const rows = items.map((item, index) => ({ id: first + index, list, value: item.value, ...rowOf(item) }));
  // In parts: a statement takes some thousand parameters at most.
  for (let start = 0; start < rows.length; start += 500) {
    await tx
      .insertInto('lookup_item')
      .values(rows.slice(start, start + 500))
      .execute();
  }
  return items.map((item, index) => ({ id: first + index, ...item }));
}

function rowOf(item: ItemState) {
  return {
    label: item.label,
    labels: JSON.stringify(item.labels),
    sort_order: item.sortOrder,
    status: item.status,
    valid_from: item.validFrom,
    valid_to: item.validTo,
    replaced_by: item.replacedBy,
    retired_at: item.retiredAt,
  };
}

/** Newest first. */
export async function readHistory(
  db: Kysely<Tables>,
  list: string,
  { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit?: number | undefined },
): Promise<(HistoryEntry & { changes: Change[] })[]> {
  let query = db.selectFrom('lookup_history').selectAll().where('list', '=', list).orderBy('version', 'desc');
  if (before !== undefined) query = query.where('version', '<', before);
  if (after !== undefined) query = query.where('version', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(({ version, at, by, reason, changes, restored_version }) => ({
    version,
    at,
    by,
    reason,
    ...(restored_version !== null && { restoredVersion: restored_version }),
    changes: JSON.parse(changes) as Change[],
  }));
}

const mostChanges = 1000;

/** For an answer: so many changes at most, of the first version from this one on, and how many behind them are left out. */
export function boundHistory(entries: readonly HistoryEntry[], changesFrom = 0): HistoryEntry[] {
  let left = mostChanges;
  return entries.map((entry, index) => {
    const from = index === 0 ? changesFrom : 0;
    const changes = entry.changes.slice(from, from + left);
    left -= changes.length;
    const leftOut = entry.changes.length - from - changes.length;
    return { ...entry, changes, ...(leftOut > 0 && { changesLeftOut: leftOut }) };
  });
}

export interface ListEvent {
  seq: number;
  list: string;
  version: number;
}

/** The last that happened to each list after this event, oldest first. */
export async function readEvents(db: Db, after: number): Promise<ListEvent[]> {
  const { max } = db.fn;
  return db
    .selectFrom('lookup_history')
    .select(['list', max('seq').as('seq'), max('version').as('version')])
    .where('seq', '>', after)
    .groupBy('list')
    .orderBy('seq')
    .execute();
}

export async function readLastSeq(db: Db): Promise<number> {
  const query = db.selectFrom('lookup_history').select((select) => select.fn.max('seq').as('highest'));
  return (await query.executeTakeFirstOrThrow()).highest ?? 0;
}
