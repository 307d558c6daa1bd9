// Frontdesk as a process: how it starts, what it prints, how it stops, and what a crash loses.
import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { Browser } from '../support/browser.ts';
import { bearer } from '../support/frontdesk.ts';
import { startHostileProvider } from '../support/hostile-provider.ts';
import { makeNextVersion } from '../support/next-version.ts';
import { freePort } from '../support/ports.ts';
import { root, runFrontdesk, runToEnd, untilReady } from '../support/process.ts';
import { programPath } from '../support/programs.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';
import { until } from '../support/waiting.ts';

const folder = temporaryFolders();

const production = {
  NODE_ENV: 'production',
  SECRET_KEY: 'a production secret, long enough to pass',
  OIDC_ISSUER: 'https://idp.example',
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'https://desk.example',
};

/** Matches this clone's commit. `-dirty` is allowed, because files may have changed since the executable was built. */
function thisCommit(): RegExp {
  const { stdout } = Bun.spawnSync([programPath('git'), 'rev-parse', 'HEAD'], { cwd: root });
  return new RegExp(`^${stdout.toString().trim()}(-dirty)?$`);
}

async function tokenFrom(url: string): Promise<string> {
  const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
  return ((await response.json()) as { accessToken: string }).accessToken;
}

describe('a first start with no configuration', () => {
  const cwd = folder();
  const port = freePort();
  const url = `http://localhost:${port}`;
  const curl = `curl -sL -b '' '${url}/auth/login?login_hint=E-1001'`;
  let answer: string;
  let second: Awaited<ReturnType<typeof runToEnd>>;
  let out: string;
  let err: string;
  beforeAll(async () => {
    const child = runFrontdesk([], { PORT: String(port) }, cwd);
    await untilReady(url);
    programPath('curl');
    answer = Bun.spawnSync(['sh', '-c', curl]).stdout.toString();
    second = await runToEnd([], { PORT: String(port) }, folder());
    child.kill('SIGTERM');
    [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    await child.exited;
  });

  test('prints the start message and nothing else, and its curl line works as printed', () => {
    expect(JSON.parse(answer)).toEqual({ accessToken: expect.any(String), expirationInSeconds: 3600 });
    const message = out.slice(0, out.indexOf('{'));
    expect(message).toBe(
      `Frontdesk ${packageJson.version} (commit ${/commit ([0-9a-f]{40}(-dirty)?)/.exec(out)?.[1]}) is ready.

  Console            ${url}/
  API docs           ${url}/docs
  Identity provider  ${/Identity provider {2}(\S+)/.exec(out)?.[1]} (development, with sample people)
  Database           ./data/frontdesk.db

Get an access token:

  ${curl}

`,
    );
    expect(err).toBe('');
  });

  test('is the only one on its port: a second one reports that in one line', () => {
    expect(second).toEqual({
      stdout: '',
      stderr: `Port ${port} is in use. Stop whatever is running there, or set PORT to a different port.\n`,
      exitCode: 1,
    });
  });

  test('writes its data where it says, readable only by its own account, and frontdesk check leaves it unchanged', async () => {
    expect(readdirSync(cwd)).toEqual(['data']);
    expect(readdirSync(join(cwd, 'data')).sort()).toEqual(['frontdesk.db', 'secret.key']);
    const state = () =>
      ['frontdesk.db', 'secret.key'].map((name) => {
        const file = join(cwd, 'data', name);
        return [readFileSync(file).toString('base64'), statSync(file).mode & 0o777] as const;
      });
    const before = state();
    expect(before.map(([, mode]) => mode)).toEqual([0o600, 0o600]);
    const { exitCode, stdout } = await runToEnd(['check'], {}, cwd);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('ok     database           ./data/frontdesk.db opens'),
    ]);
    expect(state()).toEqual(before);
  });

  test('npm start forwards signals: a stopped npm leaves nothing running', async () => {
    const ownPort = freePort();
    const child = Bun.spawn(['npm', 'start'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', PORT: String(ownPort), DATABASE_URL: `sqlite:${folder()}/desk.db` },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await untilReady(`http://localhost:${ownPort}`);
    child.kill('SIGTERM');
    await child.exited;
    await until(() =>
      fetch(`http://localhost:${ownPort}/health/live`).then(
        () => false,
        () => true,
      ),
    );
  });
});

test('if the next port is taken, the development provider uses the one after', async () => {
  const port = freePort();
  const taken = Bun.serve({ hostname: 'localhost', port: port + 1, fetch: () => new Response('mine') });
  const child = runFrontdesk([], { PORT: String(port) }, folder());
  await untilReady(`http://localhost:${port}`);
  const token = await tokenFrom(`http://localhost:${port}`);
  const explicit = await runToEnd([], { PORT: String(freePort()), DEV_IDP_PORT: String(port + 1) }, folder());
  child.kill('SIGTERM');
  await child.exited;
  await taken.stop(true);
  expect(token).toBeString();
  expect(explicit).toMatchObject({
    exitCode: 1,
    stderr: `Port ${port + 1} is in use. Stop whatever is running there, or set DEV_IDP_PORT to a different port.\n`,
  });
});

describe('a wrong configuration', () => {
  test('lists every fault at once and exits 78', async () => {
    const env = { PORT: 'http', TOKEN_TTL_SECONDS: '5', OIDC_CLIENT_AUTH: 'magic', ROLE_MAP: 'nonsense' };
    const { exitCode, stderr, stdout } = await runToEnd([], env, folder());
    expect([exitCode, stdout]).toEqual([78, '']);
    for (const variable of Object.keys(env)) expect(stderr).toContain(variable);
  });

  test('includes production without its three required variables', async () => {
    const { exitCode, stderr } = await runToEnd([], { NODE_ENV: 'production' }, folder());
    expect(exitCode).toBe(78);
    for (const variable of ['SECRET_KEY', 'OIDC_ISSUER', 'PUBLIC_URL']) expect(stderr).toContain(variable);
  });

  test('is also a SECRET_KEY that cannot decrypt the keys in the database', async () => {
    const cwd = folder();
    const port = freePort();
    const provider = await startHostileProvider();
    const env = { ...provider.env, PORT: String(port), SECRET_KEY: 'the first secret, which is long enough' };
    const child = runFrontdesk([], env, cwd);
    // The service has stored its keys once it is ready.
    await untilReady(`http://localhost:${port}`);
    child.kill('SIGTERM');
    await child.exited;
    const other = { ...env, SECRET_KEY: 'another secret, which is long enough too' };
    const start = await runToEnd([], other, cwd);
    const check = await runToEnd(['check'], other, cwd);
    provider.stop();
    expect([start.exitCode, start.stderr.split('\n').length]).toEqual([78, 2]);
    expect([check.exitCode, check.stdout]).toEqual([1, expect.stringContaining('FAILS  signing keys')]);
  });

  test.each([
    ['a folder that cannot be created', 'text.md/data/x.db'],
    ['a folder in place of a file', '.'],
    ['a file that is not a database', 'text.md'],
  ])('is also %s: one line, and check says so too', async (_, path) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'text.md'), 'no database '.repeat(100));
    const env = { PORT: String(freePort()), DATABASE_URL: `sqlite:${path}` };
    const [start, check] = [await runToEnd([], env, cwd), await runToEnd(['check'], env, cwd)];
    expect([start.exitCode, start.stderr]).toEqual([78, expect.stringMatching(/^.* cannot be opened \(.+\)\n$/)]);
    expect([check.exitCode, check.stdout]).toEqual([1, expect.stringContaining('FAILS  database')]);
  });

  test.each([
    [
      'a HOST that is not this machine',
      { HOST: '192.0.2.1', OIDC_ISSUER: 'http://localhost:1', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_AUTH: 'none' },
      1,
    ],
    ['an empty secret.key', {}, 78],
  ])('is also %s: no stack trace', async (_, env, exitCode) => {
    const cwd = folder();
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data/secret.key'), exitCode === 78 ? '' : 'x'.repeat(32));
    const result = await runToEnd([], { PORT: String(freePort()), ...env }, cwd);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  test('never prints a secret', async () => {
    const env = { ...production, SECRET_KEY: 'too-short-secret', PUBLIC_URL: 'http://desk.example' };
    const { exitCode, stderr } = await runToEnd([], env, folder());
    expect(exitCode).toBe(78);
    expect(stderr).toContain('SECRET_KEY');
    expect(stderr).not.toContain('too-short-secret');
  });
});

