import { type Kysely, type Migration, sql } from 'kysely';
import { lockTable } from './engine.ts';

/** For housekeeping, which goes on after the last row it has found: also where a million end at the same time. */
export const cleaningOrder: Migration = {
  async up(db: Kysely<unknown>) {
    // Dropping an index needs it, and whoever signs in writes to both, in this order.
    await lockTable(db, 'used_code');
    await lockTable(db, 'session');
    const hasSealed = sql`(id_token is not null or refresh_token is not null)`;
    const lastUse = sql`(case when idle_ends_at < expires_at then idle_ends_at else expires_at end)`;
    await sql`create index session_sealed_last_use on session (${lastUse}, sid) where ${hasSealed}`.execute(db);
    await sql`create index session_sealed_end on session (ended_at, sid)
      where ended_at is not null and ${hasSealed}`.execute(db);
    await db.schema.createIndex('used_code_use').on('used_code').columns(['used_at', 'code_hash']).execute();
    for (const index of ['session_sealed', 'session_ended_sealed', 'used_code_used_at']) {
      await db.schema.dropIndex(index).execute();
    }
  },
};
