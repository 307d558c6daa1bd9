// What only PostgreSQL has: connection URLs with options, accounts, LISTEN and NOTIFY, and many replicas that start at once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { readConfig } from '../../src/config/config.ts';
import { ConnectionLost, isStorageAway } from '../../src/storage/errors.ts';
import { inspectStorage } from '../../src/storage/inspect.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { bumpRevision } from '../../src/storage/revisions.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { renewBy, signInBound } from '../support/bound-sign-in.ts';
import { withoutProvider as production } from '../support/config.ts';
import { endDaemons } from '../support/daemon.ts';
import { bearer, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { expectStatus, Load } from '../support/load.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { patient, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { expectProblem } from '../support/problem.ts';
import { runFrontdesk, runToEnd, untilReady } from '../support/process.ts';
import { startCluster, Writer } from '../support/replicas.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/waiting.ts';

const folder = makeFolder();
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres({ tls: true, isSynced: false });
});
// A failed test may have left PostgreSQL stopped.
beforeEach(() => postgres.resume());
afterAll(async () => {
  await postgres?.stop();
  await endDaemons();
  rmSync(folder, { recursive: true, force: true });
});

const ca = encodeURIComponent(join(import.meta.dir, '../support/tls/ca.pem'));

/** The line that `frontdesk check` prints about the database. */
async function check(url: string): Promise<string> {
  const { stdout } = await runToEnd(['check'], { ...production, DATABASE_URL: url }, folder);
  return stdout.split('\n').find((line) => line.includes('database')) ?? stdout;
}

test('replicas start at once on an empty database', async () => {
  const url = await postgres.createDatabase();
  const ports = new Set<number>();
  while (ports.size < (isThorough ? 10 : 4)) ports.add(freePort());
  await using started = new AsyncDisposableStack();
  const replicas = [...ports].map((port) => {
    const child = runFrontdesk([], { ...production, DATABASE_URL: url, PORT: String(port) }, folder);
    return { port, child: started.use(child) };
  });
  await Promise.all(replicas.map(({ port }) => untilReady(`http://localhost:${port}`)));
  const published = await Promise.all(
    replicas.map(async ({ port }) => (await fetch(`http://localhost:${port}/.well-known/jwks.json`)).text()),
  );
  for (const { child } of replicas) child.kill('SIGTERM');
  const exitCodes = await Promise.all(replicas.map(({ child }) => child.exited));
  expect(new Set(published).size).toBe(1);
  expect(new Set(exitCodes)).toEqual(new Set([0]));
  const name = new URL(url).pathname.slice(1);
  expect(await postgres.query('select count(*)::int as keys from signing_key', name)).toEqual([{ keys: 1 }]);
  expect(await postgres.query('select version::int from lookup_history', name)).toEqual(Array(4).fill({ version: 1 }));
});

