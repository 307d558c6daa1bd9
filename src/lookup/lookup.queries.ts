// The statements of the list area; version.queries.ts has those that write, history.queries.ts those of the history.
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { rowsByKey } from '../storage/pages.ts';
import { bumpRevision } from '../storage/revisions.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { readItems } from './item.queries.ts';
import type { KeptList } from './lookup-admin.schema.ts';
import { Pauses } from './pauses.ts';
import { createItemReader } from './stored-item.ts';

export type StoredList = KeptList & { updatedAt: string };

/** Who changes something, why and when. */
export interface Author {
  by: string;
  reason: string | undefined;
  at: Date;
  /** Whether they may add lists, archive them, and change who reads and keeps them. */
  mayKeepAll: boolean;
  /** Whether they may see and name values of this list as parents; of every list, where it is left out. */
  mayName?: (list: string) => boolean;
  /** Of a request: for the audit. */
  session?: string;
  address?: string;
  requestId?: string;
}

const mostReadings = 10;

/** The versions are compared afterwards: a list that changed meanwhile would mix the items of two versions. */
export async function readLists(db: Kysely<Tables>, names?: readonly string[]): Promise<StoredList[]> {
  for (let readings = 0; readings < mostReadings; readings++) {
    const heads = await readHeads(db, names);
    const lists = new Map<string, StoredList>(heads.map((row) => [row.name, { ...headOf(row), items: [] }]));
    const itemOf = createItemReader();
    const pauses = new Pauses();
    await readItems(db, names, (page) => pauses.map(page, (row) => lists.get(row.list)?.items.push(itemOf(row))));
    if (Bun.deepEquals(heads, await readHeads(db, names))) {
      for (const list of lists.values()) list.items = await pauses.sort(list.items, (a, b) => a.id - b.id);
      return [...lists.values()];
    }
  }
  throw new Error('the lists change faster than they can be read');
}

/** `known`, where it is the list as it is stored: that of fifty thousand items takes half a second to read. */
export async function findList(
  db: Kysely<Tables>,
  name: string,
  known?: StoredList | undefined,
): Promise<StoredList | undefined> {
  const [head] = known === undefined ? [] : await readHeads(db, [name]);
  if (head !== undefined && isHeadOf(head, known)) return known;
  const [list] = await readLists(db, [name]);
  return list;
}

const headColumns = [
  'name',
  'title',
  'description',
  'readers',
  'keepers',
  'archived',
  'version',
  'updated_at',
] as const;

/** The lists without their items. */
export async function readHeads(db: Kysely<Tables>, names?: readonly string[]) {
  let query = db.selectFrom('lookup_list').select(headColumns).orderBy('name');
  if (names !== undefined) query = query.where('name', 'in', names);
  return query.execute();
}

export type Head = Awaited<ReturnType<typeof readHeads>>[number];

/** By the time as well: after a restore of the database, another change may have made the same version. */
export function isHeadOf({ name, version, updated_at }: Head, list: StoredList | undefined): boolean {
  return list?.list === name && list.version === version && list.updatedAt === updated_at;
}

const Roles = z.array(z.string());
const rolesOf = (column: string | null) => (column === null ? null : Roles.parse(JSON.parse(column)));

export function headOf(row: Head): Omit<StoredList, 'items'> {
  return {
    list: row.name,
    title: row.title,
    description: row.description,
    readers: rolesOf(row.readers),
    keepers: rolesOf(row.keepers),
    archived: row.archived !== 0,
    version: row.version,
    updatedAt: row.updated_at,
  };
}

/** Of each list, its version and who made it. */
export async function readLastAuthors(db: Db): Promise<Map<string, { version: number; by: string | null }>> {
  const rows = await db
    .selectFrom('lookup_list as list')
    .leftJoin('lookup_history as step', (join) =>
      join.onRef('step.list', '=', 'list.name').onRef('step.version', '=', 'list.version'),
    )
    .select(['list.name', 'list.version', 'step.by'])
    .execute();
  return new Map(rows.map(({ name, version, by }) => [name, { version, by }]));
}

/** Those that any list names, as readers or keepers. */
export async function readListRoles(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('lookup_list').select(['readers', 'keepers']).execute();
  return rows.flatMap(({ readers, keepers }) => [...(rolesOf(readers) ?? []), ...(rolesOf(keepers) ?? [])]);
}

/** Without reading its items. */
export async function findVersion(db: Db, name: string): Promise<number | undefined> {
  return (await readVersions(db)).get(name);
}

/** The versions there are, to see cheaply what has changed. */
export async function readVersions(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('lookup_list').select(['name', 'version']).execute();
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/** One transaction at a time, on either engine: bumpRevision locks its row until the transaction ends. */
export async function changeLists<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'lists');
    return change(tx);
  });
}

const entriesOfPage = 5000;

export const listHistory = (db: Db) =>
  rowsByKey(db.selectFrom('lookup_history').select(['seq', 'list', 'version', 'at']), entriesOfPage, { seq: 0 });

export interface ListEvent {
  seq: number;
  list: string;
  version: number;
}

/** The last change of each list after this event, oldest first. */
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

/** A place in the history, and which entry is there: after a restore of the database, another one may be. */
export interface Mark {
  seq: number;
  entry: string | undefined;
}

/** At this place, or at the end. */
export async function readMark(db: Db, seq?: number): Promise<Mark> {
  const place = seq ?? (await readLastSeq(db));
  const query = db.selectFrom('lookup_history').select(['list', 'version', 'at']).where('seq', '=', place);
  const row = await query.executeTakeFirst();
  return { seq: place, entry: row && JSON.stringify([row.list, row.version, row.at]) };
}
