// Runs several processes on one port: starts them, replaces one that dies, and stops them together.

import { findCommit, isExecutable, version } from '../base/executable.ts';
import { ExitError } from '../base/exit-error.ts';
import { atMost, longestStopOfWorkersMs } from '../base/stop-times.ts';
import type { Config } from '../config/config.ts';
import { expectFreePort, serveMetrics } from '../serve.ts';
import type { Log } from '../telemetry/log.ts';
import { type FromWorker, type ToWorker, workerVariable } from './worker.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

interface Supervised {
  /** Resolves with the provider's issuer once all workers serve. */
  started: Promise<string>;
  stop(): Promise<void>;
}

interface Worker {
  child: Bun.Subprocess;
  ready: Promise<string>;
  /** Called when the worker's metrics have arrived. */
  waiting: (() => void)[];
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const longestAnswerMs = 2000;

export function superviseWorkers(config: Config, log: Log): Supervised {
  const workers = new Map<number, Worker>();
  let isStopping = false;
  /** Undefined if metrics are off. */
  let metrics: WorkerMetrics<Worker> | undefined;
  let metricsServers: ReturnType<typeof serveMetrics> = [];

  function start(number: number): Worker {
    const ready = Promise.withResolvers<string>();
    const worker: Worker = { child: spawnWorker(number, receive), ready: ready.promise, waiting: [] };
    function receive(message: FromWorker): void {
      if (message.kind === 'ready') {
        ready.resolve(message.issuer);
        return;
      }
      metrics?.update(worker, message.snapshot);
      for (const proceed of worker.waiting.splice(0)) proceed();
    }
    void worker.child.exited.then((exitCode) => {
      metrics?.end(worker);
      for (const proceed of worker.waiting.splice(0)) proceed();
      ready.reject(new ExitError('', exitCode));
    });
    // A failure is reported by the caller that waits for `ready`.
    worker.ready.catch(() => {});
    workers.set(number, worker);
    metrics?.begin(worker);
    return worker;
  }

  /** Replaces a worker whenever it ends, until all are stopped. */
  async function keepAlive(number: number): Promise<void> {
    let deaths = 0;
    for (;;) {
      const worker = workers.get(number);
      const startedAt = performance.now();
      const exitCode = await worker?.child.exited;
      if (isStopping || worker === undefined) return;
      log.error({ worker: number, exitCode, signal: worker.child.signalCode }, 'a worker ended, starting another');
      // The first restart is immediate. If the worker keeps dying right after its start, the pauses between restarts grow, so
      // that the machine is not kept busy.
      deaths = performance.now() - startedAt > longestPauseMs ? 0 : deaths + 1;
      if (deaths > 1) await Bun.sleep(Math.min(firstPauseMs * 2 ** (deaths - 2), longestPauseMs));
      if (isStopping) return;
      start(number);
    }
  }

  async function startAll(): Promise<string> {
    if (process.platform !== 'linux') {
      throw new ExitError('WORKERS above 1 needs Linux, where processes can share a port.');
    }
    await expectFreePort(config);
    if (config.metricsPort !== undefined) {
      const { WorkerMetrics } = await import('./worker-metrics.ts');
      const { buildInfo } = await import('../telemetry/metrics.ts');
      const sum = new WorkerMetrics<Worker>(await buildInfo(version, findCommit()));
      metrics = sum;
      metricsServers = serveMetrics(config, async () => {
        await Promise.all([...workers.values()].map(askForMetrics));
        return sum.text();
      });
    }
    // The first worker starts alone, so that a fault in the configuration or the database is printed once.
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
    await atMost(longestStopOfWorkersMs, Promise.all(all.map(({ child }) => child.exited)));
    for (const { child } of all) child.kill('SIGKILL');
    for (const server of metricsServers) void server.stop(true);
  }

  const started = startAll().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { started, stop };
}

/** Starts the same program again: a file that Bun runs, or the one-file executable. */
function spawnWorker(number: number, receive: (message: FromWorker) => void): Bun.Subprocess {
  const program = isExecutable ? [] : ['--no-env-file', Bun.main];
  return Bun.spawn([process.execPath, ...program, 'serve'], {
    env: { ...process.env, [workerVariable]: String(number) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl-C in a terminal reaches only the supervisor, which then stops the workers.
    detached: true,
    ipc: receive,
  });
}

/** Asks a worker for its metrics, and waits. If the worker has ended or is too busy, its last metrics are used. */
async function askForMetrics({ child, waiting }: Worker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  try {
    child.send({ kind: 'send-metrics' } satisfies ToWorker);
  } catch {
    resolve();
  }
  await atMost(longestAnswerMs, promise);
}
