import { type Kysely, type Migration, sql } from 'kysely';

/** Of the sessions that have just ended, perhaps very many, those that a replica of an older version ended are found at once. */
export const endedByOlder: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index session_ended_by_older on session (ended_at, sid)
      where ended_at is not null and ended_revision is null`.execute(db);
  },
};
