import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** A 64-bit integer. In SQLite a primary key must be declared `integer`, which has 64 bits, too. */
export function wideInteger(db: Kysely<unknown>): 'bigint' | 'integer' {
  return isPostgres(db) ? 'bigint' : 'integer';
}

/** For the few statements that differ between the engines. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Before a migration that begins with a weaker lock and needs this one later: a transaction of the service that has read the table
 * in between, and is about to write to it, would wait for the migration, and the migration for it.
 */
export async function lockTable(db: Kysely<unknown>, table: string): Promise<void> {
  if (isPostgres(db)) await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(db);
}
