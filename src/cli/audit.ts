// The audit from the command line: shown, and verified.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readAudit } from '../audit/audit.queries.ts';
import { openAuditKey } from '../audit/audit-key.ts';
import type { AuditKey } from '../audit/digest.ts';
import { NotAsWritten } from '../audit/not-as-written.ts';
import { type Verified, verifyAudit } from '../audit/verification.ts';
import { WrongSecretKey } from '../auth/keys/stored-keys.ts';
import type { Config } from '../config/config.ts';
import { readChangeOf } from '../lookup/list-changes.ts';
import type { Db } from '../storage/storage.ts';
import { codeOf } from '../telemetry/guards.ts';
import { type Command, CommandError, expectSecret, table } from './command.ts';

/** sysexits.h: EX_DATAERR. */
const wrongData = 65;

/** For every command that writes rows: their digests need it. Undefined where the service has made none yet. */
export async function findAuditKey(db: Db, config: Config): Promise<AuditKey | undefined> {
  const isThere = (await db.selectFrom('audit_key').select('id').execute()).length > 0;
  if (!isThere) return undefined;
  const key = await openAuditKey(db, expectSecret(config));
  if (key === 'sealed') throw new WrongSecretKey();
  return key === 'missing' ? undefined : key;
}

export const auditCommands = {
  async audit({ options, flags }, { db }) {
    const { since, type, person, limit = '100', after, before } = options;
    const rows = await readAudit(db, {
      since: since === undefined ? undefined : new Date(since),
      type,
      person,
      limit: Number(limit),
      after: after === undefined ? undefined : Number(after),
      before: before === undefined ? undefined : Number(before),
    });
    if (flags.has('json')) return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    return table(
      ['id', 'at', 'type', 'person', 'actor', 'session', 'address', 'request', 'detail'],
      rows.map((row) => Object.values(row)),
    );
  },

  async 'audit verify'({ options }, { db }, config) {
    const keptSeal = options['last-seal'] === undefined ? undefined : readSeal(options['last-seal']);
    const key = await findAuditKey(db, config);
    if (key === undefined) throw new CommandError('There is no key yet: the service makes it when it starts.');
    const lastWithoutDigest = Number(options['older-until'] ?? 0);
    const readCovered = (detail: string) => readChangeOf(db, detail);
    try {
      const found = await verifyAudit({ db, key, keptSeal, lastWithoutDigest, readCovered });
      return describeVerified(found);
    } catch (error) {
      if (!(error instanceof NotAsWritten)) throw error;
      throw new CommandError(`The audit is not as it was written: ${error.message}.`, wrongData);
    }
  },
} satisfies Record<string, Command>;

function describeVerified({ rows, seals, unsealed, removedUntil }: Verified): string {
  const removed = removedUntil === 0 ? '' : ` Rows 1 to ${removedUntil} were removed by the retention.`;
  return `${rows} rows and ${seals} seals are as they were written. The last ${unsealed} rows are not sealed yet.${removed}\n`;
}

const LoggedSeal = z.object({ seal: z.object({ number: z.number(), hash: z.string() }) });

/** Of a log file, the last one in it. */
function readSeal(path: string) {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${codeOf(error)}).`);
  }
  for (const line of text.split('\n').reverse()) {
    const seal = line.startsWith('{') ? LoggedSeal.safeParse(parseJson(line)) : undefined;
    if (seal?.success) return seal.data.seal;
  }
  throw new CommandError(`${path} has no seal as the service logs it.`, wrongData);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