describe('.env', () => {
  test('is read, the environment overrides it, and a dollar sign is not expanded', async () => {
    const cwd = folder();
    const port = freePort();
    writeFileSync(join(cwd, '.env'), 'PORT=wrong\nTOKEN_AUDIENCE="a$HOME"\n');
    const child = runFrontdesk([], { PORT: String(port) }, cwd);
    await untilReady(`http://localhost:${port}`);
    const token = await tokenFrom(`http://localhost:${port}`);
    child.kill('SIGTERM');
    await child.exited;
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aud).toBe('a$HOME');
  });
});

describe('frontdesk check', () => {
  test('warns of probable mistakes, as the service does at startup, and continues', async () => {
    const provider = await startHostileProvider();
    const port = String(freePort());
    const env = { ...provider.env, PORT: port, CORS_ORIGIN: 'x', OIDC_REDIRECT_URIS: 'http://localhost:5173' };
    const said = [
      'CORS_ORIGIN: is not a Frontdesk variable: did you mean CORS_ORIGINS?',
      'OIDC_REDIRECT_URIS: http://localhost:5173 has no path: a browser sends http://localhost:5173/, and addresses are compared character by character',
      'OIDC_REDIRECT_URIS: pages from http://localhost:5173 may not call Frontdesk, because CORS_ORIGINS does not name that origin',
    ];
    const { exitCode, stdout } = await runToEnd(['check'], env, folder());
    const child = runFrontdesk([], env, folder());
    await untilReady(`http://localhost:${port}`);
    child.kill('SIGTERM');
    const logged = (await new Response(child.stdout).text()).split('\n').filter((line) => line.includes('"warn"'));
    provider.stop();
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(1, 4)).toEqual(said.map((line) => `warns  configuration      ${line}`));
    expect(logged.map((line) => JSON.parse(line)).map(({ variable, msg }) => `${variable} ${msg}`)).toEqual(
      said.map((line) => line.replace(': ', ' configuration: ')),
    );
  });

  test('says what does not work, and exits 1', async () => {
    const provider = await startHostileProvider();
    provider.stop();
    const { exitCode, stdout } = await runToEnd(['check'], provider.env, folder());
    expect(exitCode).toBe(1);
    expect(stdout).toContain('FAILS  identity provider');
    expect(stdout).toContain('ECONNREFUSED');
  });
});

