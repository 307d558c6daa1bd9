// Reads lists from the database.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Pauses } from '../../base/pauses.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import type { KeptList } from '../rules/list.ts';
import { readItems } from './item.queries.ts';
import { createItemReader, readTexts } from './stored-item.ts';

export type StoredList = KeptList & { updatedAt: string };

const mostReadings = 10;

/** Reads a list again if its version has changed while its items were read, so that no list mixes two versions. */
export async function readLists(db: Kysely<Tables>, names?: readonly string[]): Promise<StoredList[]> {
  const lists = new Map<string, StoredList>();
  const itemOf = createItemReader();
  const pauses = new Pauses();
  for (let readings = 0; readings <= mostReadings; readings++) {
    const heads = await readHeads(db, names);
    const changed = heads.filter((head) => !isHeadOf(head, lists.get(head.name)));
    if (changed.length === 0) {
      const read = heads.flatMap(({ name }) => lists.get(name) ?? []);
      for (const list of read) list.items = await pauses.sort(list.items, (a, b) => a.id - b.id);
      return read;
    }
    for (const head of changed) lists.set(head.name, { ...headOf(head), items: [] });
    const wanted = changed.length === heads.length ? names : changed.map(({ name }) => name);
    await readItems(db, wanted, (page) => pauses.map(page, (row) => lists.get(row.list)?.items.push(itemOf(row))));
  }
  throw new Error('the lists change faster than they can be read');
}

/** Returns `known` if it is up to date, because reading a list of 50,000 items takes half a second. */
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
  'titles',
  'description',
  'descriptions',
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

/**
 * Also compares the time, because after a restore of the database, a different change may have produced the same
 * version number.
 */
export function isHeadOf({ name, version, updated_at }: Head, list: StoredList | undefined): boolean {
  return list?.list === name && list.version === version && list.updatedAt === updated_at;
}

const Roles = z.array(z.string());
const rolesOf = (column: string | null) => (column === null ? null : Roles.parse(JSON.parse(column)));

export function headOf(row: Head): Omit<StoredList, 'items'> {
  return {
    list: row.name,
    title: row.title,
    titles: readTexts(row.titles),
    description: row.description,
    descriptions: readTexts(row.descriptions),
    readers: rolesOf(row.readers),
    keepers: rolesOf(row.keepers),
    archived: row.archived !== 0,
    version: row.version,
    updatedAt: row.updated_at,
  };
}

/** The roles that any list names as readers or keepers. */
export async function readListRoles(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('lookup_list').select(['readers', 'keepers']).execute();
  return rows.flatMap(({ readers, keepers }) => [...(rolesOf(readers) ?? []), ...(rolesOf(keepers) ?? [])]);
}

/** The version of a list, without reading its items. */
export async function findVersion(db: Db, name: string): Promise<number | undefined> {
  return (await readVersions(db)).get(name);
}

/** The current version of each list. */
export async function readVersions(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('lookup_list').select(['name', 'version']).execute();
  return new Map(rows.map(({ name, version }) => [name, version]));
}
