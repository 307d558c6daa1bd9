// The key of the digests: random, made once, in the database encrypted under SECRET_KEY, together with the number of the last row
// that was there before it: otherwise the owner of the database could pass every row off as one of before the digests.
import type { Kysely, Transaction } from 'kysely';
import { createSealer, randomText } from '../storage/secret.ts';
import { type Db, lockRows } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AuditKey } from './proof/digest.ts';

/** Undefined where there is none yet. May throw, where one is needed and cannot be opened. */
type FindKey = () => Promise<AuditKey | undefined>;

const finders = new WeakMap<Kysely<Tables>, FindKey>();

/** From now on, rows that are written on this database have digests under this key. */
export function provideAuditKey(db: Kysely<Tables>, find: FindKey): void {
  finders.set(db, find);
}

export async function auditKeyOf(db: Kysely<Tables>): Promise<AuditKey | undefined> {
  return finders.get(db)?.();
}

const sealer = (secretKey: string) => createSealer(secretKey, 'audit key');

/** `missing`: there is none yet; `sealed`: it does not open with this SECRET_KEY. */
export async function openAuditKey(db: Kysely<Tables>, secretKey: string): Promise<AuditKey | 'missing' | 'sealed'> {
  const parts = await openParts(db, secretKey);
  return typeof parts === 'string' ? parts : Buffer.from(parts[0] ?? '', 'base64url');
}

/** The last row that is older than the key, and may therefore lack a digest; 0 where there is none. */
export async function readLastOlder(db: Kysely<Tables>, secretKey: string): Promise<number> {
  const parts = await openParts(db, secretKey);
  return typeof parts === 'string' ? 0 : Number(parts[1] ?? 0);
}

async function openParts(db: Kysely<Tables>, secretKey: string): Promise<string[] | 'missing' | 'sealed'> {
  const row = await db.selectFrom('audit_key').select('sealed').executeTakeFirst();
  if (row === undefined) return 'missing';
  const opened = await (await sealer(secretKey)).open(row.sealed);
  return opened?.split(' ') ?? 'sealed';
}

/** At the start: makes one where there is none. */
export async function ensureAuditKey(db: Db, secretKey: string, now: Date): Promise<AuditKey | 'sealed'> {
  const found = await openAuditKey(db, secretKey);
  if (found !== 'missing') return found;
  const { seal } = await sealer(secretKey);
  await db.transaction().execute(async (tx) => {
    const { last } = await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).executeTakeFirstOrThrow();
    await tx
      .insertInto('audit_key')
      .values({ id: 1, sealed: await seal(`${randomText()} ${last}`), created_at: now.toISOString() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
  const made = await openAuditKey(db, secretKey);
  if (made === 'missing') throw new Error('the audit key is gone');
  return made;
}

/** Under another SECRET_KEY. False where it opens with neither. */
export async function resealAuditKey(
  tx: Transaction<Tables>,
  secretKey: string,
  newSecretKey: string,
): Promise<boolean> {
  const row = await tx.selectFrom('audit_key').select('sealed').executeTakeFirst();
  if (row === undefined) return true;
  const [from, to] = [await sealer(secretKey), await sealer(newSecretKey)];
  const opened = await from.open(row.sealed);
  // Done before, by a run that was interrupted afterwards.
  if (opened === undefined) return (await to.open(row.sealed)) !== undefined;
  await tx
    .updateTable('audit_key')
    .set({ sealed: await to.seal(opened) })
    .execute();
  return true;
}
