// Commands that show, verify and seal the audit.
import { z } from 'zod';
import { readAuditPages } from '../audit/audit.queries.ts';
import { startOfPeriod } from '../audit/audit.schema.ts';
import { openAuditKey } from '../audit/audit-key.ts';
import { ensureAuditKey } from '../audit/key-making.ts';
import { type AuditKey, NotAsWritten } from '../audit/proof/digest.ts';
import { sealAudit } from '../audit/proof/sealing.ts';
import { type Verified, verifyAudit } from '../audit/proof/verification.ts';
import { WrongSecretKey } from '../auth/keys/stored-keys.ts';
import { exitCodes } from '../base/exit-error.ts';
import { parseJson } from '../base/guards.ts';
import type { Config } from '../config/config.ts';
import { changeOf } from '../lookup/changing/list-changes.ts';
import { listHistory } from '../lookup/history/event.queries.ts';
import { readHistoryText } from '../lookup/history/history.queries.ts';
import { findListFault } from '../lookup/history/list-check.ts';
import { ensureSecret } from '../storage/secret.ts';
import { type Db, readSnapshot } from '../storage/storage.ts';
import {
  type Command,
  CommandError,
  expectSecret,
  jsonLines,
  mapPages,
  readGivenFile,
  tableParts,
  writeLines,
} from './command.ts';

const hasAuditKey = async (db: Db) => (await db.selectFrom('audit_key').select('id').execute()).length > 0;

/** Creates the audit key if a command writes audit rows before the service has started for the first time. */
export async function ensureKeyForRows(db: Db, config: Config): Promise<void> {
  if (await hasAuditKey(db)) return;
  // With SQLite, the service will find the new secret beside the database file.
  const secretKey = config.database.engine === 'sqlite' ? ensureSecret(config) : expectSecret(config);
  await ensureAuditKey(db, secretKey, new Date(), ({ row, seal }) => {
    process.stderr.write(`An audit key was created after row ${row} and seal ${seal}.\n`);
  });
}

export async function expectAuditKey(db: Db, config: Config): Promise<AuditKey> {
  const key = (await hasAuditKey(db)) ? await openAuditKey(db, expectSecret(config)) : 'missing';
  if (key === 'missing') throw new CommandError('There is no audit key yet. The service creates it when it starts.');
  if (key === 'sealed') throw new WrongSecretKey();
  return key;
}

/** Turns the error about a changed audit into a readable message. Returns other errors unchanged. */
export const explainChange = (error: unknown) =>
  error instanceof NotAsWritten
    ? new CommandError(`The audit is not as it was written: ${error.message}.`, exitCodes.wrongData)
    : error;

export const auditCommands = {
  async audit({ options, flags }, { db }) {
    const { since, type, person, limit = '100', after, before } = options;
    const pages = readAuditPages(db, {
      since: since === undefined ? undefined : startOfPeriod(since),
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
    const beforeReset = Number(options['before-reset'] ?? 0);
    const verifying = readSnapshot(db, (snapshot) =>
      verifyAudit({
        db: snapshot,
        key,
        keptSeal,
        beforeReset,
        changeOf,
        readCovered: ({ list, version }) => readHistoryText(snapshot, list, version),
        readHistory: () => listHistory(snapshot),
        findListFault: () => findListFault(snapshot),
      }),
    );
    return describeVerified(
      await verifying.catch((error: unknown) => {
        throw explainChange(error);
      }),
    );
  },

  /** Seals new rows first, so that the printed seal proves everything up to now. */
  async 'audit seal'(_, { db }, config) {
    const key = await expectAuditKey(db, config);
    await sealAudit({ db, key, now: () => new Date() });
    const seal = await db.selectFrom('audit_seal').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
    if (seal === undefined) throw new CommandError('The audit has no row yet.');
    return `${JSON.stringify({ seal })}\n`;
  },
} satisfies Record<string, Command>;

function describeVerified({ rows, seals, unsealed, unproven, removedUntil, unfinished }: Verified): string {
  const since = unsealed.since === undefined ? '' : `, since ${unsealed.since}`;
  return [
    `${rows} rows and ${seals} seals are as they were written, and the lists match their history.`,
    `The last ${unsealed.rows} rows are not sealed yet${since}.`,
    ...(removedUntil === 0
      ? []
      : [`Rows 1 to ${removedUntil} were removed by retention, so list changes from that time cannot be verified.`]),
    ...(unproven === 0 ? [] : [`${unproven} rows are from before the keys were reset and cannot be verified.`]),
  ]
    .join(' ')
    .concat(
      '\n',
      ...unfinished.map((who) => `${who} has not been forgotten completely. Run frontdesk people forget again.\n`),
    );
}

const LoggedSeal = z.object({ seal: z.object({ number: z.number(), hash: z.string() }) });

/** Reads a seal printed by `audit seal`, or the last seal in a log file. */
function readSeal(path: string) {
  for (const line of readGivenFile(path).toString().split('\n').reverse()) {
    // LOG_FORMAT=pretty writes the time and the message before the JSON.
    const start = line.indexOf('{');
    const seal = start === -1 ? undefined : LoggedSeal.safeParse(parseJson(line.slice(start)));
    if (seal?.success) return seal.data.seal;
  }
  throw new CommandError(`${path} contains no seal printed by frontdesk audit seal.`, exitCodes.wrongData);
}
