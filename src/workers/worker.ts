// One of several processes on one port: a service like any other, but started and stopped by its supervisor.
import type { Config } from '../config/config.ts';
import { startService } from '../serve.ts';
import type { Log } from '../telemetry/log.ts';
import { type FromWorker, type ToWorker, workerVariable } from './messages.ts';

/** Undefined in a process that is no worker. */
export function workerNumber(): number | undefined {
  const number = process.env[workerVariable];
  return process.send === undefined || number === undefined ? undefined : Number(number);
}

export async function work(config: Config, log: Log): Promise<void> {
  const told = new Promise<'told'>((resolve) => {
    process.once('SIGTERM', () => resolve('told'));
    // The supervisor is gone, so nobody would stop this one any more.
    process.once('disconnect', () => resolve('told'));
  });
  const service = await Promise.race([startService(config, log.child({ worker: workerNumber() })), told]);
  // Told during the start: what it was doing is a transaction, and nobody has been served yet.
  if (service === 'told') process.exit(0);
  const tell = (message: FromWorker) => process.send?.(message);
  process.on('message', async (message: ToWorker) => {
    if (message.kind !== 'send-metrics') return;
    const snapshot = await service.metrics?.snapshot().catch(() => []);
    tell({ kind: 'metrics', snapshot: snapshot ?? [] });
  });
  tell({ kind: 'ready', issuer: service.issuer });
  await told;
  await service.stop();
  process.exit(0);
}
