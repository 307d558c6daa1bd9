import { type Kysely, PostgresAdapter } from 'kysely';

/** For the few things that the engines have different words for. */
export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
