// `frontdesk serve`: one process, or several.
import packageJson from '../../package.json';
import type { Config } from '../config/config.ts';
import { atMost, longestStopMs } from '../config/stop-times.ts';
import { startService } from '../serve.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { superviseWorkers } from '../workers/supervisor.ts';
import { work, workerNumber } from '../workers/worker.ts';
import { startMessage } from './start-message.ts';

/** Until a signal, then to its orderly end. */
export async function serve(config: Config): Promise<void> {
  const log = await createLog({ level: config.logLevel, format: config.logFormat });
  const reportReady = (issuer: string) => {
    if (config.production) log.info({ publicUrl: config.publicUrl, issuer }, 'Frontdesk is ready');
    else process.stdout.write(startMessage(config, issuer, packageJson.version));
  };
  if (workerNumber() !== undefined) return work(config, log);
  for (const { variable, fault } of config.warnings) log.warn({ variable }, `configuration: ${fault}`);
  // Before the start, which may take long: a signal is not lost meanwhile.
  const signalled = nextSignal();
  const { started, stop } = config.workers > 1 ? superviseWorkers(config, log) : startAlone(config, log);
  const ready = started.then((issuer) => {
    reportReady(issuer);
    return signalled;
  });
  const signal = await Promise.race([signalled, ready]);
  // A second signal ends the process at once.
  void nextSignal().then(() => process.exit(1));
  log.info({ signal }, 'stopping');
  await stop();
  process.exit(0);
}

/** A start that does not finish in time is abandoned: whatever it does is in a transaction. */
function startAlone(config: Config, log: Log) {
  const starting = startService(config, log);
  return {
    started: starting.then(({ issuer }) => issuer),
    async stop() {
      await atMost(
        longestStopMs,
        starting.then((service) => service.stop()),
      );
    },
  };
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(signal));
  });
}
