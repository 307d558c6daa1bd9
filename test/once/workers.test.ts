// Several processes on one port, under one supervisor.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { freePort } from '../support/ports.ts';
import { childrenOf, fromSource, runToEnd, spawnFrontdesk, untilReady } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const folder = makeFolder();
let provider: HostileProvider;
beforeAll(async () => {
  provider = await startHostileProvider();
});
afterAll(() => {
  provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

function environment(changes: Record<string, string> = {}) {
  const port = String(freePort());
  return {
    ...provider.env,
    NODE_ENV: 'production',
    SECRET_KEY: 'shared by all workers, long enough',
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: port,
    WORKERS: '2',
    ...changes,
  };
}

function start(env: Record<string, string>, command?: readonly string[]) {
  const logFile = join(folder, `${env.PORT}.log`);
  // Starts the supervisor in its own process group, as a terminal does.
  const supervisor = spawnFrontdesk([], env, folder, Bun.file(logFile), {
    detached: true,
    ...(command && { command }),
  });
  return { supervisor, url: `http://localhost:${env.PORT}`, log: () => readFileSync(logFile, 'utf8') };
}

function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // The file was closed before its link could be read.
      return [];
    }
  });
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('two workers', () => {
  test('share the port, one that dies is replaced, and a signal stops all of them', async () => {
    const metricsPort = String(freePort());
    const env = environment({ METRICS_PORT: metricsPort });
    const { supervisor, url, log } = start(env);
    await until(async () => log().includes('Frontdesk is ready'));
    const before = childrenOf(supervisor.pid);
    expect(before).toHaveLength(2);

    const login = await fetch(`${url}/auth/login/callback?code=one`);
    const { accessToken } = (await login.json()) as { accessToken: string };
    for (let count = 0; count < 40; count++) {
      // Uses a new connection for each request, because the operating system chooses a worker per connection, not per request.
      const headers = { ...bearer(accessToken), connection: 'close' };
      expect((await fetch(`${url}/employee/position`, { headers })).status).toBe(200);
    }
    let metrics = '';
    // Repeated, because the metrics leave out a worker that does not answer in time.
    await until(async () => {
      metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
      return metrics.includes('{method="GET",route="/employee/position",status="200"} 40\n');
    });
    // Each worker has verified the token once and cached it.
    expect(metrics).toContain('frontdesk_token_checks_total{result="verified"} 2\n');
    expect(metrics).toContain('frontdesk_list_version{list="position"} 1\n');

    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    const killedAt = Date.now() / 1000;
    await until(async () => childrenOf(supervisor.pid).filter((pid) => !before.includes(pid)).length === 1);
    // The dead worker's counts are kept: counters do not fall.
    await until(async () =>
      (await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()).includes(
        '{method="GET",route="/employee/position",status="200"} 40\n',
      ),
    );
    // Gauges come from the living workers only.
    await until(async () => {
      const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
      return Number(/^frontdesk_up_to_date_timestamp_seconds (.+)$/m.exec(text)?.[1]) > killedAt;
    });
    await until(async () => (await fetch(`${url}/health/ready`, { headers: { connection: 'close' } })).ok);
    expect(log()).toContain('a worker ended, starting another');

    const running = childrenOf(supervisor.pid);
    supervisor.kill('SIGTERM');
    expect(await supervisor.exited).toBe(0);
    expect(running.filter(isAlive)).toEqual([]);
  });

  test('may all be killed, again and again: /metrics answers, and no counter falls or counts twice', async () => {
    const metricsPort = String(freePort());
    const env = environment({ METRICS_PORT: metricsPort });
    const { supervisor, url, log } = start(env);
    await until(async () => log().includes('Frontdesk is ready'));
    const login = await fetch(`${url}/auth/login/callback?code=two`);
    const { accessToken } = (await login.json()) as { accessToken: string };
    const series =
      'frontdesk_http_request_duration_seconds_count{method="GET",route="/employee/position",status="200"}';
    const scrapes: { status: number; count: number }[] = [];
    const scrape = async () => {
      const answer = await fetch(`http://localhost:${metricsPort}/metrics`);
      const line = (await answer.text()).split('\n').find((each) => each.startsWith(series));
      const count = Number(line?.slice(series.length) ?? 0);
      scrapes.push({ status: answer.status, count });
    };
    let isOver = false;
    const scraping = (async () => {
      while (!isOver) {
        await scrape();
        // A short pause, because the starting workers need the processor.
        await Bun.sleep(20);
      }
    })();
    let answered = 0;
    for (let round = 0; round < 2; round++) {
      const before = childrenOf(supervisor.pid);
      for (let each = 0; each < 20; each++) {
        const headers = { ...bearer(accessToken), connection: 'close' };
        const answer = await fetch(`${url}/employee/position`, { headers }).catch(() => undefined);
        if (answer?.status === 200) answered++;
      }
      await until(async () => scrapes.at(-1)?.count === answered);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await until(async () => {
        const now = childrenOf(supervisor.pid).filter((pid) => !before.includes(pid));
        const isUp = await fetch(`${url}/health/ready`, { headers: { connection: 'close' } }).catch(() => undefined);
        return now.length === 2 && isUp?.ok === true;
      });
    }
    isOver = true;
    await scraping;
    await scrape();
    supervisor.kill('SIGTERM');
    await supervisor.exited;
    expect(new Set(scrapes.map(({ status }) => status))).toEqual(new Set([200]));
    const counts = scrapes.map(({ count }) => count);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect([counts.at(-1), answered > 20]).toEqual([answered, true]);
  });

  test('end by themselves when their supervisor is killed', async () => {
    // A supervisor that Bun runs from a file starts its workers differently from the executable.
    const { supervisor, url } = start(environment(), fromSource);
    await untilReady(url);
    await until(async () => childrenOf(supervisor.pid).length === 2);
    const running = childrenOf(supervisor.pid);
    supervisor.kill('SIGKILL');
    await supervisor.exited;
    await until(async () => running.filter(isAlive).length === 0);
  });

  test('finish requests in progress when a terminal interrupts', async () => {
    const { supervisor, url, log } = start(environment());
    await until(async () => log().includes('Frontdesk is ready'));
    const [asked, interrupted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.lie = {
      async userinfo() {
        asked.resolve();
        await interrupted.promise;
        return Response.json({ sub: 'E-1' });
      },
    };
    const login = fetch(`${url}/auth/login/callback?code=slow`);
    await asked.promise;
    // Ctrl-C goes to the whole process group.
    process.kill(-supervisor.pid, 'SIGINT');
    await until(async () => log().includes('"stopping"'));
    interrupted.resolve();
    const { status } = await login;
    provider.lie = {};
    expect([status, await supervisor.exited]).toEqual([200, 0]);
  });
});

describe('failed startup', () => {
  test('is reported once, with the exit code of its reason', async () => {
    const { exitCode, stderr } = await runToEnd([], environment({ DATABASE_URL: 'sqlite:/dev/null/desk.db' }), folder);
    expect(exitCode).toBe(78);
    expect(stderr.match(/cannot be opened/g)).toHaveLength(1);
  });

  test('is reported if the port is in use', async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response() });
    const { port } = taken;
    const { exitCode, stderr } = await runToEnd([], environment({ PORT: String(port) }), folder);
    taken.stop(true);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Port ${port} is in use`)]);
  });

  test('is reported with the development provider, which supports one worker only', async () => {
    const { exitCode, stderr } = await runToEnd([], { WORKERS: '2' }, folder);
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('WORKERS  above 1 needs OIDC_ISSUER')]);
  });
});

test('startup that waits for another process can be stopped', async () => {
  // Another process is setting up the database and takes its time.
  const own = join(folder, 'locked.db');
  const database = new Database(own, { create: true });
  database.run('pragma journal_mode = wal');
  database.run('begin exclusive');
  const { supervisor } = start(environment({ DATABASE_URL: `sqlite:${own}` }));
  await until(async () => childrenOf(supervisor.pid).length === 1);
  const children = childrenOf(supervisor.pid);
  // Once a worker has opened the file, it waits for the lock.
  await until(async () => children.some((pid) => openFilesOf(pid).includes(own)));
  supervisor.kill('SIGTERM');
  const exitCode = await supervisor.exited;
  database.close();
  expect([exitCode, children.filter(isAlive)]).toEqual([0, []]);
});
