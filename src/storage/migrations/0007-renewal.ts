import type { Kysely, Migration } from 'kysely';

const columns = [
  'last_seen_at',
  'idle_ends_at',
  'token_expires_at',
  'refresh_token',
  'provider_asked_at',
  'renewal_claim',
  'renewal_claimed_until',
  'renewal_failure',
];

/**
 * What POST /auth/renew needs. All may be missing: sessions opened before, or by an older replica, last as long as their
 * token, and `expires_at` is its expiry.
 */
export const renewal: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of columns) await db.schema.alterTable('session').addColumn(column, 'text').execute();
  },
};
