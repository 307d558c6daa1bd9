import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether the engine is PostgreSQL. Used for the few statements that differ between the engines. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
