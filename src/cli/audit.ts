// The audit from the command line: shown, and verified.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readAudit, readAuditPages } from '../audit/audit.queries.ts';
import { openAuditKey, readLastOlder } from '../audit/audit-key.ts';
import { forgottenType } from '../audit/proof/accounting.ts';
import type { AuditKey } from '../audit/proof/digest.ts';
import { NotAsWritten } from '../audit/proof/not-as-written.ts';
import { type Verified, verifyAudit } from '../audit/proof/verification.ts';
import { WrongSecretKey } from '../auth/keys/stored-keys.ts';
import type { Config } from '../config/config.ts';
import { changeOf } from '../lookup/changing/list-changes.ts';
import { listHistory, readHistoryText } from '../lookup/lookup.queries.ts';
import type { Db } from '../storage/storage.ts';
import { codeOf } from '../telemetry/guards.ts';
import { type Command, CommandError, expectSecret, jsonLines, mapPages, tableParts } from './command.ts';
import { writeLines } from './standard-output.ts';

/** sysexits.h: EX_DATAERR and EX_TEMPFAIL. */
const wrongData = 65;
const tryAgain = 75;

/** For every command that writes rows: their digests need it. Undefined where the service has made none yet. */
export async function findAuditKey(db: Db, config: Config): Promise<AuditKey | undefined> {
  const isThere = (await db.selectFrom('audit_key').select('id').execute()).length > 0;
  if (!isThere) return undefined;
  const key = await openAuditKey(db, expectSecret(config));
  if (key === 'sealed') throw new WrongSecretKey();
  return key === 'missing' ? undefined : key;
}

export async function expectAuditKey(db: Db, config: Config): Promise<AuditKey> {
  const key = await findAuditKey(db, config);
  if (key === undefined) throw new CommandError('There is no key yet: the service makes it when it starts.');
  return key;
}

/** For people, where that is what it is. */
export const explainChange = (error: unknown) =>
  error instanceof NotAsWritten
    ? new CommandError(`The audit is not as it was written: ${error.message}.`, wrongData)
    : error;

export const auditCommands = {
  async audit({ options, flags }, { db }) {
    const { since, type, person, limit = '100', after, before } = options;
    const pages = readAuditPages(db, {
      since: since === undefined ? undefined : new Date(since),
      type,
      person,
      limit: Number(limit),
      after: after === undefined ? undefined : Number(after),
      before: before === undefined ? undefined : Number(before),
    });
    if (flags.has('json')) return writeLines(jsonLines(pages));
    const head = ['id', 'at', 'type', 'person', 'actor', 'session', 'address', 'request', 'detail'];
    return writeLines(tableParts(head, mapPages(pages, Object.values<string | null>)));
  },

  async 'audit verify'({ options }, { db }, config) {
    const keptSeal = options['last-seal'] === undefined ? undefined : readSeal(options['last-seal']);
    const key = await expectAuditKey(db, config);
    const lastOlder = await readLastOlder(db, expectSecret(config));
    const lastWithoutDigest = Math.max(lastOlder, Number(options['older-until'] ?? 0));
    const last = await readLastForgotten(db);
    try {
      const found = await verifyAudit({
        db,
        key,
        keptSeal,
        lastWithoutDigest,
        changeOf,
        readCovered: ({ list, version }) => readHistoryText(db, list, version),
        readHistory: () => listHistory(db),
      });
      return describeVerified(found, lastOlder);
    } catch (error) {
      // Rows that were read already may have been changed by it.
      if (error instanceof NotAsWritten && (await readLastForgotten(db)) !== last) {
        throw new CommandError('Personal data was being erased at the same time: verify again.', tryAgain);
      }
      throw explainChange(error);
    }
  },
} satisfies Record<string, Command>;

function describeVerified({ rows, seals, unsealed, removedUntil, unfinished }: Verified, lastOlder: number): string {
  // Who knows that there was no upgrade sees that somebody has made the service begin anew.
  const older =
    lastOlder <= removedUntil
      ? ''
      : ` Rows ${removedUntil + 1} to ${lastOlder} are older than the key: only seals prove them.`;
  const removed = removedUntil === 0 ? '' : ` Rows 1 to ${removedUntil} were removed by the retention.`;
  const rest = unfinished.map((who) => `${who} is not forgotten yet: repeat frontdesk people forget.\n`).join('');
  return `${rows} rows and ${seals} seals are as they were written. The last ${unsealed} rows are not sealed yet.${removed}${older}\n${rest}`;
}

async function readLastForgotten(db: Db): Promise<string | undefined> {
  return (await readAudit(db, { type: forgottenType, limit: 1 }))[0]?.id;
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
