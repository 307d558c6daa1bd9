// Does what docs/operations.md tells an operator to do.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longestStopMs, longestStopOfWorkersMs } from '../../src/base/stop-times.ts';
import { Browser } from '../support/browser.ts';
import { bearer, codeFromProvider, startFrontdesk } from '../support/frontdesk.ts';
import { guideBlock, operations } from '../support/guide.ts';
import { freePort } from '../support/ports.ts';
import { startPostgres } from '../support/postgres.ts';
import { root, runFrontdesk, runToEnd, untilReady } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { startCluster, Writer } from '../support/replicas.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until, untilWorks } from '../support/waiting.ts';

const folder = temporaryFolders();

describe('PostgreSQL with least privilege', () => {
  test('the documented accounts can do what the service does, and no more', async () => {
    const afterwards = guideBlock('grant delete on used_code');
    const [onServer = '', inDatabase = ''] = guideBlock('create role frontdesk_owner ').split('\\connect frontdesk\n');
    const postgres = await startPostgres({ isDurable: false });
    const asRole = (role: string, password: string) =>
      `postgres://${role}:${encodeURIComponent(password)}@localhost:${postgres.port}/frontdesk`;
    const [owner, service] = [asRole('frontdesk_owner', 'one secret'), asRole('frontdesk', 'another secret')];
    // Run one by one, because a database cannot be created inside a transaction.
    for (const statement of onServer.split(';').filter((part) => part.trim() !== '')) await postgres.query(statement);
    await postgres.query(inDatabase, 'frontdesk');

    const early = await runToEnd([], { DATABASE_URL: service }, folder());
    expect([early.exitCode, early.stderr]).toEqual([78, expect.stringContaining('see frontdesk migrate')]);
    const check = async () => (await runToEnd(['check'], { DATABASE_URL: service }, folder())).stdout;
    const database = `FAILS  database           postgres://localhost:${postgres.port}/frontdesk:`;
    expect(await check()).toContain(
      `${database} its tables are out of date, and this account may not create any: run frontdesk migrate as their owner\n`,
    );
    const migrated = await runToEnd(['migrate'], { DATABASE_URL: owner }, folder());
    expect(migrated).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ are up to date\.\n$/) });
    expect(await check()).toContain(
      `${database} this account lacks permissions: as the owner, grant delete on session, used_code to it\n`,
    );
    await postgres.query(afterwards, 'frontdesk');
    // An account that is created after the migration lacks these grants.
    const functions = 'audit_forget(text, jsonb, jsonb), audit_remove(bigint, bigint, bigint)';
    await postgres.query(`revoke execute on function ${functions} from frontdesk`, 'frontdesk');
    expect(await check()).toContain('FAILS  database');
    await postgres.query(`set role frontdesk_owner; ${guideBlock('grant execute on function ')}`, 'frontdesk');
    await postgres.query(guideBlock('alter role frontdesk set statement_timeout'));
    expect(await check()).toMatch(/^ok {5}database {10} \S+ opens, PostgreSQL \d+\.\d+\n/m);
    await postgres.query('revoke insert, update on person, session from frontdesk', 'frontdesk');
    expect(await check()).toContain(
      'as the owner, grant insert on person, session to it; grant update on person, session to it\n',
    );
    await postgres.query('grant insert, update on person, session to frontdesk', 'frontdesk');
    await postgres.query('alter role frontdesk set default_transaction_read_only = on');
    expect(await check()).toContain(
      `${database} it is read-only (a standby, or default_transaction_read_only): DATABASE_URL must name the primary\n`,
    );
    await postgres.query('alter role frontdesk reset default_transaction_read_only');

    const cluster = await startCluster({ count: 1, databaseUrls: [service] });
    const [one] = cluster.replicas;
    const writer = new Writer('employee-level', 'LEAD');
    expect(await writer.write(one?.url ?? '', cluster.token)).toBe(true);
    expect((await fetch(`${one?.url}/auth/me`, { headers: bearer(cluster.token) })).status).toBe(200);
    const session = await cluster.signIn(one);
    const logout = await fetch(`${one?.url}/auth/logout`, { method: 'POST', headers: bearer(session) });
    expect(logout.status).toBe(204);
    const env = { DATABASE_URL: service, SECRET_KEY: 'shared by all replicas, long enough' };
    expect((await runToEnd(['keys', 'rotate', '--now'], env, folder())).exitCode).toBe(0);
    const audit = await fetch(`${one?.url}/admin/audit`, { headers: bearer(await cluster.signIn(one, 'E-1006')) });
    expect(audit.status).toBe(200);
    const log = cluster.replicas.map((replica) => replica.log()).join('');
    await cluster.stop();
    expect(log).not.toContain('42501');

    for (const statement of [
      'alter table audit disable trigger all',
      'drop trigger audit_no_delete on audit',
      'create table mine (id int)',
      'delete from person',
      'delete from audit',
      'update lookup_history set reason = null',
      'update lookup_change set moved = 0',
      'truncate session',
    ]) {
      const attempt = postgres.query(`set role frontdesk; ${statement}`, 'frontdesk');
      expect([
        statement,
        await attempt.then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      ]).toEqual([statement, '42501']);
    }
    await postgres.stop();
  });
});

