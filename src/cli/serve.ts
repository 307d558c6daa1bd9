// `frontdesk serve`: one process, or several.
import { findCommit, version } from '../base/executable.ts';
import { codeOf } from '../base/guards.ts';
import { atMost, longestStopMs } from '../base/stop-times.ts';
import type { Config } from '../config/config.ts';
import { startService } from '../serve.ts';
import { nameOfDatabase } from '../storage/storage.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { superviseWorkers } from '../workers/supervisor.ts';
import { work, workerNumber } from '../workers/worker.ts';

const longestNoticeMs = 5000;

/** Runs until a signal arrives, then stops in an orderly way. */
export async function serve(config: Config): Promise<void> {
  const log = await createLog({ level: config.logLevel, format: config.logFormat, instance: config.instance });
  const reportReady = (issuer: string) => {
    notifySystemd('READY=1', log);
    if (config.production) log.info({ publicUrl: config.publicUrl, issuer }, 'Frontdesk is ready');
    else process.stdout.write(startMessage(config, issuer));
  };
  if (workerNumber() !== undefined) return work(config, log);
  // In development, the start message names the version and the commit.
  if (config.production) log.info({ version, commit: findCommit() }, 'Frontdesk is starting');
  for (const { variable, fault } of config.warnings) log.warn({ variable }, `configuration: ${fault}`);
  // Listens for signals even before the service has started, which may take a while, so that no signal is lost.
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
  notifySystemd('STOPPING=1', log);
  await stop();
  process.exit(0);
}

/**
 * Reports the state to systemd (`Type=notify`), if it started this process. systemd's own program sends it, because Bun has no
 * Unix datagram sockets.
 */
function notifySystemd(state: 'READY=1' | 'STOPPING=1', log: Log): void {
  if (process.env.NOTIFY_SOCKET === undefined) return;
  const onExit = (_: Bun.Subprocess, exitCode: number | null) => {
    if (exitCode !== 0) log.warn({ state, exitCode }, 'systemd-notify failed');
  };
  try {
    Bun.spawn(['systemd-notify', state], { stdio: ['ignore', 'ignore', 'ignore'], timeout: longestNoticeMs, onExit });
  } catch (error) {
    log.warn({ state, code: codeOf(error) }, 'systemd-notify cannot be started');
  }
}

/**
 * If the service is stopped while it is still starting, startup is abandoned after a time limit. This is safe, because
 * everything that startup does is in a transaction.
 */
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

export function startMessage(config: Config, issuer: string): string {
  const { publicUrl, provider, database, devPeople } = config;
  const [first] = devPeople ?? [];
  const hint = encodeURIComponent(first?.claims.sub ?? 'E-1001');
  const rows = [
    ['Console', `${publicUrl}/`],
    ['API docs', `${publicUrl}/docs`],
    [
      'Identity provider',
      provider === undefined
        ? `${issuer} (development, with ${devPeople === undefined ? 'sample people' : 'the people in DEV_PEOPLE'})`
        : issuer,
    ],
    ['Database', nameOfDatabase(database)],
  ];
  const next =
    provider === undefined
      ? `Get an access token:\n\n  curl -sL -b '' '${publicUrl}/auth/login?login_hint=${hint}'`
      : `Sign in:\n\n  ${publicUrl}/auth/login`;
  return `Frontdesk ${version} (commit ${findCommit()}) is ready.

${rows.map(([name = '', value]) => `  ${name.padEnd(19)}${value}`).join('\n')}

${next}

`;
}
