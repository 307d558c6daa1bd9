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
  const stopped = new Promise<'stopped'>((resolve) => {
    process.once('SIGTERM', () => resolve('stopped'));
    // The supervisor has ended, and could not stop this one any more.
    process.once('disconnect', () => resolve('stopped'));
  });
  const service = await Promise.race([startService(config, log.child({ worker: workerNumber() })), stopped]);
  // Stopped during the start: whatever it does is in a transaction, and no request has been served yet.
  if (service === 'stopped') process.exit(0);
  const send = (message: FromWorker) => process.send?.(message);
  process.on('message', async (message: ToWorker) => {
    if (message.kind !== 'send-metrics') return;
    const snapshot = await service.metrics?.snapshot().catch(() => []);
    send({ kind: 'metrics', snapshot: snapshot ?? [] });
  });
  send({ kind: 'ready', issuer: service.issuer });
  await stopped;
  await service.stop();
  process.exit(0);
}
