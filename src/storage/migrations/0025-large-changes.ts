import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, lockTable } from './engine.ts';

/**
 * What a change of fifty thousand items costs PostgreSQL. Items: with room for the new version of a row beside the old one, no
 * index has to be written. Changed values: the list of each was looked up, which nothing ever deletes.
 */
export const largeChanges: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return;
    // Dropping the constraint needs it, and writers read it first.
    await lockTable(db, 'lookup_list');
    await sql`alter table lookup_item set (fillfactor = 45)`.execute(db);
    await sql`alter table lookup_change drop constraint lookup_change_list_fkey`.execute(db);
  },
};
