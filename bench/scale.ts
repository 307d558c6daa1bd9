// npm run bench -- scale: measures what grows with the number of people. Runs with a hundred, ten thousand and a
// million people, each with an open session and five audit rows, on both engines (-- 100,10000 postgres: these numbers,
// on PostgreSQL only). Uses two replicas. Times are in milliseconds, unless a row names another unit.
import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { type Dialect, Kysely } from 'kysely';
import { openPostgres } from '../src/storage/postgres.ts';
import { createSealer } from '../src/storage/secret.ts';
import { openSqlite } from '../src/storage/sqlite.ts';
import type { Tables } from '../src/storage/tables.ts';
import { bearer, makeFolder } from '../test/support/frontdesk.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { fromSource, root } from '../test/support/process.ts';
import { type Cluster, type Replica, secretKey, startCluster } from '../test/support/replicas.ts';
import { quantile } from './report.ts';
import { addAudit, addEnded, addExpired, addPeople, analyze } from './scale-data.ts';

const sizes = (process.argv[2] ?? '100,10000,1000000').split(',').map(Number);
const engine = process.argv[3];
const auditRowsOfPerson = 5;

type Db = Kysely<Tables>;
type Figures = Map<string, string>;

async function timed(request: () => Promise<Response>, status = 200): Promise<number> {
  const begin = performance.now();
  const response = await request();
  await response.arrayBuffer();
  if (response.status !== status) throw new Error(`${response.status} ${new URL(response.url).pathname}`);
  return performance.now() - begin;
}

async function repeat(times: number, act: (turn: number) => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < times; turn++) found.push(await act(turn));
  return found;
}

const show = (times: readonly number[], ...shares: number[]) =>
  times.length === 0 ? '–' : shares.map((share) => quantile(times, share).toFixed(1)).join(' / ');

/** Creates a function that signs tokens like the ones that the service issues. */
async function createSigner(db: Db, { publicUrl }: Cluster) {
  const { kid, alg, private_key } = await db
    .selectFrom('signing_key')
    .selectAll()
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow();
  const jwk = await (await createSealer(secretKey, 'signing keys')).open(private_key);
  const key = await importJWK(JSON.parse(jwk ?? '') as JWK, alg);
  const now = Math.floor(Date.now() / 1000);
  return (sid: string, sub: string, roles = ['EMPLOYEE']) =>
    new SignJWT({ client_id: 'desk', sid, roles })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
      .setIssuer(publicUrl)
      .setAudience(publicUrl)
      .setSubject(sub)
      .setIssuedAt(now)
      .setExpirationTime(now + 4 * 3600)
      .setJti(crypto.randomUUID())
      .sign(key);
}

