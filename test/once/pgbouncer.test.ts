// Frontdesk behind a real PgBouncer, in both of its modes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { withoutProvider as production } from '../support/config.ts';
import { endDaemons } from '../support/daemon.ts';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { expectStatus, Load } from '../support/load.ts';
import { startPgBouncer, type TestPgBouncer } from '../support/pgbouncer.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { runToEnd } from '../support/process.ts';
import { type Cluster, type Replica, secretKey, startCluster, Writer } from '../support/replicas.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/waiting.ts';

const folder = makeFolder();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres({ isDurable: false });
});
afterAll(async () => {
  await postgres?.stop();
  await endDaemons();
  rmSync(folder, { recursive: true, force: true });
});

// Session mode is almost like a direct connection, so only the thorough run tests it.
const modes = isThorough ? (['transaction', 'session'] as const) : (['transaction'] as const);

describe.each(modes)('in %s mode', (mode) => {
  let pooler: TestPgBouncer;
  let cluster: Cluster;
  let direct: string;
  beforeAll(async () => {
    pooler = await startPgBouncer(postgres.url, mode);
    direct = await postgres.createDatabase();
    cluster = await startCluster({ count: 2, databaseUrls: [pooler.through(direct)] });
  });
  beforeEach(async () => {
    await pooler.start();
    await cluster.startMissing();
  });
  afterAll(async () => {
    await cluster?.stop();
    await pooler?.stop();
  });

  test('migrate and check find nothing wrong', async () => {
    const env = { ...production, DATABASE_URL: pooler.through(await postgres.createDatabase()) };
    const migrated = await runToEnd(['migrate'], env, folder);
    expect([migrated.exitCode, migrated.stderr]).toEqual([0, '']);
    const { stdout } = await runToEnd(['check'], env, folder);
    expect(stdout.split('\n').find((line) => line.includes('database'))).toMatch(/^ok /);
  });

  test('migrations wait for each other in a transaction, whose connection the pooler gives to nobody else', async () => {
    const own = await postgres.createDatabase();
    const other = new Client({ connectionString: own });
    await using started = new AsyncDisposableStack();
    started.defer(() => other.end());
    await other.connect();
    await other.query('begin; select pg_advisory_xact_lock(3853314791062309107)');
    const migrating = [0, 1].map(() =>
      runToEnd(['migrate'], { ...production, DATABASE_URL: pooler.through(own) }, folder),
    );
    const waiting = () =>
      postgres.query(
        `select xact_start < query_start as "isInTransaction" from pg_stat_activity
         where datname = current_database() and wait_event = 'advisory'`,
        new URL(own).pathname.slice(1),
      );
    await until(async () => (await waiting()).length === 2);
    expect(await waiting()).toEqual([{ isInTransaction: true }, { isInTransaction: true }]);
    await other.query('rollback');
    expect((await Promise.all(migrating)).map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });

  test('people sign in, and a change at one replica is served by the other', async () => {
    const [one, two] = cluster.replicas as [Replica, Replica];
    const token = await cluster.signIn(two, 'E-1002');
    expect((await fetch(`${one.url}/auth/me`, { headers: bearer(token) })).status).toBe(200);
    const writer = new Writer('employee-level', 'LEAD');
    expect(await writer.write(one.url, cluster.token)).toBe(true);
    await until(async () => (await writer.countLost(two.url, cluster.token)) === 0);
  });

  test('while a killed pooler is down, answers are 503, never 500, and lists still work', async () => {
    const { url } = cluster.replicas[0] as Replica;
    await using lists = new Load(() =>
      expectStatus(fetch(`${url}/employee/position`, { headers: bearer(cluster.token) }), 200),
    );
    const statuses = new Set<number>();
    await using asking = new Load(
      async () => {
        statuses.add((await fetch(`${url}/auth/me`, { headers: bearer(cluster.token) })).status);
        statuses.add((await fetch(url + (await cluster.callback()))).status);
        return undefined;
      },
      isThorough ? { loops: 4 } : { loops: 2, pauseMs: 10 },
    );
    for (let kills = 0; kills < (isThorough ? 3 : 1); kills++) {
      await Promise.all([asking.more(2), lists.more(5)]);
      await pooler.kill();
      statuses.delete(503);
      await until(async () => statuses.has(503));
      await pooler.start();
      await until(async () => (await fetch(`${url}/auth/me`, { headers: bearer(cluster.token) })).status === 200);
    }
    await Promise.all([asking.stop(), lists.stop()]);
    expect([...statuses].sort()).toEqual([200, 503]);
    expect(lists.faults).toEqual([]);
    expect(lists.sent).toBeGreaterThan(0);
  });

  test('while PostgreSQL behind it is down, requests that need it get 503, never 500, and the service exits with 75 at startup', async () => {
    await using started = new AsyncDisposableStack();
    started.defer(() => postgres.resume());
    const { url } = cluster.replicas[0] as Replica;
    const statusOf = async () => (await fetch(`${url}/auth/me`, { headers: bearer(cluster.token) })).status;
    await postgres.halt();
    const statuses = new Set<number>();
    await using asking = new Load(async () => void statuses.add(await statusOf()));
    const env = { ...production, DATABASE_URL: pooler.through(direct) };
    const { exitCode, stderr } = await runToEnd([], env, folder);
    await asking.more(10);
    await asking.stop();
    await postgres.resume();
    expect([...statuses]).toEqual([503]);
    expect([exitCode, stderr]).toEqual([75, expect.not.stringContaining('parameter')]);
    await until(async () => (await statusOf()) === 200);
  });

  test('a list that is read by a cursor is applied, renamed and served', async () => {
    const items = Array.from({ length: 5_200 }, (_, index) => `V${index}`);
    const env = { DATABASE_URL: pooler.through(direct), SECRET_KEY: secretKey };
    for (const label of ['First', 'Second']) {
      const rows = items.map((value) => `long-list,${value},${label}`);
      writeFileSync(join(folder, 'long.csv'), ['list,value,label', ...rows].join('\n'));
      const { exitCode, stderr } = await runToEnd(['lookups', 'apply', 'long.csv'], env, folder);
      expect([exitCode, stderr]).toEqual([0, '']);
      for (const { url } of cluster.replicas) {
        await until(async () => {
          const response = await fetch(`${url}/employee/long-list`, { headers: bearer(cluster.token) });
          if (response.status !== 200) return false;
          const shown = (await response.json()) as { value: string; label: string }[];
          return shown.length === items.length && shown.every((item) => item.label === label);
        });
      }
    }
  });

  test('a transaction that waits for a lock ends after 3 s with 503, and leaves no time limit on the connection', async () => {
    const { url } = cluster.replicas[0] as Replica;
    const locker = new Client({ connectionString: direct });
    await using started = new AsyncDisposableStack();
    started.defer(() => locker.end());
    await locker.connect();
    await locker.query('begin');
    await locker.query("select * from revision where topic = 'lists' for update");
    const headers = { ...bearer(cluster.token), 'content-type': 'application/json' };
    const version = (await fetch(`${url}/admin/lookups/position`, { headers })).headers.get('etag') ?? '';
    const change = { method: 'PATCH', headers: { ...headers, 'if-match': version }, body: '{"label":"Waits"}' };
    const answer = await fetch(`${url}/admin/lookups/position/items/ACCOUNTANT`, change);
    await locker.query('rollback');
    expect([answer.status, ((await answer.json()) as { type: string }).type.split('/').pop()]).toEqual([
      503,
      'storage-unavailable',
    ]);
    const after = new Client({ connectionString: pooler.through(direct) });
    await after.connect();
    const { rows } = await after.query('show statement_timeout');
    await after.end();
    expect(rows).toEqual([{ statement_timeout: '0' }]);
  });
});

test('a parameter that the pooler refuses is reported at once', async () => {
  await using pooler = await startPgBouncer(postgres.url, 'session');
  const url = `${pooler.through(await postgres.createDatabase())}?statement_timeout=1000`;
  const env = { ...production, DATABASE_URL: url };
  const started = await runToEnd([], env, folder);
  const { stdout } = await runToEnd(['check'], env, folder);
  const named = '08P01: the pooler in front of it refuses a connection parameter';
  expect([started.exitCode, started.stderr]).toEqual([78, expect.stringContaining(named)]);
  expect(stdout.split('\n').find((line) => line.includes('database'))).toContain(named);
});
