// Migrations to the next version: what the service answers and logs while they run, and what a failure leaves behind.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { makeNextVersion } from '../support/next-version.ts';
import { freePort } from '../support/ports.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd, spawnFrontdesk, untilReady } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until, untilWorks } from '../support/waiting.ts';

const folder = temporaryFolders();
let postgres: TestPostgres;
let provider: Awaited<ReturnType<typeof startHostileProvider>>;
beforeAll(async () => {
  postgres = await startPostgres({ isSynced: false });
  provider = await startHostileProvider();
});
afterAll(async () => {
  provider.stop();
  await postgres.stop();
});

const addColumn = 'await sql`alter table session add column next_version text`.execute(db);';
/** Returns code that waits until the test creates a file. With SQLite, it blocks its thread, as SQLite's statements do. */
const waitFor = (file: string, engine: string) =>
  `const { existsSync } = await import('node:fs');
   while (!existsSync(${JSON.stringify(file)})) ${engine === 'SQLite' ? 'Bun.sleepSync(5)' : 'await Bun.sleep(5)'};`;

const databases: [string, () => Promise<string>][] = [
  ['PostgreSQL', () => postgres.createDatabase()],
  ['SQLite', async () => `sqlite:${join(folder(), 'frontdesk.db')}`],
];

function environment(databaseUrl: string) {
  const port = String(freePort());
  return {
    ...provider.env,
    NODE_ENV: 'production',
    SECRET_KEY: 'shared by all replicas, long enough',
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: port,
    DATABASE_URL: databaseUrl,
  };
}

interface LogLine {
  msg: string;
  time: string;
  migration?: string;
  seconds?: number;
}

function start(env: Record<string, string>, command?: readonly string[]) {
  const file = join(folder(), 'log');
  const opened = openSync(file, 'a');
  const child = spawnFrontdesk([], env, folder(), opened, command && { command });
  closeSync(opened);
  const output = () => readFileSync(file, 'utf8');
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine);
  return {
    child,
    url: `http://localhost:${env.PORT}`,
    output,
    messages: () => lines().map(({ msg }) => msg),
    migrations: () => lines().filter(({ migration }) => migration !== undefined),
  };
}

const begun = 'migration 1 of 1: 9999-next, session: begun';
const done = /^migration 1 of 1: 9999-next, session: done in \d+\.\d s$/;
const waiting = 'waiting until another process releases its lock on the database';

describe.each(databases)('on %s', (engine, makeDatabase) => {
  test('one replica migrates and another waits: both are alive, say that they are starting, and then serve', async () => {
    const databaseUrl = await makeDatabase();
    const go = join(folder(), 'go');
    const next = makeNextVersion(folder(), { '9999-next': `${waitFor(go, engine)} ${addColumn}` });
    await runToEnd(['migrate'], environment(databaseUrl));

    const [metricsPort, workersPort] = [String(freePort()), String(freePort())];
    const first = start({ ...environment(databaseUrl), METRICS_PORT: metricsPort }, next);
    await until(async () => first.messages().includes(begun));
    const second = start({ ...environment(databaseUrl), WORKERS: '2', METRICS_PORT: workersPort }, next);
    await until(async () => second.messages().includes(waiting));
    for (const { url } of [first, second]) {
      const [live, ready] = await Promise.all(['live', 'ready'].map((name) => fetch(`${url}/health/${name}`)));
      expect([live?.status, await live?.json()]).toEqual([200, { status: 'up' }]);
      expect([ready?.status, await ready?.json()]).toEqual([503, { status: 'starting' }]);
      for (const [method, path] of [
        ['GET', '/employee/position'],
        ['POST', '/auth/renew'],
        ['POST', '/health/live'],
      ] as const) {
        const refused = await fetch(url + path, { method });
        expect(refused.headers.get('retry-after')).toBe('5');
        expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
        await expectProblem(refused, 'starting', 503);
      }
    }
    expect((await runToEnd(['health'], environment(databaseUrl))).stdout).toBe('');
    const health = await runToEnd(['health'], { PORT: new URL(first.url).port });
    expect([health.exitCode, health.stdout]).toEqual([0, 'up\n']);
    for (const each of [metricsPort, workersPort]) {
      const metrics = await (await fetch(`http://localhost:${each}/metrics`)).text();
      expect(metrics).toContain('frontdesk_build_info{');
    }
    expect(first.messages().some((line) => done.test(line))).toBe(false);

    writeFileSync(go, '');
    await Promise.all([untilReady(first.url), untilReady(second.url)]);
    const pools = (await (await fetch(`http://localhost:${metricsPort}/metrics`)).text())
      .split('\n')
      .flatMap((line) => /^frontdesk_database_pool_waiting\{pool="(.*)"\} 0$/.exec(line)?.[1] ?? []);
    expect(pools).toEqual(engine === 'PostgreSQL' ? ['write', 'read', 'long-write'] : ['write', 'read']);
    for (const { url } of [first, second]) {
      expect((await fetch(`${url}/employee/position`)).status).toBe(401);
      expect((await fetch(`${url}/employee/position`, { method: 'POST' })).status).toBe(405);
      expect((await fetch(`${url}/nothing`)).status).toBe(404);
    }
    await until(async () => [first, second].every(({ messages }) => messages().includes('Frontdesk is ready')));
    for (const { child } of [first, second]) child.kill('SIGTERM');
    expect(await Promise.all([first.child.exited, second.child.exited])).toEqual([0, 0]);
    const migrations = [first, second].map(({ messages }) =>
      messages().filter((line) => /migration|waiting/.test(line)),
    );
    expect(migrations).toEqual([[begun, expect.stringMatching(done)], [waiting]]);
  });

  test('if the migrating replica is killed, the waiting one migrates, and the time in its log is that of the migration alone', async () => {
    const databaseUrl = await makeDatabase();
    const go = join(folder(), 'go');
    const next = makeNextVersion(folder(), { '9999-next': `${waitFor(go, engine)} ${addColumn}` });
    await runToEnd(['migrate'], environment(databaseUrl));
    const first = start(environment(databaseUrl), next);
    await until(async () => first.messages().includes(begun));
    const second = start(environment(databaseUrl), next);
    await until(async () => second.messages().includes(waiting));
    first.child.kill('SIGKILL');
    await first.child.exited;
    writeFileSync(go, '');
    await untilReady(second.url);
    second.child.kill('SIGTERM');
    expect(await second.child.exited).toBe(0);
    expect(second.messages().filter((line) => /migration|waiting/.test(line))).toEqual([
      waiting,
      begun,
      expect.stringMatching(done),
    ]);
    const [begunAt, doneAt] = second.migrations().map(({ time }) => Date.parse(time));
    const seconds = second.migrations().at(-1)?.seconds ?? Number.NaN;
    // The times in the log are whole milliseconds, so the difference may be one too small. On SQLite, a time is when the
    // message of the migrating thread arrived, so the difference says too little about the migration.
    if (engine === 'PostgreSQL') expect(seconds * 1000).toBeLessThanOrEqual((doneAt ?? 0) - (begunAt ?? 0) + 1);
  });

  test('each migration is a transaction of its own: what was done before a failure stays, and is not done again', async () => {
    const env = environment(await makeDatabase());
    const one = { '9998-one': addColumn };
    await runToEnd(['migrate'], env);
    const broken = makeNextVersion(folder(), { ...one, '9999-two': 'await sql`alter table nothing`.execute(db);' });
    const failed = start(env, broken);
    expect(await failed.child.exited).toBe(1);
    expect(failed.output()).toContain('migration 2 of 2: 9999-two, session: begun');
    const whole = makeNextVersion(folder(), { ...one, '9999-two': 'await sql`select 1`.execute(db);' });
    const { exitCode, stdout } = await runToEnd(['migrate'], env, folder(), whole);
    expect([exitCode, stdout.split('\n')]).toEqual([
      0,
      [
        'migration 1 of 1: 9999-two, session: begun',
        expect.stringMatching(/^migration 1 of 1: 9999-two, session: done in \d+\.\d s$/),
        expect.stringMatching(/^The tables of .* are up to date\.$/),
        '',
      ],
    ]);
  });
});

