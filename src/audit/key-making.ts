// Creates the audit key on first startup, and again after SECRET_KEY was lost. An audit row with a digest under the new
// key records this, because the new key cannot verify earlier rows and the auditor has to know why.
import type { Kysely, Transaction } from 'kysely';
import { databaseOf } from '../storage/commit-hooks.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { findProvenRow } from './audit.queries.ts';
import { frontdesk, writeAudit } from './audit.ts';
import { generateAuditKey, openAuditKey, provideAuditKey } from './audit-key.ts';
import type { AuditKey } from './proof/digest.ts';
import { lockAudit } from './removal.ts';

/** The last row and the last seal written before the key was created; 0 if there were none. */
interface BeforeKey {
  row: number;
  seal: number;
}

export type OnMade = (before: BeforeKey) => void;

/** Creates the key if there is none. From then on, rows written to this database get digests under it. */
export async function ensureAuditKey(
  db: Db,
  secretKey: string,
  now: Date,
  onMade: OnMade = () => {},
): Promise<AuditKey | 'sealed'> {
  let found = await openAuditKey(db, secretKey);
  if (found === 'missing') {
    const before = await db.transaction().execute(async (tx) => {
      const last = await lockCounter(tx);
      // Another process may have created the key meanwhile.
      const isThere = (await tx.selectFrom('audit_key').select('id').execute()).length > 0;
      return isThere ? undefined : storeKey(tx, secretKey, last, frontdesk, now);
    });
    if (before !== undefined) onMade(before);
    found = await openAuditKey(db, secretKey);
  }
  if (found === 'missing') throw new Error('the audit key is gone');
  if (found !== 'sealed') provideAuditKey(db, async () => found);
  return found;
}

/** Replaces a key that can no longer be decrypted. */
export async function replaceAuditKey(
  tx: Transaction<Tables>,
  secretKey: string,
  actor: string,
  now: Date,
): Promise<void> {
  await lockAudit(tx);
  const last = await lockCounter(tx);
  await storeKey(tx, secretKey, last, actor, now);
}

async function lockCounter(tx: Transaction<Tables>): Promise<number> {
  return (await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).executeTakeFirstOrThrow()).last;
}

async function storeKey(
  tx: Transaction<Tables>,
  secretKey: string,
  row: number,
  actor: string,
  now: Date,
): Promise<BeforeKey> {
  const { key, sealed } = await generateAuditKey(secretKey);
  const { number } = await tx
    .selectFrom('audit_seal')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('audit_key')
    .values({ id: 1, sealed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed }))
    .execute();
  const before = { row, seal: number ?? 0 };
  provideAuditKey(databaseOf(tx), async () => key);
  writeAudit(tx, { type: 'key-made', actor, detail: `audit key, after row ${row} and seal ${before.seal}` }, now);
  return before;
}

/**
 * The last row and seal written before the present key was created, and when the key was created. Undefined once retention
 * has removed the audit row that records this.
 */
export async function readBeforeKey(
  db: Kysely<Tables>,
  key: AuditKey,
): Promise<(BeforeKey & { at: string }) | undefined> {
  const pattern = /^audit key, after row (?<row>\d+) and seal (?<seal>\d+)$/;
  const found = await findProvenRow(db, key, { type: 'key-made', start: 'audit key, ', pattern });
  return found && { row: Number(found.groups.row), seal: Number(found.groups.seal), at: found.at };
}
