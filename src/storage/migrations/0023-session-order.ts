import type { Kysely, Migration } from 'kysely';

/** Open sessions are listed in this order, page by page, also where a million expire at the same time. */
export const sessionOrder: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('session_expiry').on('session').columns(['expires_at', 'sid']).execute();
    await db.schema.dropIndex('session_expires_at').execute();
  },
};