describe('the address', () => {
  let url: string;
  beforeAll(async () => {
    url = await postgres.createDatabase();
  });

  const withQuery = (query: string, host = 'localhost') => `${url.replace('@localhost', `@${host}`)}?${query}`;

  test.each([
    ['sslmode=disable', false],
    ['sslmode=no-verify', true],
    [`sslmode=require&sslrootcert=${ca}`, true],
    [`sslmode=verify-full&sslrootcert=${ca}`, true],
  ])('with %s connects, and TLS is used as requested', async (query, isEncrypted) => {
    const { database } = readConfig({ DATABASE_URL: withQuery(query) });
    const statement =
      "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'frontdesk'";
    // The connections of the previous test are closed here, but the server may still be ending them.
    await until(async () => (await postgres.query(statement)).length === 0);
    const storage = await openStorage(database);
    await storage.ping();
    const rows = await postgres.query(statement);
    await storage.close();
    expect(new Set(rows.map(({ ssl }) => ssl))).toEqual(new Set([isEncrypted]));
  });

  test('with an untrusted certificate does not connect', async () => {
    expect(await check(withQuery('sslmode=require'))).toMatch(
      /^FAILS {2}database .*\((UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/,
    );
  });

  test('under a name that is not in the certificate does not connect', async () => {
    expect(await check(withQuery(`sslmode=verify-full&sslrootcert=${ca}`, '127.0.0.1'))).toContain(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  });

  test('may leave the password to the environment', async () => {
    const { password } = new URL(url);
    const bare = url.replace(`:${password}@`, '@');
    const env = { ...production, DATABASE_URL: bare, PGPASSWORD: decodeURIComponent(password) };
    const { stdout } = await runToEnd(['check'], env, folder);
    expect(stdout).toMatch(/^ok {5}database {10} postgres:\/\/localhost:\d+\/\w+ opens/m);
  });

  test('with a wrong password or a missing database counts as a wrong configuration, and no secret is printed', async () => {
    const wrong = url.replace(/:[^:@]+@/, ':hunter2@');
    const missing = url.replace(/\w+$/, 'nowhere');
    for (const [address, code] of [
      [wrong, '28P01'],
      [missing, '3D000'],
    ] as const) {
      const { exitCode, stdout, stderr } = await runToEnd([], { ...production, DATABASE_URL: address }, folder);
      expect([exitCode, stdout.trim().split('\n').length]).toEqual([78, 1]);
      expect(JSON.parse(stdout)).toEqual({
        level: 'info',
        time: expect.any(String),
        instance: hostname(),
        version: expect.any(String),
        commit: expect.any(String),
        msg: 'Frontdesk is starting',
      });
      expect(stderr).toMatch(new RegExp(`^postgres://localhost:\\d+/\\w+ cannot be opened \\(${code}\\)\n$`));
    }
  });

  test('of a port that nobody listens on makes startup fail with exit code 75', async () => {
    const address = `postgres://frontdesk:hunter2@localhost:${freePort()}/frontdesk`;
    const { exitCode, stderr } = await runToEnd([], { ...production, DATABASE_URL: address }, folder);
    expect([exitCode, stderr]).toEqual([75, expect.stringMatching(/ cannot be opened \(ECONNREFUSED\)\n$/)]);
    expect(stderr).not.toContain('hunter2');
  });
});

test('a server that accepts connections without answering is reported, and startup and frontdesk migrate wait for it', async () => {
  await using started = new AsyncDisposableStack();
  const network = await startTcpProxy(postgres.port);
  started.defer(() => network.stop());
  const url = (await postgres.createDatabase()).replace(`:${postgres.port}/`, `:${network.port}/`);
  const port = freePort();
  const env = { ...production, DATABASE_URL: url, PORT: String(port) };
  network.cut();
  const migrating = runToEnd(['migrate'], env, folder);
  started.use(runFrontdesk([], env, folder));
  const opening = inspectStorage(readConfig(env).database).catch((error: unknown) => error);
  expect(await check(url)).toContain(' cannot be opened (ETIMEDOUT: no answer in time): check the host and port');
  // With such an error, the service exits with code 75 at startup and logs the cause.
  expect(await opening).toMatchObject({ mayPass: true, cause: { code: 'ETIMEDOUT' } });
  network.heal();
  expect(await migrating).toMatchObject({ exitCode: 0, stderr: '' });
  await untilReady(`http://localhost:${port}`);
});

test('if the password or the named certificate file is missing, the service exits with code 78 at startup', async () => {
  const url = await postgres.createDatabase();
  const bare = url.replace(/:[^:@]+@/, '@');
  const started = await runToEnd([], { ...production, DATABASE_URL: bare }, folder);
  expect([started.exitCode, started.stderr]).toEqual([78, expect.stringContaining('(a password is needed)')]);
  expect(await check(bare)).toContain('(a password is needed)');
  const missing = await runToEnd(
    [],
    { ...production, DATABASE_URL: `${url}?sslmode=require&sslrootcert=/nope` },
    folder,
  );
  expect([missing.exitCode, missing.stderr]).toEqual([78, expect.stringContaining('(ENOENT)')]);
});

test('connections that the server closes are replaced before anybody notices', async () => {
  await using cluster = await startCluster({ count: 1, databaseUrls: [patient(await postgres.createDatabase())] });
  const { token, replicas } = cluster;
  const url = replicas[0]?.url ?? '';
  await using asking = new Load(() => expectStatus(fetch(`${url}/auth/me`, { headers: bearer(token) }), 200), {
    loops: 4,
    pauseMs: 1,
  });
  for (let round = 0; round < 5; round++) {
    await asking.more(20);
    await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk'");
  }
  await asking.more(20);
  await asking.stop();
  const held = await postgres.query("select pid from pg_stat_activity where application_name = 'frontdesk'");
  expect(asking.faults).toEqual([]);
  expect(held.length).toBeLessThanOrEqual(11);
});

test('each pool reports its open connections, how many requests wait for one, and how long they waited', async () => {
  const taken: string[] = [];
  const url = await postgres.createDatabase();
  // One connection is reserved for long changes. Half of the other four are for writing.
  const { database } = readConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '5' });
  const storage = await openStorage(database, undefined, {
    taken: (pool, milliseconds) => void taken.push(`${pool} ${milliseconds >= 0}`),
  });
  const release = Promise.withResolvers<void>();
  const hold = () => storage.db.connection().execute(() => release.promise);
  const holding = [hold(), hold(), hold()];
  const write = () => storage.pools().find(({ pool }) => pool === 'write');
  await until(async () => write()?.open === 2 && write()?.waiting === 1 && taken.length === 2);
  expect(storage.pools().map(({ pool }) => pool)).toEqual(['write', 'read', 'long-write']);
  expect(taken).toEqual(['write true', 'write true']);
  release.resolve();
  await Promise.all(holding);
  expect([write()?.waiting, taken.length]).toEqual([0, 3]);
  await storage.ping();
  expect(taken.at(-1)).toBe('read true');
  await storage.close();
});

test('a request that gets no connection in time counts as having waited for all of that time', async () => {
  const waits: number[] = [];
  const { pool } = openPostgres(await postgres.createDatabase(), {
    size: 2,
    taken: (milliseconds) => void waits.push(milliseconds),
  });
  const held = [await pool.connect(), await pool.connect()];
  await expect(pool.connect()).rejects.toThrow(ConnectionLost);
  expect(waits).toHaveLength(3);
  expect(waits.at(-1)).toBeGreaterThan(1000);
  for (const client of held) client.release();
  await pool.end();
});

test('a server that dies under a connection in the pool is reported as unavailable', async () => {
  const proxy = await startTcpProxy(postgres.port);
  const url = (await postgres.createDatabase()).replace(`:${postgres.port}/`, `:${proxy.port}/`);
  const storage = await openStorage(readConfig({ DATABASE_URL: url }).database);
  await storage.ping();
  proxy.stop();
  // The ping uses a connection that is closed but still in the pool; a new connection is refused.
  const error = await storage.ping().catch((reason: unknown) => reason);
  await storage.close();
  expect(error).toBeInstanceOf(ConnectionLost);
  expect(isStorageAway(error)).toBe(true);
});

test.each(['directly', 'through PgBouncer in transaction mode'])(
  'a session survives if PostgreSQL, reached %s, is killed after the provider replaced the refresh token',
  async (way) => {
    await using started = new AsyncDisposableStack();
    const pooler = way === 'directly' ? undefined : started.use(await startPgBouncer(postgres.url, 'transaction'));
    const direct = await postgres.createDatabase();
    const provider = await startHostileProvider();
    started.defer(() => provider.stop());
    const env = { ...provider.env, SECRET_KEY: production.SECRET_KEY };
    const desk = await startFrontdesk({ ...env, DATABASE_URL: pooler?.through(direct) ?? direct });
    started.defer(() => desk.stop());
    let granted = 0;
    provider.lie = { refreshToken: () => `works once ${++granted}` };
    const { cookie } = await signInBound(desk, provider);
    const works = (form: URLSearchParams) => form.get('refresh_token') === `works once ${granted}`;
    const refresh = async (form: URLSearchParams) =>
      works(form) ? provider.tokens() : Response.json({ error: 'invalid_grant' }, { status: 400 });
    const killFirst = async (form: URLSearchParams) => {
      await postgres.kill();
      return refresh(form);
    };
    provider.lie = { ...provider.lie, refresh: killFirst };
    await expectProblem(await renewBy(cookie, desk), 'storage-unavailable', 503);
    provider.lie = { ...provider.lie, refresh };
    await postgres.resume();
    const statuses = new Set<number>();
    await until(async () => {
      const { status } = await renewBy(cookie, desk);
      if (status !== 200) statuses.add(status);
      return status === 200 || status === 401;
    });
    expect([...statuses].filter((status) => status !== 503)).toEqual([]);
    expect(granted).toBe(3);
  },
);

test('a statement that takes too long is aborted, and no other request is refused because of it', async () => {
  const storage = await openStorage(readConfig({ DATABASE_URL: await postgres.createDatabase() }).database);
  let isOver = false;
  const slow = sql`select pg_sleep(60)`
    .execute(storage.reads)
    .catch((reason: unknown) => reason)
    .finally(() => {
      isOver = true;
    });
  const others: unknown[] = [];
  const ping = async () => others.push(await storage.ping().catch((reason: unknown) => reason));
  for (; !isOver; await Bun.sleep(50)) await ping();
  const error = await slow;
  await ping();
  await storage.close();
  expect(isStorageAway(error)).toBe(true);
  expect(others.length).toBeGreaterThan(1);
  expect(others.filter((answer) => answer !== undefined)).toEqual([]);
});

test('writes that wait do not delay noticing an ended session', async () => {
  const databaseUrl = await postgres.createDatabase();
  await using cluster = await startCluster({ count: 2, databaseUrls: [databaseUrl] });
  const { token, replicas } = cluster;
  const [one, two] = replicas.map(({ url }) => url) as [string, string];
  const session = await cluster.signIn();
  const ask = () => fetch(`${one}/employee/position`, { headers: bearer(session) });
  expect((await ask()).status).toBe(200);
  const holder = new Client(databaseUrl);
  await using started = new AsyncDisposableStack();
  started.defer(() => holder.end());
  await holder.connect();
  await holder.query("begin; select * from revision where topic = 'lists' for update");
  const writer = new Writer('employee-level', 'LEAD');
  // These writes end with 503.
  await using _writing = new Load(async () => void (await writer.write(one, token).catch(() => {})), {
    loops: 12,
    pauseMs: 0,
  });
  const waiting = () =>
    postgres.query(
      "select pid from pg_stat_activity where wait_event_type = 'Lock'",
      new URL(databaseUrl).pathname.slice(1),
    );
  await until(async () => (await waiting()).length > 0);
  expect((await fetch(`${two}/auth/logout`, { method: 'POST', headers: bearer(session) })).status).toBe(204);
  await until(async () => (await ask()).status === 401);
  await holder.query('rollback');
});

test('a new revision is announced at once, even after the connection was lost', async () => {
  const url = await postgres.createDatabase();
  const storage = await openStorage(readConfig({ DATABASE_URL: url }).database);
  let heard = 0;
  storage.listen(() => {
    heard++;
  });
  const tell = () => storage.db.transaction().execute((tx) => bumpRevision(tx, 'lists'));
  await until(async () => heard === 1);
  await tell();
  await until(async () => heard === 2);
  await postgres.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(url).pathname.slice(1)}'`,
  );
  await until(async () => heard === 3);
  // Requests on a lost connection fail; the next ones get a new connection.
  await until(() =>
    tell().then(
      () => true,
      () => false,
    ),
  );
  await until(async () => heard === 4);
  await storage.close();
});

