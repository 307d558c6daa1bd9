// One of several processes on one port: a service like any other, but started and stopped by its supervisor.

import type { MetricObject } from 'prom-client';
import type { Config } from '../config/config.ts';
import { type Service, startService } from '../serve.ts';
import type { Log } from '../telemetry/log.ts';

/** Undefined in a process that is not a worker. */
export function workerNumber(): number | undefined {
  const number = process.env[workerVariable];
  return process.send === undefined || number === undefined ? undefined : Number(number);
}

export async function work(config: Config, log: Log): Promise<void> {
  const stopped = new Promise<'stopped'>((resolve) => {
    process.once('SIGTERM', () => resolve('stopped'));
    // The supervisor has died and can no longer stop this worker.
    process.once('disconnect', () => resolve('stopped'));
  });
  let service: Service | undefined;
  const send = (message: FromWorker) => process.send?.(message);
  // Answered even during startup, which may take long, so that the supervisor does not wait until its time limit.
  process.on('message', async (message: ToWorker) => {
    if (message.kind !== 'send-metrics') return;
    const snapshot = await service?.metrics?.snapshot().catch(() => []);
    send({ kind: 'metrics', snapshot: snapshot ?? [] });
  });
  const started = await Promise.race([startService(config, log.child({ worker: workerNumber() })), stopped]);
  // Stopped during startup. Exiting is safe, because startup writes only in transactions and no request has been served.
  if (started === 'stopped') process.exit(0);
  service = started;
  send({ kind: 'ready', issuer: service.issuer });
  await stopped;
  await service.stop();
  process.exit(0);
}

export type FromWorker = { kind: 'ready'; issuer: string } | { kind: 'metrics'; snapshot: MetricObject[] };
export type ToWorker = { kind: 'send-metrics' };

/** The environment variable with a worker's number. */
export const workerVariable = 'FRONTDESK_WORKER';
