import { type Kysely, PostgresAdapter } from 'kysely';

/** A whole number of any size we use. In SQLite the key of a table has to be an `integer`, which is as wide. */
export function wideInteger(db: Kysely<unknown>): 'bigint' | 'integer' {
  return isPostgres(db) ? 'bigint' : 'integer';
}

/** For the few things that the engines have different words for. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
