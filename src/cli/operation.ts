// Commands for operating the service: migrate, backup, health, explain.
import { existsSync, statSync } from 'node:fs';
import { exitCodes } from '../base/exit-error.ts';
import { codeOf } from '../base/guards.ts';
import { addressesOf } from '../base/loopback.ts';
import type { Config } from '../config/config.ts';
import { CannotOpenDatabase, describeDamage } from '../storage/errors.ts';
import { describeStep } from '../storage/migrate.ts';
import { backupSqlite, DamagedCopy } from '../storage/sqlite.ts';
import { migrateStorage, nameOfDatabase } from '../storage/storage.ts';
import type { Arguments } from './arguments.ts';
import { CommandError, type CommandResult } from './command.ts';
import { explain } from './explain.ts';

type OperatingCommand = (args: Arguments, config: Config) => Promise<CommandResult>;

export const operatingCommands = { migrate, backup, health, explain } satisfies Record<string, OperatingCommand>;

/** Run this command as the account that owns the tables, if the service's account may not change them. */
async function migrate(_: Arguments, { database }: Config): Promise<string> {
  // Prints each step immediately, because a migration may take a long time.
  await migrateStorage(database, { begin() {}, step: (step) => process.stdout.write(`${describeStep(step)}\n`) });
  return `The tables of ${nameOfDatabase(database)} are up to date.\n`;
}

async function backup({ words: [to = ''] }: Arguments, { database, secretKey }: Config): Promise<string> {
  if (database.engine === 'postgres') {
    throw new CommandError('PostgreSQL has its own backups: see pg_dump, or continuous archiving.');
  }
  if (!existsSync(database.file)) throw new CommandError(`There is no database at ${database.file}.`);
  if (existsSync(to)) throw new CommandError(`${to} already exists and is not overwritten.`);
  try {
    backupSqlite(database.file, to);
  } catch (error) {
    if (error instanceof DamagedCopy) {
      const text = `The copy failed its check and was deleted: ${database.file} is damaged (${error.damage})`;
      // EX_CONFIG of sysexits.h. The service exits with the same code if its database file is damaged.
      throw new CommandError(text, exitCodes.configuration);
    }
    if (describeDamage(error) !== undefined || statSync(database.file).isDirectory()) {
      throw new CannotOpenDatabase(database.file, error);
    }
    throw new CommandError(`${to} cannot be written (${codeOf(error) ?? 'unknown reason'}).`);
  }
  const secret = secretKey === undefined ? 'the file secret.key beside the database' : 'SECRET_KEY';
  return `${database.file} is backed up as ${to}. Its signing keys can be decrypted only with ${secret}. Keep that too, in a different place.\n`;
}

/** Used by health checks in containers, which have no curl. */
async function health(_: Arguments, { host, port }: Config): Promise<string> {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const [bound = host] = addressesOf(host);
  const address = everywhere[bound] ?? bound;
  // Checks liveness, not readiness, because without its database the service still serves lists and must not be
  // restarted.
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/health/live`;
  // A proxy (HTTP_PROXY) cannot reach this machine's own addresses.
  const answer = await fetch(url, { proxy: false, signal: AbortSignal.timeout(3000) }).catch(() => undefined);
  if (answer?.ok !== true) throw new CommandError('down');
  return 'up\n';
}
