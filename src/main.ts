#!/usr/bin/env -S bun --no-env-file
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { WrongSecretKey } from './auth/keys/stored-keys.ts';
import { findCommit, version } from './base/executable.ts';
import { ExitError, exitCodes } from './base/exit-error.ts';
import { readCommandLine, UsageError } from './cli/arguments.ts';
import type { CommandResult } from './cli/command.ts';
import { ConfigError, readConfig } from './config/config.ts';
import { CannotOpenDatabase, describeDamage, isForbidden, isStorageAway } from './storage/errors.ts';

function readEnvironment(): Record<string, string | undefined> {
  const fromFile = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/** All settings that a migration needs. Whoever migrates as the tables' owner need not know the service's secrets. */
function databaseSettings(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /^(DATABASE_|PG|LOG_|(ALLOW_PLAINTEXT|INSTANCE_NAME)$)/.test(name)),
  );
}

/**
 * Each command is loaded only when called, so that the service starts without loading the other commands, and they start
 * without loading the service.
 */
async function run(typed: string[]): Promise<void> {
  const call = readCommandLine(typed);
  if ('help' in call) {
    process.stdout.write(call.help);
    return;
  }
  const { name, args } = call;
  const config = () => readConfig(readEnvironment(), process.stdout.isTTY);
  const databaseConfig = () => readConfig(databaseSettings(readEnvironment()), process.stdout.isTTY);
  switch (name) {
    case 'serve': {
      const { serve } = await import('./cli/serve.ts');
      return serve(config());
    }
    case 'check': {
      if (args.flags.has('sign-in')) {
        const { printTrialAddress } = await import('./cli/commands.ts');
        return print(await printTrialAddress(config()));
      }
      const { checkService } = await import('./cli/check/check.ts');
      // Exits at once, because a connection that was refused while it was being made may stay open for a while.
      process.exit((await checkService(config())) ? 0 : exitCodes.failure);
      break;
    }
    case 'version':
      process.stdout.write(`${version} (commit ${findCommit()})\n`);
      return;
    case 'migrate':
    case 'backup':
    case 'health':
    case 'explain': {
      const { operatingCommands } = await import('./cli/operation.ts');
      return print(await operatingCommands[name](args, name === 'migrate' ? databaseConfig() : config()));
    }
    default: {
      const { url } = args.options;
      if (url !== undefined) {
        const { runOverHttp } = await import('./cli/remote-lists.ts');
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
  if (error instanceof UsageError) {
    process.stderr.write(error.message);
    process.exit(exitCodes.usage);
  }
  if (error instanceof WrongSecretKey || error instanceof CannotOpenDatabase) {
    process.stderr.write(`${error.message}\n`);
    const mayPass = error instanceof CannotOpenDatabase && error.mayPass;
    process.exit(mayPass ? exitCodes.tryAgain : exitCodes.configuration);
  }
  if (error instanceof ExitError) {
    if (error.message !== '') process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
  const damage = describeDamage(error);
  if (damage !== undefined) {
    process.stderr.write(`The database cannot be read (${damage})\n`);
    process.exit(exitCodes.configuration);
  }
  if (isForbidden(error)) {
    process.stderr.write('The database account lacks permissions. Run frontdesk check to see which to grant.\n');
    process.exit(exitCodes.configuration);
  }
  if (isStorageAway(error)) {
    process.stderr.write('The database is locked or cannot be reached. Try again.\n');
    process.exit(exitCodes.tryAgain);
  }
  // A defect. It is printed in full. No request has been served yet, so it cannot contain a request's secrets.
  process.stderr.write(`${Bun.inspect(error)}\n`);
  process.exit(exitCodes.failure);
}

await run(process.argv.slice(2)).catch(report);
