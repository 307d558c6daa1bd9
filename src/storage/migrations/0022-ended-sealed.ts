import { type Kysely, type Migration, sql } from 'kysely';

/** For housekeeping: of the ended sessions, only those whose sealed tokens are still to be erased are looked at. */
export const endedSealed: Migration = {
  async up(db: Kysely<unknown>) {
    const hasSealed = sql`(id_token is not null or refresh_token is not null)`;
    await sql`create index session_ended_sealed on session (ended_at)
      where ended_at is not null and ${hasSealed}`.execute(db);
  },
};
