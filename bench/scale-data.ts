// Creates many people, sessions and audit rows by SQL, in a database that Frontdesk has set up.
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../src/storage/migrations/engine.ts';
import type { Tables } from '../src/storage/tables.ts';

type Db = Kysely<Tables>;

/** A table with the numbers `n` from 1 to `count`. */
const numbers = (db: Db, count: number) =>
  isPostgres(db)
    ? sql`generate_series(1, ${sql.lit(count)}) as numbers (n)`
    : sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers)`;

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Adds people `B-1` and so on, each with an open session `bench-1` and so on. */
export async function addPeople(db: Db, count: number): Promise<void> {
  const text = isPostgres(db) ? sql`n::text` : sql`cast(n as text)`;
  await sql`insert into person (id, issuer, subject, employee_id, name, given_name, family_name, email, email_verified,
      phone_number, created_at, last_login_at)
    select 'bench-' || n, 'https://bench.example', 'B-' || n, 'B-' || n, 'Person ' || n, 'Person', ${text},
      'b' || n || '@example.com', 1, '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
    from ${numbers(db, count)}`.execute(db);
  await addSessions(db, count, 'bench', { opened: inHours(-1), expires: inHours(8), ended: null });
}

interface Times {
  opened: string;
  expires: string;
  ended: string | null;
}

/** Adds one session for each person. Sessions that have not ended have provider tokens. */
async function addSessions(db: Db, count: number, name: string, { opened, expires, ended }: Times): Promise<void> {
  const tokens = ended === null ? sql`${'x'.repeat(600)}, ${'y'.repeat(200)}` : sql`null, null`;
  const revision = ended === null ? sql`null` : sql`n`;
  await sql`insert into session (sid, person_id, roles, authentication, opened_at, expires_at, ended_at, ended_revision, cookie_hash, last_seen_at,
      idle_ends_at, token_expires_at, id_token, refresh_token)
    select ${`${name}-`} || n, 'bench-' || n, '["EMPLOYEE"]', '{"amr":[]}', ${opened}, ${expires}, ${sql.lit(ended)}, ${revision}, ${`${name}-`} || n,
      ${opened}, ${expires}, ${expires}, ${tokens} from ${numbers(db, count)}`.execute(db);
}

/** Adds sessions `expired-1` and so on, which expired two days ago. */
export const addExpired = (db: Db, count: number) =>
  addSessions(db, count, 'expired', { opened: inHours(-60), expires: inHours(-48), ended: null });

/** Adds sessions `ended-1` and so on, which have just ended. Their access tokens would still be valid for hours. */
export async function addEnded(db: Db, count: number): Promise<void> {
  await addSessions(db, count, 'ended', { opened: inHours(-1), expires: inHours(8), ended: inHours(0) });
  await sql`insert into revision (topic, number) values ('sessions', ${sql.lit(count)})
    on conflict (topic) do update set number = revision.number + ${sql.lit(count)}`.execute(db);
}

/** Adds a year of audit rows about these people. They count as sealed, so the service seals only later rows. */
export async function addAudit(db: Db, count: number, people: number): Promise<void> {
  const { last } = await db.selectFrom('audit_counter').select('last').executeTakeFirstOrThrow();
  const second = sql`(n * (31536000.0 / ${sql.lit(count)}))`;
  const from = inHours(-24 * 365).slice(0, 10);
  const at = isPostgres(db)
    ? sql`to_char(timestamp ${sql.lit(from)} + ${second} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.lit(from)}, ${second} || ' seconds')`;
  const person = sql`'B-' || (cast(n as bigint) * 7919 % ${sql.lit(people)} + 1)`;
  await sql`insert into audit (seq, at, type, person, actor, session, address, request_id, detail, salt, digest)
    select n + ${sql.lit(last)}, ${at}, case n % 50 when 0 then 'logout' when 1 then 'sign-in-refused' else 'sign-in' end,
      ${person}, ${person}, 'bench-' || n, '10.0.0.1', 'request-' || n, 'bound', '', '' from ${numbers(db, count)}`.execute(
    db,
  );
  await db
    .updateTable('audit_counter')
    .set({ last: last + count })
    .execute();
  const seal = await db.selectFrom('audit_seal').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
  const covers = { first: (seal?.last ?? 0) + 1, last: last + count };
  await db
    .insertInto('audit_seal')
    .values({ number: (seal?.number ?? 0) + 1, ...covers, at: inHours(0), hash: '0'.repeat(64) })
    .execute();
}

export async function analyze(db: Db): Promise<void> {
  await sql.raw(isPostgres(db) ? 'vacuum analyze' : 'analyze').execute(db);
}
