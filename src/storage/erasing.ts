// Erased values leave the file, too. PostgreSQL overwrites them by itself, with a vacuum.
import { sql } from 'kysely';
import { isPostgres } from './migrations/engine.ts';
import type { Db } from './storage.ts';

/** From now on SQLite overwrites what this connection deletes; in the end, also what is left in the file beside it. */
export async function prepareErasing(db: Db): Promise<{ finish(): Promise<void> }> {
  if (isPostgres(db)) return { finish: async () => {} };
  await sql`pragma secure_delete = on`.execute(db);
  return {
    async finish() {
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    },
  };
}
