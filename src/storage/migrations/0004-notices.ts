import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engine.ts';

/** PostgreSQL notifies every replica of a new revision. SQLite has no notifications: every process polls. */
export const notices: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return;
    await sql`create function revision_notify() returns trigger language plpgsql as $$
      begin perform pg_notify('frontdesk', new.topic); return null; end $$`.execute(db);
    await sql`create trigger revision_notify after insert or update on revision
      for each row execute function revision_notify()`.execute(db);
  },
};
