import type { Kysely, Migration } from 'kysely';

/**
 * `authentication`: how the person authenticated, for renewed tokens. `address` and `browser`: for the person's own list
 * of sessions. All may be missing, in sessions of before and of older replicas.
 */
export const sessionDetails: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['authentication', 'address', 'browser']) {
      await db.schema.alterTable('session').addColumn(column, 'text').execute();
    }
  },
};
