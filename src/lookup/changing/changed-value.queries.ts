// Which versions of a list changed which value, in more than its order: a table of its own, so that the history of one value
// is found without reading that of the list.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { pagesByKey } from '../../storage/pages.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { givenTexts, partsFor } from './given-rows.ts';
import type { ChangedValues } from './version-rows.ts';

/** Of versions that have none in the table yet. */
export const insertChangedValues = (tx: Kysely<Tables>, changed: readonly ChangedValues[]) =>
  insert(tx, changed, sql``);

/** Those that are in the table already stay as they are. SQLite needs the condition, or it takes the conflict for that of a join. */
export const addChangedValues = (db: Db, changed: readonly ChangedValues[]) =>
  insert(db, changed, sql`where true on conflict do nothing`);

async function insert(
  db: Kysely<Tables>,
  changed: readonly ChangedValues[],
  ifThere: RawBuilder<unknown>,
): Promise<void> {
  for (const { list, version, values } of changed) {
    for (const part of partsFor(db, values)) {
      await sql`insert into lookup_change (list, value, version)
        select ${list}, given.value, cast(${version} as bigint) from ${givenTexts(db, part)} ${ifThere}`.execute(db);
      await nextTurn();
    }
  }
}

const valuesOfPage = 1000;

/** Of each value of the list, the last version that changed it. In pages: SQLite works in this thread. */
export async function readLastChanges(db: Db, list: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const changes = db
    .selectFrom('lookup_change')
    .select(['value', (select) => select.fn.max('version').as('version')])
    .where('list', '=', list)
    .groupBy('value');
  for await (const page of pagesByKey(changes, valuesOfPage, { value: '' })) {
    for (const { value, version } of page) found.set(value, version);
    await nextTurn();
  }
  return found;
}

/** The versions that changed this value, newest first. */
export async function findVersionsOf(
  db: Db,
  list: string,
  value: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<number[]> {
  let query = db
    .selectFrom('lookup_change')
    .select('version')
    .where('list', '=', list)
    .where('value', '=', value)
    .orderBy('version', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('version', '<', before);
  return (await query.execute()).map(({ version }) => version);
}

/** The lists with versions that are not in the table. */
export function findNotIndexed(db: Db) {
  return db
    .selectFrom('lookup_list')
    .select(['name', 'version', 'indexed_version as indexed'])
    .whereRef('indexed_version', '<', 'version')
    .execute();
}

export async function setIndexed(db: Db, list: string, version: number): Promise<void> {
  await db
    .updateTable('lookup_list')
    .set({ indexed_version: version })
    .where('name', '=', list)
    .where('indexed_version', '<', version)
    .execute();
}