describe('a backup of SQLite', () => {
  test('is a consistent copy while others write, and can be restored', async () => {
    const home = folder();
    const file = join(home, 'frontdesk.db');
    const url = `sqlite:${file}`;
    const env = { DATABASE_URL: url };
    const cluster = await startCluster({ count: 1, databaseUrls: [url] });
    const { token, replicas } = cluster;
    const writer = new Writer('employee-level', 'LEAD');
    const at = replicas[0]?.url ?? '';
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await writer.write(at, token);
    })();
    await until(async () => writer.acknowledged.size > 20);
    const before = new Map(writer.acknowledged);
    const results = [];
    for (let count = 0; count < 3; count++)
      results.push(await runToEnd(['backup', join(home, `${count}.db`)], env, home));
    isOver = true;
    await writing;
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(statSync(join(home, '0.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home).filter((name) => name.endsWith('.part'))).toEqual([]);
    await Promise.all(replicas.map((replica) => replica.stop()));

    for (let count = 0; count < 3; count++) {
      using copy = new Database(join(home, `${count}.db`), { readonly: true });
      const torn = copy.query(
        'select l.name from lookup_list l join lookup_history h on h.list = l.name group by l.name having max(h.version) <> l.version',
      );
      expect(torn.all()).toEqual([]);
    }
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
    copyFileSync(join(home, '0.db'), file);
    const [replica] = replicas;
    await replica?.start();
    writer.acknowledged.clear();
    for (const [version, label] of before) writer.acknowledged.set(version, label);
    // The person who signed in before the backup is still signed in.
    expect((await fetch(`${at}/auth/me`, { headers: bearer(token) })).status).toBe(200);
    expect(await writer.countLost(at, token)).toBe(0);
    await writer.look(at, token);
    expect(await writer.write(at, token)).toBe(true);
    await cluster.stop();
  });

  test('never replaces a file, and leaves PostgreSQL to its own tools', async () => {
    const home = folder();
    writeFileSync(join(home, 'there.db'), 'mine');
    const env = { DATABASE_URL: `sqlite:${join(home, 'none.db')}` };
    const none = await runToEnd(['backup', 'x.db'], env, home);
    expect([none.exitCode, none.stderr]).toEqual([1, expect.stringContaining('There is no database at')]);
    copyFileSync(join(home, 'there.db'), join(home, 'none.db'));
    const there = await runToEnd(['backup', 'there.db'], env, home);
    expect([there.exitCode, readFileSync(join(home, 'there.db'), 'utf8')]).toEqual([1, 'mine']);
    const noDatabase = await runToEnd(['backup', 'x.db'], env, home);
    expect([noDatabase.exitCode === 0, existsSync(join(home, 'x.db'))]).toEqual([false, false]);
    const other = await runToEnd(['backup', 'x.db'], { DATABASE_URL: 'postgres://localhost/x' }, home);
    expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
    expect((await runToEnd(['backup'], env, home)).exitCode).toBe(64);
  });
});

test('after SECRET_KEY is replaced, the old one decrypts nothing, and no useless token is signed', async () => {
  const [oldSecret, newSecret] = ['the previous secret, long enough', 'the next secret, also long enough'];
  const desk = await startFrontdesk({ SECRET_KEY: oldSecret });
  const token = await desk.signIn();
  const reseal = (env: Record<string, string>) =>
    runToEnd(['keys', 'reseal'], { ...desk.commandEnv, ...env }, desk.folder);
  expect(await reseal({})).toMatchObject({
    exitCode: 1,
    stderr: 'Neither NEW_SECRET_KEY nor NEW_SECRET_KEY_FILE is set.\n',
  });
  expect((await reseal({ NEW_SECRET_KEY: 'short' })).exitCode).toBe(78);
  expect((await reseal({ SECRET_KEY: newSecret, NEW_SECRET_KEY: newSecret })).exitCode).toBe(78);
  const newSecretFile = join(desk.folder, 'new-secret');
  writeFileSync(newSecretFile, `${newSecret}\n`);
  expect(await reseal({ NEW_SECRET_KEY_FILE: newSecretFile })).toMatchObject({ exitCode: 0, stderr: '' });
  // The running service keeps signing, and logs that something is wrong.
  await until(async () => desk.logged.some((line) => line.includes('WrongSecretKey')));
  const meanwhile = await desk.signIn('E-1002');
  for (const each of [token, meanwhile]) expect((await desk.get('/auth/me', bearer(each))).status).toBe(200);
  // Without its key, the service cannot sign, and says so before it uses up an authorization code.
  const kid = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string;
  const { search } = await codeFromProvider(desk);
  expect(
    (await runToEnd(['keys', 'revoke', kid], { ...desk.commandEnv, SECRET_KEY: newSecret }, desk.folder)).exitCode,
  ).toBe(0);
  await until(async () => (await desk.get('/health/ready')).status === 503);
  expect((await desk.get(`/auth/login/callback${search}`)).status).toBe(503);
  await expect(desk.restart()).rejects.toThrow('SECRET_KEY');
  const again = await startFrontdesk(
    { SECRET_KEY: newSecret, PORT: String(desk.config.port) },
    desk.folder,
    desk.database,
  );
  expect((await again.get('/auth/me', bearer(await again.signIn()))).status).toBe(200);
  for (const each of [token, meanwhile]) expect((await again.get('/auth/me', bearer(each))).status).toBe(401);
  await again.stop();
});

describe('metrics, rules and dashboard', () => {
  test('every rule fires when it should, and only then', () => {
    const promtool = programPath('promtool');
    for (const args of [
      ['check', 'rules', 'deploy/alerts.yaml'],
      ['test', 'rules', 'deploy/alerts.test.yaml'],
    ]) {
      const { exitCode, stdout, stderr } = Bun.spawnSync([promtool, ...args], { cwd: root });
      expect([exitCode, stdout.toString() + stderr.toString()]).toEqual([0, expect.stringContaining('SUCCESS')]);
    }
    const rules = readFileSync(join(root, 'deploy/alerts.yaml'), 'utf8').match(/alert: \w+/g) ?? [];
    for (const rule of rules) expect(operations).toContain(`| \`${rule.slice('alert: '.length)}\` |`);
  });

  test('a real Prometheus accepts the rules, and every panel of the dashboard finds its series', async () => {
    const program = programPath('prometheus');
    const home = folder();
    const [port, metricsPort, prometheusPort] = [freePort(), freePort(), freePort()];
    const child = runFrontdesk([], { PORT: String(port), METRICS_PORT: String(metricsPort) }, home);
    await untilReady(`http://localhost:${port}`);
    writeFileSync(
      join(home, 'prometheus.yml'),
      `global: { scrape_interval: 500ms, evaluation_interval: 1s }
rule_files: [${JSON.stringify(join(root, 'deploy/alerts.yaml'))}]
scrape_configs: [{ job_name: frontdesk, static_configs: [{ targets: ['localhost:${metricsPort}'] }] }]`,
    );
    const prometheus = Bun.spawn(
      [
        program,
        `--config.file=${home}/prometheus.yml`,
        `--storage.tsdb.path=${home}/tsdb`,
        `--web.listen-address=localhost:${prometheusPort}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    );
    const api = async (path: string) => {
      const response = await fetch(`http://localhost:${prometheusPort}/api/v1/${path}`);
      return (await response.json()) as {
        status: string;
        data: { result: unknown[]; groups: { rules: { health: string }[] }[] };
      };
    };
    const { panels } = JSON.parse(readFileSync(join(root, 'deploy/dashboard.json'), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const isFound = async ({ targets }: (typeof panels)[number]) => {
      const results = await Promise.all(
        targets.map(({ expr }) => {
          const query = expr.replaceAll('$job', 'frontdesk').replaceAll('$__rate_interval', '1m');
          return api(`query?query=${encodeURIComponent(query)}`);
        }),
      );
      return results.every(({ status, data }) => status === 'success' && data.result.length > 0);
    };
    try {
      // Data for every panel: somebody signs in, sends requests and makes changes.
      const { response } = await new Browser().follow(`http://localhost:${port}/auth/login?login_hint=E-1001`);
      const { accessToken } = (await response.json()) as { accessToken: string };
      await fetch(`http://localhost:${port}/employee/position`, { headers: bearer(accessToken) });
      const headers = { ...bearer(accessToken), 'content-type': 'application/json', 'if-match': '"1"' };
      const change = { method: 'PATCH', headers, body: JSON.stringify({ label: 'Leader' }) };
      const address = `http://localhost:${port}/admin/lookups/employee-level/items/LEAD`;
      expect((await fetch(address, change)).status).toBe(200);
      await untilWorks(async () => (await api('query?query=up')).data.result.length > 0);
      for (const panel of panels) {
        // A rate exists only after Prometheus has read the metrics twice.
        await until(() => isFound(panel)).catch((cause: unknown) => {
          throw new Error(`The panel ${panel.title} finds nothing.`, { cause });
        });
      }
      const healthOfRules = async () =>
        (await api('rules')).data.groups.flatMap(({ rules }) => rules.map(({ health }) => health));
      await until(async () => !(await healthOfRules()).includes('unknown'));
      expect(new Set(await healthOfRules())).toEqual(new Set(['ok']));
    } finally {
      prometheus.kill('SIGTERM');
      child.kill('SIGTERM');
      await Promise.all([prometheus.exited, child.exited]);
    }
  });
});

test("the contents of the operators' guide name every section", () => {
  const contents = [...operations.matchAll(/^- \[(.+)\]\(#/gm)].map(([, name]) => name);
  expect(contents).toEqual([...operations.matchAll(/^## (.+)$/gm)].map(([, name]) => name));
});

test('the configured grace periods cover the longest possible stop', () => {
  const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const secondsAfter = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const [alone, workers] = [longestStopMs / 1000, longestStopOfWorkersMs / 1000];
  expect(operations).toContain(`at most ${alone} s, or ${workers} s with \`WORKERS\``);
  expect(secondsAfter(compose, /stop_grace_period: (\d+)s/)).toBeGreaterThanOrEqual(workers);
});