describe('the command line', () => {
  // src/cli/arguments.test.ts tests the arguments of every command without starting a process. This variable is invalid, but
  // Frontdesk checks the arguments first.
  const wrong = { PORT: 'none' };

  test('a mistyped command exits with 64, and prints its usage', async () => {
    const { exitCode, stdout, stderr } = await runToEnd(['lookups', 'undo', 'position'], wrong, folder());
    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain('VERSION is missing.');
    expect(stderr).toContain('Usage: frontdesk lookups undo LIST VERSION');
  });

  test('--version names the version and the commit, which is unknown outside a clone', async () => {
    const { exitCode, stdout } = await runToEnd(['--version'], wrong, folder());
    const [, version, commit = ''] = /^(\S+) \(commit (\S+)\)\n$/.exec(stdout) ?? [];
    expect([exitCode, version, commit]).toEqual([0, packageJson.version, expect.stringMatching(thisCommit())]);
    const copy = await runToEnd(['--version'], wrong, folder(), makeNextVersion(folder()));
    expect(copy.stdout).toBe(`${packageJson.version} (commit unknown)\n`);
  });

  test('--help prints how a command is used, and does nothing else', async () => {
    const cwd = folder();
    const { exitCode, stdout, stderr } = await runToEnd(['serve', '--help'], wrong, cwd);
    expect([exitCode, stderr, readdirSync(cwd)]).toEqual([0, '', []]);
    expect(stdout).toStartWith('Usage: frontdesk serve\n');
  });
});

describe('a database of another version', () => {
  test('is used if it only has additions, and refused otherwise', async () => {
    const cwd = folder();
    const env = { PORT: String(freePort()) };
    const url = `http://localhost:${env.PORT}`;
    const serve = async () => {
      const child = runFrontdesk([], env, cwd);
      await untilReady(url);
      child.kill('SIGTERM');
      return child.exited;
    };
    expect((await runToEnd(['migrate'], env, cwd)).exitCode).toBe(0);
    const database = new Database(join(cwd, 'data/frontdesk.db'));
    database.run("insert into kysely_migration values ('9999-later', '')");
    expect(await serve()).toBe(0);
    expect((await runToEnd(['check'], env, cwd)).exitCode).toBe(0);
    // A name that this migration had before the first release.
    database.run("update kysely_migration set name = '0001-tables' where name = '0001'");
    database.close();
    for (const words of [[], ['check'], ['migrate'], ['lookups', 'export']]) {
      const { exitCode, stdout, stderr } = await runToEnd(words, env, cwd);
      expect([exitCode, stdout + stderr]).toEqual([
        words[0] === 'check' ? 1 : 78,
        expect.stringContaining('Export the lists with the old version (frontdesk lookups export --plain)'),
      ]);
    }
  });
});

