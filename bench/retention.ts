// npm run bench -- retention: measures how long list requests take while AUDIT_RETENTION_DAYS removes the oldest fifth
// of an audit of 5,000,000 rows, and how long they take before and after that, on both engines (-- 50000 postgres:
// 50,000 rows, on PostgreSQL only).
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Dialect, Kysely } from 'kysely';
import { ensureAuditKey } from '../src/audit/key-making.ts';
import type { AuditKey } from '../src/audit/proof/digest.ts';
import { hashOver, rowsOfSeal } from '../src/audit/proof/sealing.ts';
import { readConfig } from '../src/config/config.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import { openSqlite } from '../src/storage/sqlite.ts';
import { openStorage } from '../src/storage/storage.ts';
import type { Tables } from '../src/storage/tables.ts';
import { makeFolder, startFrontdesk } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { addAuditOfAYear } from './audit-rows.ts';
import { askAtRate } from './load/load.ts';
import { quantile } from './report.ts';

const count = Number(process.argv[2] ?? 5_000_000);
const engine = process.argv[3];
const dayMs = 86_400_000;
const secretKey = 'a secret for measuring, long enough';
const perSecond = 200;
const seconds = 10;

async function measure(name: string, url: string, open: () => Dialect): Promise<void> {
  const db = new Kysely<Tables>({ dialect: open() });
  const key = await fill(url);
  await sealAll(db, key);
  const folder = makeFolder();
  const unused = async (): Promise<never> => {
    throw new Error('not used here');
  };
  const start = async (days: string) => {
    const env = { SECRET_KEY: secretKey, AUDIT_RETENTION_DAYS: days, RATE_LIMIT_API: '0' };
    const desk = await startFrontdesk(env, folder, { url, query: unused, lock: unused });
    const token = await desk.signIn();
    const askLists = () => askAtRate(`${desk.url}/employee/position`, `Bearer ${token}`, perSecond, seconds);
    return { ...desk, askLists };
  };
  const oldest = async () =>
    (await db.selectFrom('audit').select('seq').orderBy('seq').limit(1).executeTakeFirst())?.seq ?? 0;
  const until = (count * 73) / 365;

  print(`${name}: ${count} rows, load ${loadavg()[0]?.toFixed(1)}`);
  const [usual, during]: [number[][], number[][]] = [[], []];
  const askUsual = async (askLists: () => Promise<number[]>) => {
    for (let slice = 0; slice < 6; slice++) usual.push(await askLists());
  };
  // Measured on a service that removes nothing, because housekeeping runs every minute.
  const keeping = await start('0');
  await keeping.askLists();
  await askUsual(keeping.askLists);
  await keeping.stop();
  const desk = await start('292');
  await desk.askLists();
  const begin = performance.now();
  await desk.runHousekeeping();
  while ((await oldest()) < until - rowsOfSeal) during.push(await desk.askLists());
  const took = (performance.now() - begin) / 1000;
  print(`  ${(await oldest()) - 1} rows are removed in ${took.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`);
  // Measured again afterwards, because the load on the machine may have changed.
  await askUsual(desk.askLists);
  for (const [when, slices] of Object.entries({ 'before and after': usual, during })) {
    const show = (share: number) => `${quantileOf(slices, share).toFixed(2).padStart(8)} ms`;
    print(`  lists ${when.padEnd(18)} median ${show(0.5)}, p99 ${show(0.99)}, ${slices.flat().length} requests`);
  }
  print(
    `  p99 during removal, divided by p99 before and after: ${(quantileOf(during, 0.99) / quantileOf(usual, 0.99)).toFixed(2)}`,
  );
  await desk.stop();
  await db.destroy();
}

/**
 * The median of the quantiles of all ten-second slices, because other load on a shared machine disturbs some slices.
 */
const quantileOf = (slices: readonly number[][], share: number) =>
  quantile(
    slices.map((times) => quantile(times, share)),
    0.5,
  );

/** Creates the key before the first row, because the key's row must be the oldest. */
async function fill(url: string): Promise<AuditKey> {
  const storage = await openStorage(readConfig({ DATABASE_URL: url }).database);
  const yearAgo = new Date(Date.now() - 365 * dayMs);
  const key = await ensureAuditKey(storage.db, secretKey, yearAgo);
  if (key === 'sealed') throw new Error('the audit key is sealed');
  await addAuditOfAYear(storage.db, key, count, yearAgo);
  await storage.close();
  return key;
}

/**
 * Seals everything now, so that the service has nothing to seal while it is measured. Unlike the service, does not pause
 * between seals, because pauses would double the time.
 */
async function sealAll(db: Kysely<Tables>, key: AuditKey): Promise<void> {
  const at = new Date().toISOString();
  for (let [number, first, previous]: [number, number, string | undefined] = [1, 1, undefined]; ; number++) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>=', first)
      .orderBy('seq')
      .limit(rowsOfSeal)
      .execute();
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    const seal = { number, first, last, at };
    previous = hashOver(key, seal, previous, rows);
    await db
      .insertInto('audit_seal')
      .values({ ...seal, hash: previous })
      .execute();
    first = last + 1;
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`);

if (engine !== 'postgres') {
  const folder = makeFolder();
  const file = join(folder, 'audit.db');
  await measure('SQLite', `sqlite:${file}`, () => openSqlite(file));
  rmSync(folder, { recursive: true });
}
if (engine !== 'sqlite') {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await measure('PostgreSQL', url, () => openPostgres(url, { size: 2, isUnlimited: true }));
  await postgres.stop();
}
