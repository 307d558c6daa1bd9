import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, lockTable, wideInteger } from './engine.ts';

/**
 * Which versions of a list changed which value. It is filled from the history at the next start, by the code that writes it:
 * `indexed_version` says up to which version. Older replicas write neither, so that what they change is found, too.
 */
export const changedValues: Migration = {
  async up(db: Kysely<unknown>) {
    await lockTable(db, 'lookup_list');
    await db.schema
      .createTable('lookup_change')
      .addColumn('list', 'text', (column) => column.notNull().references('lookup_list.name'))
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('version', wideInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('lookup_change_pkey', ['list', 'value', 'version'])
      // All of it is in the primary key.
      .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
      .execute();
    await db.schema
      .alterTable('lookup_list')
      .addColumn('indexed_version', wideInteger(db), (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