/** Runs a command to its end; returns its lines, seconds and peak memory. */
async function measureCommand(words: readonly string[], databaseUrl: string): Promise<string> {
  const begin = performance.now();
  const child = Bun.spawn([...fromSource, ...words], {
    env: { PATH: `${root}/node_modules/.bin:${process.env.PATH}`, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  for await (const chunk of child.stdout) for (const byte of chunk) if (byte === 10) lines++;
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')} failed`);
  const memory = (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
  return `${lines} / ${((performance.now() - begin) / 1000).toFixed(1)} / ${memory.toFixed(0)}`;
}

/** Prints each result at once, because a run takes an hour. */
class PrintedFigures extends Map<string, string> {
  override set(name: string, value: string): this {
    process.stderr.write(`  ${name.padEnd(46)}${value}\n`);
    return super.set(name, value);
  }
}

async function measure(databaseUrl: string, open: () => Dialect, people: number): Promise<Figures> {
  process.stderr.write(`${people} people, ${databaseUrl.split(':')[0]}\n`);
  const figures: Figures = new PrintedFigures();
  const cluster = await startCluster({ count: 2, databaseUrls: [databaseUrl] });
  const [one, two] = cluster.replicas as [Replica, Replica];
  await Promise.all([one.stop(), two.stop()]);
  const db: Db = new Kysely<Tables>({ dialect: open() });
  await addPeople(db, people);
  await addAudit(db, people * auditRowsOfPerson, people);
  await analyze(db);
  const sign = await createSigner(db, cluster);
  // Only people in the first half, because those in the second half are signed out later.
  const anyone = () => 1 + Math.floor((Math.random() * people) / 2);
  const memory = () => {
    const status = readFileSync(`/proc/${one.pid()}/status`, 'utf8');
    return `${(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0)} MiB`;
  };
  const startOne = async () => {
    const begin = performance.now();
    await one.start();
    return `${(performance.now() - begin).toFixed(0)}`;
  };

  figures.set('start', await startOne());
  figures.set('memory after startup', memory());
  await two.start();

  const askMe = async () => {
    const number = anyone();
    const headers = bearer(await sign(`bench-${number}`, `B-${number}`));
    return timed(() => fetch(`${one.url}/auth/me`, { headers }));
  };
  const signIn = async () => {
    const path = await cluster.callback('E-1003');
    return timed(() => fetch(`${one.url}${path}`));
  };
  await repeat(100, askMe);
  await repeat(20, signIn);
  figures.set('/auth/me, median / p99', show(await repeat(1000, askMe), 0.5, 0.99));
  figures.set('sign-in, median / p99', show(await repeat(200, signIn), 0.5, 0.99));
  const logouts = await measureLogouts(cluster, people, (number) => sign(`bench-${number}`, `B-${number}`));
  figures.set('logout, median / p99', show(logouts.own, 0.5, 0.99));
  figures.set('refused by the other replica, median / longest', show(logouts.known, 0.5, 1));

  const auditor = bearer(await sign('bench-1', 'B-1', ['AUDITOR']));
  const readAudit = (query: () => string) =>
    repeat(50, () => timed(() => fetch(`${one.url}/admin/audit?${query()}`, { headers: auditor })));
  figures.set('audit, first page', show(await readAudit(() => ''), 0.5, 0.99));
  figures.set('audit, by person', show(await readAudit(() => `person=B-${anyone()}`), 0.5, 0.99));
  figures.set('audit, by type', show(await readAudit(() => 'type=logout'), 0.5, 0.99));
  figures.set('memory after all this', memory());
  const everyRow = ['audit', '--json', '--limit', String(people * auditRowsOfPerson)];
  figures.set('frontdesk audit: lines / s / MiB', await measureCommand(everyRow, databaseUrl));
  const everySession = ['sessions', 'list', '--json'];
  figures.set('frontdesk sessions list: lines / s / MiB', await measureCommand(everySession, databaseUrl));

  const cleaning = await measureCleaning(db, people, askMe, signIn).catch((error: unknown) => {
    for (const replica of [one, two]) process.stderr.write(warningsIn(replica.log()));
    throw error;
  });
  for (const [name, value] of cleaning) figures.set(name, value);

  // From here on, half of the people have just signed out.
  await Promise.all([one.stop(), two.stop()]);
  await addEnded(db, Math.ceil(people / 2));
  await analyze(db);
  figures.set('start, half of them ended', await startOne());
  figures.set('memory, half of them ended', memory());
  await two.start();
  const ended = await measureLogouts(cluster, people, (number) => sign(`bench-${number}`, `B-${number}`), true);
  figures.set('logout, half of them ended, median / p99', show(ended.own, 0.5, 0.99));
  figures.set('refused by the other replica, half of them ended', show(ended.known, 0.5, 1));
  figures.set('load of the machine', loadavg()[0]?.toFixed(1) ?? '');
  await cluster.stop();
  await db.destroy();
  return figures;
}

/** The log lines in which the service describes a failure. */
function warningsIn(log: string): string {
  const lines = log.split('\n').filter((line) => /"level":"(warn|error|fatal)"/.test(line));
  return lines.map((line) => `${line}\n`).join('');
}

/** Signs up to 100 people out. Returns how long each sign-out took, and how much later the other replica refused the token. */
async function measureLogouts(
  { replicas }: Cluster,
  people: number,
  tokenOf: (number: number) => Promise<string>,
  isSecond = false,
) {
  const [one, two] = replicas as [Replica, Replica];
  const [own, known]: [number[], number[]] = [[], []];
  const count = Math.min(100, Math.floor(people / 4));
  for (let turn = 0; turn < count; turn++) {
    const number = people - (isSecond ? count : 0) - turn;
    const headers = bearer(await tokenOf(number));
    own.push(await timed(() => fetch(`${one.url}/auth/logout`, { method: 'POST', headers }), 204));
    const begin = performance.now();
    for (let status = 0; status !== 401; ) {
      const response = await fetch(`${two.url}/employee/position`, { headers });
      await response.arrayBuffer();
      status = response.status;
    }
    known.push(performance.now() - begin);
  }
  return { own, known };
}

/**
 * Measures requests while housekeeping deletes as many expired sessions as there are people. Housekeeping begins within a
 * minute, on either replica, and erases the tokens of the sessions first.
 */
async function measureCleaning(
  db: Db,
  people: number,
  askMe: () => Promise<number>,
  signIn: () => Promise<number>,
): Promise<Figures> {
  await addExpired(db, people);
  const isThere = async (number: number) =>
    (await db.selectFrom('session').select('sid').where('sid', '=', `expired-${number}`).executeTakeFirst()) !==
    undefined;
  const isAnyThere = async () =>
    (await db.selectFrom('session').select('sid').where('sid', 'like', 'expired-%').limit(1).executeTakeFirst()) !==
    undefined;
  const waits: Record<'erasing' | 'deleting' | 'neither', { me: number[]; signIn: number[] }> = {
    erasing: { me: [], signIn: [] },
    deleting: { me: [], signIn: [] },
    neither: { me: [], signIn: [] },
  };
  const ask = async (found: { me: number[]; signIn: number[] }) => {
    found.me.push(await askMe());
    found.signIn.push(await signIn());
    await Bun.sleep(5);
  };
  let begin: number | undefined;
  for (;;) {
    if (begin === undefined && !(await isThere(1))) begin = performance.now();
    if (begin !== undefined && !(await isThere(people - 1)) && !(await isAnyThere())) break;
    await ask(waits[begin === undefined ? 'erasing' : 'deleting']);
  }
  const took = performance.now() - begin;
  // The same number of requests without housekeeping, because the maximum grows with the number of samples.
  for (let left = waits.deleting.me.length; left > 0; left--) await ask(waits.neither);
  const figures: Figures = new Map([['expired sessions deleted in', `${(took / 1000).toFixed(1)} s`]]);
  for (const [when, { me }] of Object.entries(waits)) {
    figures.set(`${when}: /auth/me, median / p99 / longest`, show(me, 0.5, 0.99, 1));
  }
  for (const [when, times] of Object.entries(waits)) {
    figures.set(`${when}: sign-in, median / p99 / longest`, show(times.signIn, 0.5, 0.99, 1));
  }
  return figures;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

function printTable(name: string, columns: readonly Figures[]): void {
  print(`\n${name.padEnd(48)}${sizes.map((size) => size.toLocaleString('en').padStart(18)).join('')}`);
  for (const what of columns[0]?.keys() ?? []) {
    print(what.padEnd(48) + columns.map((column) => (column.get(what) ?? '').padStart(18)).join(''));
  }
}

if (engine !== 'postgres') {
  const columns: Figures[] = [];
  for (const size of sizes) {
    const folder = makeFolder();
    const file = join(folder, 'frontdesk.db');
    columns.push(await measure(`sqlite:${file}`, () => openSqlite(file), size));
    rmSync(folder, { recursive: true });
  }
  printTable('SQLite', columns);
}
if (engine !== 'sqlite') {
  const columns: Figures[] = [];
  const postgres = await startPostgres();
  for (const size of sizes) {
    const url = await postgres.createDatabase();
    columns.push(await measure(url, () => openPostgres(url, { size: 2, isUnlimited: true }), size));
  }
  await postgres.stop();
  printTable('PostgreSQL', columns);
}
process.exit(0);
