import type { Kysely, Migration } from 'kysely';

/** One-time addresses of trial sign-ins. No row has anything of a person. */
export const trial: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sign_in_trial')
      .addColumn('ticket_hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('opened_at', 'text')
      .execute();
  },
};
