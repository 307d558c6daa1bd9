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

/** In place, so that grants and views stay. Without indexes, which would each be written for every row. */
async function numberInPostgres(db: Kysely<unknown>): Promise<void> {
  await execute(db, 'alter table audit add column seq bigint, add column actor text');
  await execute(db, 'alter table audit drop constraint audit_pkey, alter column id drop not null');
  await execute(db, 'drop index audit_at, audit_person');
  await execute(db, 'alter table audit disable trigger audit_no_update');
  await sql`update audit set seq = numbered.seq
    from (select ctid as place, row_number() over (order by at, id) as seq from audit) as numbered
    where audit.ctid = numbered.place`.execute(db);
  await execute(db, 'alter table audit enable trigger audit_no_update');
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
  await execute(db, `insert into audit_numbered (${kept}) select ${kept} from audit order by at, id`);
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
