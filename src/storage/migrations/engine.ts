import { type Kysely, PostgresAdapter } from 'kysely';

/** A 64-bit integer. In SQLite a primary key must be declared `integer`, which has 64 bits, too. */
export function wideInteger(db: Kysely<unknown>): 'bigint' | 'integer' {
  return isPostgres(db) ? 'bigint' : 'integer';
}

/** For the few statements that differ between the engines. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