test('while a backup keeps a migration from starting, people can sign in at the replica that is running', async () => {
  const databaseUrl = await postgres.createDatabase();
  const env = environment(databaseUrl);
  await runToEnd(['migrate'], env);
  const running = start(env);
  await untilReady(running.url);
  const backup = new Client({ connectionString: databaseUrl });
  await backup.connect();
  await backup.query('begin; lock table session in access share mode');
  const next = start(environment(databaseUrl), makeNextVersion(folder()));
  await until(async () => next.messages().includes(waiting));
  for (const code of ['a', 'b', 'c', 'd']) {
    expect((await fetch(`${running.url}/auth/login/callback?code=${code}`)).status).toBe(200);
  }
  await backup.end();
  await untilReady(next.url);
  expect(next.messages().filter((line) => /migration|waiting/.test(line))).toEqual([
    begun,
    waiting,
    expect.stringMatching(done),
  ]);
  for (const { child } of [running, next]) {
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
  }
});

test('nothing is migrated if the port is taken, and no port is bound after startup has failed', async () => {
  const file = join(folder(), 'frontdesk.db');
  const env = environment(`sqlite:${file}`);
  const next = makeNextVersion(folder());
  await runToEnd(['migrate'], env);
  const database = new Database(file);
  const names = namesIn(database);
  expect(names).toContain('0001');
  const other = Bun.serve({
    port: Number(env.PORT),
    hostname: 'localhost',
    reusePort: false,
    fetch: () => new Response(),
  });
  const refused = await runToEnd([], env, folder(), next);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(/^Port \d+ is in use\./)]);
  await other.stop(true);
  expect(namesIn(database)).toEqual(names);

  // Adds the migration's column in advance, so that the migration fails in its thread.
  database.run('alter table session add column next_version text');
  const failed = start(env, next);
  expect(await failed.child.exited).toBe(1);
  await untilWorks(async () =>
    fetch(failed.url).then(
      () => false,
      () => true,
    ),
  );
  expect(failed.output()).toContain('duplicate column name: next_version');
  database.close();
});

test('while the next version waits for a locked database, it can be stopped, and nothing is changed', async () => {
  const file = join(folder(), 'frontdesk.db');
  const env = environment(`sqlite:${file}`);
  await runToEnd(['migrate'], env);
  const database = new Database(file);
  database.run('begin immediate');
  const replica = start(env, makeNextVersion(folder()));
  await until(async () => replica.messages().includes(waiting));
  expect((await fetch(`${replica.url}/health/live`)).status).toBe(200);
  replica.child.kill('SIGTERM');
  database.run('commit');
  expect(await replica.child.exited).toBe(0);
  database.close();
});

function namesIn(database: Database): string[] {
  const rows = database.query<{ name: string }, []>('select name from kysely_migration').all();
  return rows.map(({ name }) => name);
}
