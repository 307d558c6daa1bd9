import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Frontdesk's own keys for private_key_jwt. Not in the table signing_key: an older replica takes every key there for one
 * that access tokens are signed with.
 */
export const clientKey: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('client_key')
      .addColumn('kid', 'text', (column) => column.primaryKey())
      .addColumn('alg', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) =>
        column.notNull().check(sql`state in ('pending', 'active', 'retiring', 'removed')`),
      )
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('client_key_one_active')
      .on('client_key')
      .column('state')
      .unique()
      .where(sql.ref('state'), '=', sql.lit('active'))
      .execute();
  },
};
