import { type Kysely, type Migration, sql } from 'kysely';
import { lockTable } from './engine.ts';

/** For housekeeping: the sessions whose sealed tokens have to be erased are found without reading all others. */
export const cleaning: Migration = {
  async up(db: Kysely<unknown>) {
    // The next one adds a column to it, in the same transaction.
    await lockTable(db, 'session');
    const hasSealed = sql`(id_token is not null or refresh_token is not null)`;
    const lastUse = sql`(case when idle_ends_at < expires_at then idle_ends_at else expires_at end)`;
    await sql`create index session_sealed on session (${lastUse}) where ${hasSealed}`.execute(db);
    await sql`create index session_ended on session (ended_at, sid) where ended_at is not null`.execute(db);
  },
};