test('a transaction in which a statement failed is never reported as committed', async () => {
  const storage = await openStorage(readConfig({ DATABASE_URL: await postgres.createDatabase() }).database);
  const swallowing = storage.db.transaction().execute(async (tx) => {
    await sql`insert into used_code values ('one', '2026-01-01')`.execute(tx);
    await sql`select nothing from nowhere`.execute(tx).catch(() => {});
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await storage.db.selectFrom('used_code').selectAll().execute()).toEqual([]);
  await storage.close();
});

test('without the database, tokens are accepted for STALE_LIMIT_SECONDS, and no longer', async () => {
  await using cluster = await startCluster({
    count: 1,
    databaseUrls: [await postgres.createDatabase()],
    // Longer than a busy machine takes between the kill and the first request.
    env: { STALE_LIMIT_SECONDS: '12' },
  });
  const { token, replicas } = cluster;
  const url = replicas[0]?.url ?? '';
  const ask = (headers: Record<string, string>) => fetch(`${url}/employee/position`, { headers });
  // Killed, because a graceful stop may take as long as the limit on a busy machine.
  await postgres.kill();
  expect((await ask(bearer(token))).status).toBe(200);
  await until(async () => (await ask(bearer(token))).status === 503);
  const stale = await ask(bearer(token));
  expect(stale.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectProblem(stale, 'storage-unavailable', 503);
  // A missing token is still answered with 401, but a wrong token can no longer be checked.
  await expectProblem(await ask({}), 'unauthorized', 401);
  await expectProblem(await ask(bearer('a.b.c')), 'storage-unavailable', 503);
  expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  await postgres.resume();
  await until(async () => (await ask(bearer(token))).status === 200);
  const log = replicas[0]?.log() ?? '';
  expect(log).toContain('the database is available again');
});
