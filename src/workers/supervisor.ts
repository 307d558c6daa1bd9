// Several processes on one port: started one after the other, replaced when one dies, stopped together.
import type { MetricObject } from 'prom-client';
import type { Config } from '../config.ts';
import { isExecutable } from '../executable.ts';
import type { Log } from '../log.ts';
import { CannotListen, expectFreePort, serveMetrics } from '../serve.ts';
import { type FromWorker, type ToWorker, workerVariable } from './messages.ts';

interface Supervised {
  /** The provider in use, once all of them serve. */
  started: Promise<string>;
  stop(): Promise<void>;
}

/** A first start that failed. The worker printed why. */
export class WorkerFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('a worker did not start');
    this.exitCode = exitCode;
  }
}

interface Worker {
  child: Bun.Subprocess;
  ready: Promise<string>;
  /** Those who wait for its metrics. */
  waiting: ((snapshot: MetricObject[]) => void)[];
  /** The last that were heard of. */
  metrics: MetricObject[];
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const longestStopMs = 15_000;
const longestAnswerMs = 2000;

export function superviseWorkers(config: Config, log: Log): Supervised {
  const workers = new Map<number, Worker>();
  /** What was counted by those that have ended: counters must not fall. */
  let ended: MetricObject[] = [];
  let isStopping = false;
  /** Where somebody measures. */
  let metrics: typeof import('../telemetry/metrics.ts') | undefined;
  let metricsServers: ReturnType<typeof serveMetrics> = [];

  function start(number: number): Worker {
    const ready = Promise.withResolvers<string>();
    const worker: Worker = { child: spawnWorker(number, receive), ready: ready.promise, waiting: [], metrics: [] };
    function receive(message: FromWorker): void {
      if (message.kind === 'ready') {
        ready.resolve(message.issuer);
        return;
      }
      if (message.snapshot.length > 0) worker.metrics = message.snapshot;
      for (const give of worker.waiting.splice(0)) give(worker.metrics);
    }
    void worker.child.exited.then((exitCode) => ready.reject(new WorkerFailed(exitCode)));
    worker.ready.catch(() => 'told to whoever waits for it');
    workers.set(number, worker);
    return worker;
  }

  /** From its first start to the end of all. */
  async function keepAlive(number: number): Promise<void> {
    let deaths = 0;
    for (;;) {
      const worker = workers.get(number);
      const startedAt = performance.now();
      const exitCode = await worker?.child.exited;
      if (isStopping || worker === undefined) return;
      if (metrics !== undefined) ended = await metrics.addUpEnded([ended, worker.metrics]);
      log.error({ worker: number, exitCode, signal: worker.child.signalCode }, 'a worker ended, starting another');
      // At once for the first time. One that always dies soon after its start must not keep the machine busy.
      deaths = performance.now() - startedAt > longestPauseMs ? 0 : deaths + 1;
      if (deaths > 1) await Bun.sleep(Math.min(firstPauseMs * 2 ** (deaths - 2), longestPauseMs));
      if (isStopping) return;
      start(number);
    }
  }

  async function startAll(): Promise<string> {
    if (process.platform !== 'linux') {
      throw new CannotListen('WORKERS above 1 needs Linux, whose ports can be shared fairly.');
    }
    await expectFreePort(config);
    if (config.metricsPort !== undefined) {
      metrics = await import('../telemetry/metrics.ts');
      metricsServers = serveMetrics(config, collect);
    }
    // The first alone: what is wrong with the configuration or the database is said once.
    const issuer = await start(1).ready;
    for (let number = 2; number <= config.workers; number++) start(number);
    for (const number of workers.keys()) void keepAlive(number);
    await Promise.allSettled([...workers.values()].map(({ ready }) => ready));
    return issuer;
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const all = [...workers.values()];
    for (const { child } of all) child.kill('SIGTERM');
    await Promise.race([Promise.all(all.map(({ child }) => child.exited)), Bun.sleep(longestStopMs)]);
    for (const { child } of all) child.kill('SIGKILL');
    for (const server of metricsServers) void server.stop(true);
  }

  async function collect(): Promise<string> {
    const living = await Promise.all([...workers.values()].map(askForMetrics));
    const known = living.filter((snapshot) => snapshot.length > 0);
    if (known.length === 0) throw new Error('no worker tells anything');
    return metrics?.addUp([...known, ended]) ?? '';
  }

  const started = startAll().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { started, stop };
}

/** The same program again: a file that Bun runs, or the executable that holds everything. */
function spawnWorker(number: number, receive: (message: FromWorker) => void): Bun.Subprocess {
  const program = isExecutable ? [] : ['--no-env-file', Bun.main];
  return Bun.spawn([process.execPath, ...program, 'serve'], {
    env: { ...process.env, [workerVariable]: String(number) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A terminal's Ctrl-C reaches the supervisor alone, which tells them.
    detached: true,
    ipc: receive,
  });
}

/** What it told before, from one that is too busy to answer; nothing from one that has just started. */
function askForMetrics({ child, waiting, metrics }: Worker): Promise<MetricObject[]> {
  const { promise, resolve } = Promise.withResolvers<MetricObject[]>();
  const timer = setTimeout(() => resolve(metrics), longestAnswerMs);
  waiting.push((snapshot) => {
    clearTimeout(timer);
    resolve(snapshot);
  });
  try {
    child.send({ kind: 'send-metrics' } satisfies ToWorker);
  } catch {
    resolve(metrics);
  }
  return promise;
}
