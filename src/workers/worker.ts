// One of several processes on one port: a service like any other, but started and stopped by its supervisor.
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { startService } from '../serve.ts';
import { type FromWorker, type ToWorker, workerVariable } from './messages.ts';

/** Undefined in a process that is no worker. */
export function workerNumber(): number | undefined {
  const number = process.env[workerVariable];
  return process.send === undefined || number === undefined ? undefined : Number(number);
}

export async function work(config: Config, log: Log): Promise<void> {
  // Whoever stops is told by the supervisor. A terminal sends this to all of them, and would be heard twice.
  process.on('SIGINT', () => {});
  const told = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    // It is gone, so nobody would stop this one any more.
    process.once('disconnect', resolve);
  });
  const service = await startService(config, log.child({ worker: workerNumber() }));
  const tell = (message: FromWorker) => process.send?.(message);
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'send-metrics') tell({ kind: 'metrics', snapshot: (await service.metrics?.snapshot()) ?? [] });
  });
  tell({ kind: 'ready', issuer: service.issuer });
  await told;
  await service.stop();
  process.exit(0);
}
