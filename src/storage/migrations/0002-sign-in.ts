import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { wideInteger } from './engine.ts';
import { refuse, refuseReplacing } from './refuse.ts';

/** What rotating keys, ending sessions from elsewhere and auditing need. */
export const signIn: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('revision')
      .addColumn('topic', 'text', (column) => column.primaryKey())
      .addColumn('number', wideInteger(db), (column) => column.notNull())
      .execute();

    // When the key entered its present state.
    await db.schema
      .alterTable('signing_key')
      .addColumn('changed_at', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update signing_key set changed_at = created_at`.execute(db);

    await db.schema.createIndex('session_person').on('session').column('person_id').execute();
    await db.schema.createIndex('session_provider_sid').on('session').column('provider_sid').execute();

    await db.schema
      .createTable('audit')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('person', 'text')
      .addColumn('session', 'text')
      .addColumn('address', 'text')
      .addColumn('request_id', 'text')
      .addColumn('detail', 'text')
      .execute();
    await db.schema.createIndex('audit_at').on('audit').column('at').execute();
    await db.schema.createIndex('audit_person').on('audit').column('person').execute();
    const message = 'the audit is append-only';
    await refuse(db, { table: 'audit', change: 'update', message });
    await refuse(db, { table: 'audit', change: 'delete', message });
    await refuseReplacing(db, 'audit', 'id = new.id', message);
  },
};
