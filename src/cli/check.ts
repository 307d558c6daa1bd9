// `frontdesk check`: what works and what does not, before anybody depends on it. Changes nothing.

import { openActiveKey, WrongSecretKey } from '../auth/keys/stored-keys.ts';
import { createAskProvider } from '../auth/provider/fetch.ts';
import { discoverProvider } from '../auth/provider/identity-provider.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { expectDevelopmentProvider } from '../dev/installed.ts';
import { inspectStorage } from '../storage/inspect.ts';
import { findSecret } from '../storage/secret.ts';
import { nameOfDatabase } from '../storage/storage.ts';
import { causesOf } from '../telemetry/guards.ts';
import { describeError } from '../telemetry/log.ts';

/** True when everything works. Prints a line for each part. */
export async function checkService(config: Config): Promise<boolean> {
  await attempt('configuration', async () => 'every variable is valid');
  for (const { variable, fault } of config.warnings) {
    process.stdout.write(`warns  ${'configuration'.padEnd(18)} ${variable}: ${fault}\n`);
  }
  const results = [
    await attempt('database', () => checkStorage(config)),
    await attempt('identity provider', () => checkProvider(config)),
  ];
  return results.every((works) => works);
}

async function attempt(part: string, check: () => Promise<string>): Promise<boolean> {
  try {
    process.stdout.write(`ok     ${part.padEnd(18)} ${await check()}\n`);
    return true;
  } catch (error) {
    process.stdout.write(`FAILS  ${part.padEnd(18)} ${explain(error)}\n`);
    return false;
  }
}

async function checkStorage(config: Config): Promise<string> {
  const name = nameOfDatabase(config.database);
  const storage = await inspectStorage(config.database);
  if (storage === undefined) return `${name} will be created by the first start`;
  try {
    if (storage.pendingMigrations > 0) return `${name} opens; the next start brings its tables up to date`;
    const isFresh = (await storage.db.selectFrom('signing_key').select('kid').limit(1).execute()).length === 0;
    if (isFresh) return `${name} opens; the first start creates the keys and lists`;
    const secretKey = findSecret(config);
    if (secretKey === undefined) throw new WrongSecretKey();
    await openActiveKey(storage.db, 'signing_key', secretKey);
    return `${name} opens`;
  } finally {
    await storage.db.destroy();
  }
}

async function checkProvider({ provider }: Config): Promise<string> {
  if (provider === undefined) {
    expectDevelopmentProvider();
    return 'the development provider starts with the service';
  }
  const { issuer } = await discoverProvider(provider, createAskProvider(undefined), () => new Date());
  return `${issuer} was found`;
}

const meanings: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at that address (ECONNREFUSED)',
  ENOTFOUND: 'no machine has that name (ENOTFOUND)',
  'idp-timeout': 'it did not answer in time',
};

/** Codes and our own texts only: a library's message may quote secrets. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const codes: unknown[] = [];
  for (const each of causesOf(error)) {
    const { name, code, reason } = describeError(each);
    if (reason !== undefined) return String(reason);
    codes.push(code ?? name);
  }
  const last = String(codes.at(-1));
  return meanings[last] ?? codes.join(', ');
}
