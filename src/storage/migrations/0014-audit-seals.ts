import type { Kysely, Migration } from 'kysely';
import { wideInteger } from './engine.ts';
import { refuse, refuseReplacing } from './refuse.ts';

/** What proves the audit. Rows written before, or by older replicas, have none of the three columns. */
export const auditSeals: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['salt', 'digest', 'covered']) {
      await db.schema.alterTable('audit').addColumn(column, 'text').execute();
    }
    await db.schema
      .createTable('audit_key')
      // One row: of two processes that make the first key, one does.
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute();
    const number = wideInteger(db);
    await db.schema
      .createTable('audit_seal')
      .addColumn('number', number, (column) => column.primaryKey())
      .addColumn('first', number, (column) => column.notNull())
      .addColumn('last', number, (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute();
    const message = 'the seals are append-only';
    await refuse(db, { table: 'audit_seal', change: 'update', message });
    await refuse(db, { table: 'audit_seal', change: 'delete', message });
    await refuseReplacing(db, 'audit_seal', 'number = new.number', message);
  },
};
