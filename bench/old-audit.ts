// A database as an older version left it, with an audit of a year.
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { start } from '../src/storage/migrations/0001-start.ts';
import { signIn } from '../src/storage/migrations/0002-sign-in.ts';
import { isPostgres } from '../src/storage/migrations/engine.ts';
import type { Tables } from '../src/storage/tables.ts';

const migrations: Record<string, Migration> = { '0001-start': start, '0002-sign-in': signIn };
const indexes = [
  'alter table audit add primary key (id)',
  'create index audit_at on audit (at)',
  'create index audit_person on audit (person)',
];

/** From this day on for a year, of 10,000 people: half a minute apart at 1,000,000 rows, less at more. */
export async function makeOldAudit(db: Kysely<Tables>, count: number, from: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error !== undefined) throw error;
  // Made after the rows: a random key in an index that grows is slow.
  if (isPostgres(db)) await sql`alter table audit drop constraint audit_pkey`.execute(db);
  if (isPostgres(db)) await sql`drop index audit_at, audit_person`.execute(db);
  await fill(db, count, from);
  if (isPostgres(db)) for (const statement of indexes) await sql.raw(statement).execute(db);
}

async function fill(db: Kysely<Tables>, count: number, from: string): Promise<void> {
  const numbers = isPostgres(db)
    ? sql`generate_series(1, ${sql.lit(count)}) as numbers (n)`
    : sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers)`;
  const second = sql`(n * (31536000.0 / ${sql.lit(count)}))`;
  const at = isPostgres(db)
    ? sql`to_char(timestamp ${sql.lit(from)} + ${second} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.lit(from)}, ${second} || ' seconds')`;
  const random = isPostgres(db) ? sql`gen_random_uuid()` : sql`hex(randomblob(16))`;
  // SQLite's index of it is there from the beginning, and random values would fill it slowly.
  const id = isPostgres(db) ? random : sql`printf('%032d', n)`;
  await sql`insert into audit (id, at, type, person, session, address, request_id, detail)
    select ${id}, ${at}, case n % 50 when 0 then 'list-changed' when 1 then 'sign-in-refused' else 'sign-in' end,
      'E-' || (n % 10000) * 7919 % 10000, ${random}, '10.0.0.1', ${random}, 'bound' from ${numbers}`.execute(db);
}
