// npm run bench -- audit: reads an audit of 5,000,000 rows, on both engines (-- 1000 postgres: 1000 rows, on PostgreSQL only).
// For each kind of query, prints how long it takes and which index it uses.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, Kysely, sql } from 'kysely';
import { readAudit } from '../src/audit/audit.queries.ts';
import { migrate } from '../src/storage/migrate.ts';
import { isPostgres } from '../src/storage/migrations/engine.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import { openSqlite } from '../src/storage/sqlite.ts';
import type { Tables } from '../src/storage/tables.ts';
import { makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { addAuditOfAYear } from './audit-rows.ts';

const count = Number(process.argv[2] ?? 5_000_000);
const engine = process.argv[3];

type Db = Kysely<Tables>;

async function measure(name: string, db: Db, queries: CompiledQuery[]): Promise<void> {
  await migrate(db, name);
  await addAuditOfAYear(db, randomBytes(32), count, new Date('2026-01-01'));
  print(`${name}: ${count} rows, load ${loadavg()[0]?.toFixed(1)}`);
  if (isPostgres(db)) await sql`vacuum analyze audit`.execute(db);
  const limit = 100;
  const ways = {
    'first page': { limit },
    'by person': { person: 'E-77', limit },
    'by type': { type: 'list-changed', limit },
    'by person and type': { person: 'E-77', type: 'list-changed', limit },
    'by after': { after: count - 1000, limit },
    'by before': { before: count / 2, limit },
    'by after and type': { after: count / 2, type: 'sign-in-refused', limit },
    'since the last hour': { since: new Date('2026-12-31T23:00:00Z'), limit },
    'since a future time': { since: new Date('2027-06-01'), limit },
  };
  for (const [way, filter] of Object.entries(ways)) {
    queries.length = 0;
    await readAudit(db, filter);
    const asked = [...queries];
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const from = performance.now();
      await readAudit(db, filter);
      times.push(performance.now() - from);
    }
    const plans = await Promise.all(asked.map((query) => explain(db, query)));
    print(
      `  ${way.padEnd(22)}${(times.sort((a, b) => a - b)[10] ?? 0).toFixed(2).padStart(8)} ms  ${plans.join('; ')}`,
    );
  }
}

/** The lines of the query plan that say how tables are read. */
async function explain(db: Db, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const statement = `explain ${isPostgres(db) ? '' : 'query plan '}${text}`;
  const { rows } = await db.executeQuery({ ...sql``.compile(db), sql: statement, parameters });
  const lines = rows.map((row) => String(Object.values(row as object).at(-1)).trim());
  return lines
    .filter((line) => /scan|search/i.test(line))
    .map((line) => line.replace(/ {2}\(.*| on audit/g, ''))
    .join(', ');
}

const print = (line: string) => process.stdout.write(`${line}\n`);

const open = (dialect: ReturnType<typeof openSqlite>, queries: CompiledQuery[]) =>
  new Kysely<Tables>({ dialect, log: ({ query }) => void queries.push(query) });

if (engine !== 'postgres') {
  const folder = makeFolder();
  const queries: CompiledQuery[] = [];
  const db = open(openSqlite(join(folder, 'audit.db')), queries);
  await measure('SQLite', db, queries);
  await db.destroy();
  rmSync(folder, { recursive: true });
}
if (engine !== 'sqlite') {
  const postgres = await startPostgres();
  const queries: CompiledQuery[] = [];
  const db = open(openPostgres(await postgres.createDatabase(), { size: 2, isUnlimited: true }), queries);
  await measure('PostgreSQL', db, queries);
  await db.destroy();
  await postgres.stop();
}
