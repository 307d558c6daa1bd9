// `frontdesk check`: reports what works and what does not, before anyone depends on it. Changes nothing.

import { isLoopback } from '../../base/loopback.ts';
import type { Config } from '../../config/config.ts';
import { checkDatabase } from './database.ts';
import { type Finding, lineOf } from './finding.ts';
import { checkProvider } from './provider.ts';

/** Prints a line for each finding, and continues after a failure. Returns true if nothing has failed. */
export async function checkService(config: Config): Promise<boolean> {
  let works = true;
  for await (const finding of findAll(config)) {
    if (finding.level === 'FAILS') works = false;
    process.stdout.write(lineOf(finding));
  }
  return works;
}

async function* findAll(config: Config): AsyncGenerator<Finding> {
  yield { level: 'ok', part: 'configuration', text: 'every variable is valid' };
  for (const { variable, fault } of config.warnings) {
    yield { level: 'warns', part: 'configuration', text: `${variable}: ${fault}` };
  }
  const { protocol, hostname } = new URL(config.publicUrl);
  if (protocol === 'http:' && !isLoopback(hostname)) yield { level: 'warns', part: 'configuration', text: plainHttp };
  yield { level: 'ok', part: 'audit', text: retentionOf(config) };
  const ownKey = yield* checkDatabase(config);
  yield* checkProvider(config, ownKey);
}

const retentionOf = ({ auditRetentionDays: days }: Config) =>
  days === 0
    ? 'its rows are kept forever (AUDIT_RETENTION_DAYS)'
    : `its rows are removed after ${days} days (AUDIT_RETENTION_DAYS)`;

const plainHttp = 'PUBLIC_URL is plain http, so tokens and cookies can be read in transit: use https';
