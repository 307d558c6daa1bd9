import type { Kysely, Migration } from 'kysely';

/** What GET /auth/logout needs. Both may be null: older replicas do not write them. */
export const browserSession: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('session').addColumn('cookie_hash', 'text').execute();
    await db.schema.alterTable('session').addColumn('id_token', 'text').execute();
    await db.schema.createIndex('session_cookie_hash').unique().on('session').column('cookie_hash').execute();
  },
};
