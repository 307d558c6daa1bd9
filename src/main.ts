#!/usr/bin/env -S bun --no-env-file
// The command line.
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import packageJson from '../package.json';
import { WrongSecretKey } from './auth/keys/stored-keys.ts';
import { readCommandLine, UsageError } from './cli/arguments.ts';
import { CommandError, type CommandResult } from './cli/command.ts';
import { startMessage } from './cli/start-message.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { atMost, longestStopMs } from './config/stop-times.ts';
import { CannotListen, startService } from './serve.ts';
import { CannotOpenDatabase, describeDamage, isForbidden, isStorageAway } from './storage/errors.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { superviseWorkers, WorkerFailed } from './workers/supervisor.ts';
import { work, workerNumber } from './workers/worker.ts';

/** sysexits.h: what is wrong is the configuration, the call, or neither. */
const exitCodes = { configuration: 78, tryAgain: 75, usage: 64, failure: 1 };

async function serve(config: Config): Promise<void> {
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
  void nextSignal().then(() => process.exit(exitCodes.failure));
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

function readEnvironment(): Record<string, string | undefined> {
  const fromFile = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/** Commands are loaded when they are called: the service starts without them. */
async function run(typed: string[]): Promise<void> {
  const call = readCommandLine(typed);
  if ('help' in call) {
    process.stdout.write(call.help);
    return;
  }
  const { name, args } = call;
  const config = () => readConfig(readEnvironment(), process.stdout.isTTY);
  switch (name) {
    case 'serve':
      return serve(config());
    case 'check': {
      if (args.flags.has('sign-in')) {
        const { printTrialAddress } = await import('./cli/commands.ts');
        return print(await printTrialAddress(config()));
      }
      const { checkService } = await import('./cli/check/check.ts');
      // Not only the exit code: a connection that was refused half-way may stay open for a while.
      process.exit((await checkService(config())) ? 0 : exitCodes.failure);
      break;
    }
    case 'version':
      process.stdout.write(`${packageJson.version}\n`);
      return;
    case 'migrate':
    case 'backup':
    case 'health':
    case 'explain': {
      const { operatingCommands } = await import('./cli/operation.ts');
      return print(await operatingCommands[name](args, config()));
    }
    default: {
      const { url } = args.options;
      if (url !== undefined) {
        const { runOverHttp } = await import('./cli/over-http.ts');
        return print(await runOverHttp(name, args, url, process.env));
      }
      const { runCommand } = await import('./cli/commands.ts');
      return print(await runCommand(name, args, config()));
    }
  }
}

function print(result: CommandResult): void {
  process.stdout.write(typeof result === 'string' ? result : result.text);
  if (typeof result !== 'string') process.exitCode = result.exitCode;
}

function report(error: unknown): never {
  if (error instanceof ConfigError) {
    const width = Math.max(...error.faults.map(({ variable }) => variable.length));
    const rows = error.faults.map(({ variable, fault }) => `  ${variable.padEnd(width)}  ${fault}\n`);
    process.stderr.write(`Frontdesk cannot start with this configuration:\n\n${rows.join('')}\n`);
    process.exit(exitCodes.configuration);
  }
  // The worker has printed the reason.
  if (error instanceof WorkerFailed) process.exit(error.exitCode);
  if (error instanceof UsageError) {
    process.stderr.write(error.message);
    process.exit(exitCodes.usage);
  }
  if (error instanceof WrongSecretKey || error instanceof CannotOpenDatabase) {
    process.stderr.write(`${error.message}\n`);
    const mayPass = error instanceof CannotOpenDatabase && error.mayPass;
    process.exit(mayPass ? exitCodes.tryAgain : exitCodes.configuration);
  }
  if (error instanceof CannotListen || error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(error instanceof CommandError ? error.exitCode : exitCodes.failure);
  }
  const damage = describeDamage(error);
  if (damage !== undefined) {
    process.stderr.write(`The database cannot be read (${damage})\n`);
    process.exit(exitCodes.configuration);
  }
  if (isForbidden(error)) {
    process.stderr.write('The database account may not do all it has to: frontdesk check tells what to grant.\n');
    process.exit(exitCodes.configuration);
  }
  if (isStorageAway(error)) {
    process.stderr.write('The database is locked or cannot be reached: try again.\n');
    process.exit(exitCodes.tryAgain);
  }
  // A defect. Everything is printed: there is no request yet whose secrets it could hold.
  process.stderr.write(`${Bun.inspect(error)}\n`);
  process.exit(exitCodes.failure);
}

await run(process.argv.slice(2)).catch(report);