describe('production', () => {
  test('logs JSON lines only, and never loads the development provider', async () => {
    const provider = await startHostileProvider();
    const port = freePort();
    const env = { ...production, ...provider.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
    const child = runFrontdesk([], env, folder());
    await untilReady(`http://localhost:${port}`);
    const next = await fetch(`http://localhost:${port + 1}/.well-known/openid-configuration`).catch(() => undefined);
    const { status } = await fetch(`http://localhost:${port}/auth/login/callback?code=x`);
    child.kill('SIGTERM');
    const [out, err, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    provider.stop();
    expect(next).toBeUndefined();
    expect([status, exitCode, err]).toEqual([200, 0, '']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.map(({ msg }) => msg).filter((msg) => msg !== 'audit sealed')).toEqual([
      'Frontdesk is starting',
      'migration 1 of 1: 0001, all tables: begun',
      expect.stringMatching(/^migration 1 of 1: 0001, all tables: done in \d+\.\d s$/),
      'an audit key was created, which is expected only when the service first starts on a new database',
      'Frontdesk is ready',
      'signed in',
      'stopping',
    ]);
    expect(lines.at(-1)?.msg).toBe('audit sealed');
    expect(lines[0]).toMatchObject({ version: packageJson.version, commit: expect.stringMatching(thisCommit()) });
  });

  test('refuses every variable that could point at the development provider', async () => {
    const { OIDC_ISSUER: _, ...without } = production;
    const { exitCode } = await runToEnd([], { ...without, DEV_IDP_PORT: '4001', HOST: 'localhost' }, folder());
    expect(exitCode).toBe(78);
  });
});

test('four services that start at once on a new file all become ready, with one key and one secret', async () => {
  const cwd = folder();
  const ports = Array.from({ length: 4 }, () => freePort());
  const children = ports.map((port) => runFrontdesk([], { PORT: String(port), DEV_IDP_PORT: String(freePort()) }, cwd));
  await Promise.all(ports.map((port) => untilReady(`http://localhost:${port}`)));
  const token = await tokenFrom(`http://localhost:${ports[0]}`);
  const keys = await Promise.all(
    ports.map(async (port) => (await fetch(`http://localhost:${port}/.well-known/jwks.json`)).text()),
  );
  for (const child of children) child.kill('SIGTERM');
  const exitCodes = await Promise.all(children.map(({ exited }) => exited));
  expect(token).toBeString();
  expect(new Set(keys).size).toBe(1);
  expect(exitCodes).toEqual([0, 0, 0, 0]);
});

describe('stopping', () => {
  test('finishes sign-ins at the development provider too', async () => {
    const port = freePort();
    const url = `http://localhost:${port}`;
    const child = runFrontdesk([], { PORT: String(port), RATE_LIMIT_LOGIN: '0' }, folder());
    await untilReady(url);
    const isBack = (each: URL) => each.searchParams.has('code');
    const returns = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = new Browser();
        return { browser, back: (await browser.follow(`${url}/auth/login?login_hint=E-1001`, isBack)).url };
      }),
    );
    // Opens the connections before the signal, because a new connection may come too late.
    await Promise.all(returns.map(({ browser }) => browser.request(`${url}/health/live`)));
    const answers = returns.map(({ browser, back }) => browser.request(back));
    // One sign-in is answered; the others are in progress.
    await Promise.race(answers);
    child.kill('SIGTERM');
    const settled = await Promise.allSettled(answers);
    await child.exited;
    // Every answer has a token: no answer says that the provider is unavailable.
    const statuses = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value.status] : []));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(0);
  });

  test('waits for requests while metrics are served, ends open streams, and ends even if a request never does', async () => {
    const [cwd, port, metricsPort] = [folder(), freePort(), freePort()];
    const child = runFrontdesk([], { PORT: String(port), METRICS_PORT: String(metricsPort) }, cwd);
    const url = `http://localhost:${port}`;
    await untilReady(url);
    const headers = bearer(await tokenFrom(url));
    // An upload and a scrape that never finish, and an open stream.
    const begin = (at: number, text: string) =>
      Bun.connect({
        hostname: 'localhost',
        port: at,
        socket: { open: (socket) => void socket.write(text), data() {} },
      });
    const upload = `POST /lookups/validate HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.authorization}\r\n`;
    await begin(port, `${upload}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    await begin(metricsPort, 'GET /metrics HTTP/1.1\r\nHost: localh');
    const stream = await fetch(`${url}/lookups/changes`, { headers });
    expect(stream.status).toBe(200);
    child.kill('SIGTERM');
    await until(() =>
      fetch(`${url}/health/live`, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    // The service accepts no new requests, waits for the upload, and serves metrics meanwhile.
    expect((await fetch(`http://localhost:${metricsPort}/metrics`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
    expect(await child.exited).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a sign-in in progress finish, then exits 0', async (signal) => {
    const provider = await startHostileProvider();
    const port = freePort();
    const child = runFrontdesk([], { ...provider.env, PORT: String(port) }, folder());
    await untilReady(`http://localhost:${port}`);
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: stopping, resolve: isStopping } = Promise.withResolvers<void>();
    provider.lie = {
      userinfo: async () => {
        isAsked();
        await stopping;
        return Response.json({ sub: 'E-1' });
      },
    };
    const answer = fetch(`http://localhost:${port}/auth/login/callback?code=x`);
    await asked;
    child.kill(signal);
    // The service accepts no new requests.
    await until(() =>
      fetch(`http://localhost:${port}/health/live`, { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    isStopping();
    const [{ status }, exitCode] = await Promise.all([answer, child.exited]);
    provider.stop();
    expect([status, exitCode]).toEqual([200, 0]);
  });
});

test('kill -9 under load: nothing that was answered is lost', async () => {
  const cwd = folder();
  const env = { PORT: String(freePort()), RATE_LIMIT_LOGIN: '0' };
  const url = `http://localhost:${env.PORT}`;
  const signedIn: string[] = [];
  /** Tokens whose logout was requested, and those whose logout was answered. */
  const leaving = new Set<string>();
  const ended = new Set<string>();
  for (let round = 0; round < 2; round++) {
    const child = runFrontdesk([], env, cwd);
    await untilReady(url);
    const worker = async () => {
      for (;;) {
        const token = await tokenFrom(url);
        signedIn.push(token);
        if (signedIn.length % 2 === 0) continue;
        leaving.add(token);
        const { status } = await fetch(`${url}/auth/logout`, { method: 'POST', headers: bearer(token) });
        if (status === 204) ended.add(token);
      }
    };
    // Each worker fails when the service is killed.
    const workers = Array.from({ length: 4 }, () => worker().catch(() => {}));
    const before = signedIn.length;
    await until(async () => signedIn.length >= before + 10);
    child.kill('SIGKILL');
    await Promise.all([...workers, child.exited]);
  }
  const child = runFrontdesk([], env, cwd);
  await untilReady(url);
  const statusOf = async (token: string) => (await fetch(`${url}/auth/me`, { headers: bearer(token) })).status;
  const statuses = await Promise.all(signedIn.map(async (token) => ({ token, status: await statusOf(token) })));
  child.kill('SIGTERM');
  await child.exited;
  expect(statuses.length).toBeGreaterThanOrEqual(20);
  expect(ended.size).toBeGreaterThanOrEqual(5);
  expect(statuses.filter(({ token, status }) => ended.has(token) && status !== 401)).toEqual([]);
  // A logout without an answer may or may not have happened; everybody else is still signed in.
  expect(statuses.filter(({ token, status }) => !leaving.has(token) && status !== 200)).toEqual([]);
});

test('frontdesk health asks this machine directly, even if a proxy is set', async () => {
  const service = Bun.serve({ port: freePort(), hostname: '127.0.0.1', fetch: () => new Response() });
  const HTTP_PROXY = `http://localhost:${freePort()}`;
  const result = await runToEnd(['health'], { HTTP_PROXY, PORT: String(service.port) });
  await service.stop(true);
  expect(result).toEqual({ exitCode: 0, stdout: 'up\n', stderr: '' });
});
