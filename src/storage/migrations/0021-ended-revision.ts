import { type Kysely, type Migration, sql } from 'kysely';
import { wideInteger } from './engine.ts';

/** By which other processes learn of ended sessions one by one. */
export const endedRevision: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('session').addColumn('ended_revision', wideInteger(db)).execute();
    await sql`create index session_ended_revision on session (ended_revision, sid) where ended_revision is not null`.execute(
      db,
    );
  },
};
