import type { Migration } from 'kysely';
import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engine.ts';
import { refuse, refuseReplacing } from './refuse.ts';

const indexes = [
  ['audit_at', 'at'],
  ['audit_person', 'person, seq'],
  ['audit_type', 'type, seq'],
] as const;

/**
 * Numbers the audit, the rows that are there by their time. From then on a number is taken under a lock that is held to
 * the commit. Replicas of older versions write rows without a number, and the database gives them one in the same way.
 */
export const auditOrder: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_counter')
      .addColumn('last', isPostgres(db) ? 'bigint' : 'integer', (column) => column.notNull())
      .execute();
    await (isPostgres(db) ? numberInPostgres(db) : numberInSqlite(db));
    for (const [name, columns] of indexes) await execute(db, `create index ${name} on audit (${columns})`);
    await sql`insert into audit_counter (last) select coalesce(max(seq), 0) from audit`.execute(db);
  },
};

/** In place, so that grants and views stay: the rows are put in the order of their time, and numbered as they lie. */
async function numberInPostgres(db: Kysely<unknown>): Promise<void> {
  // More than the default for building indexes, where the server has not even more.
  await sql`select set_config('maintenance_work_mem', '256MB', true)
    where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB')`.execute(db);
  // A scan that joins another one begins in the middle of the table.
  await execute(db, 'set local synchronize_seqscans = off');
  // Without the indexes that are not needed for it, which would be written again each time.
  await execute(db, 'alter table audit drop constraint audit_pkey, alter column id drop not null');
  await execute(db, 'drop index audit_person');
  await execute(db, 'cluster audit using audit_at');
  await execute(db, 'drop index audit_at');
  await execute(db, 'alter table audit add column seq bigserial, add column actor text');
  await execute(db, 'alter table audit alter column seq drop default');
  await execute(db, 'drop sequence audit_seq_seq');
  await execute(db, 'alter table audit add primary key (seq)');
  await sql`create function audit_number() returns trigger language plpgsql as $$
    begin
      if new.seq is null then
        update audit_counter set last = last + 1 returning last into new.seq;
      end if;
      return new;
    end $$`.execute(db);
  await execute(db, 'create trigger audit_number before insert on audit for each row execute function audit_number()');
}

/** SQLite gives a row without a number the next one only where that is the table's integer primary key. */
async function numberInSqlite(db: Kysely<unknown>): Promise<void> {
  await execute(
    db,
    `create table audit_numbered (seq integer primary key autoincrement, id text, at text not null, type text not null,
      person text, actor text, session text, address text, request_id text, detail text)`,
  );
  const kept = 'id, at, type, person, session, address, request_id, detail';
  await execute(db, `insert into audit_numbered (${kept}) select ${kept} from audit order by at, rowid`);
  await execute(db, 'drop table audit');
  await execute(db, 'alter table audit_numbered rename to audit');
  const message = 'the audit is append-only';
  await refuse(db, { table: 'audit', change: 'update', message });
  await refuse(db, { table: 'audit', change: 'delete', message });
  await refuseReplacing(db, 'audit', 'seq = new.seq', message);
  await execute(
    db,
    `create trigger audit_number after insert on audit begin
      update audit_counter set last = new.seq where last < new.seq; end`,
  );
}

async function execute(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
