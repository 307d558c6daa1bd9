// The key of the digests: random, in the database encrypted under SECRET_KEY. key-making.ts makes it.
import type { Kysely, Transaction } from 'kysely';
import { createSealer, randomText } from '../storage/secret.ts';
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
/** Earlier versions stored a number after the key, separated by a space. */
const keyOf = (opened: string): AuditKey => Buffer.from(opened.split(' ')[0] ?? '', 'base64url');

/** Generates a key, with the sealed form that the database stores. */
export async function generateAuditKey(secretKey: string): Promise<{ key: AuditKey; sealed: string }> {
  const text = randomText();
  return { key: keyOf(text), sealed: await (await sealer(secretKey)).seal(text) };
}

/** `missing`: there is none yet; `sealed`: it does not open with this SECRET_KEY. */
export async function openAuditKey(db: Kysely<Tables>, secretKey: string): Promise<AuditKey | 'missing' | 'sealed'> {
  const row = await db.selectFrom('audit_key').select('sealed').executeTakeFirst();
  if (row === undefined) return 'missing';
  const opened = await (await sealer(secretKey)).open(row.sealed);
  return opened === undefined ? 'sealed' : keyOf(opened);
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
