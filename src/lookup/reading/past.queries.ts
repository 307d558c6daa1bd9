// The history of a list, read in parts for the list as it was.
import { sql } from 'kysely';
import type { Db } from '../../storage/storage.ts';

export interface VersionSize {
  version: number;
  at: string;
  /** Of its changes, as text. */
  bytes: number;
}

/** Oldest first, without what was changed. */
export async function readVersionSizes(db: Db, list: string, after: number, upTo: number): Promise<VersionSize[]> {
  const rows = await db
    .selectFrom('lookup_history')
    .select(['version', 'at', sql<number>`octet_length(changes)`.as('bytes')])
    .where('list', '=', list)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .orderBy('version')
    .limit(1000)
    .execute();
  return rows.map(({ version, at, bytes }) => ({ version, at, bytes: Number(bytes) }));
}

/** The changes of these versions, each as the text it is stored as, oldest first. */
export async function readChangeTexts(db: Db, list: string, first: number, last: number) {
  return db
    .selectFrom('lookup_history')
    .select(['version', 'changes'])
    .where('list', '=', list)
    .where('version', '>=', first)
    .where('version', '<=', last)
    .orderBy('version')
    .execute();
}
