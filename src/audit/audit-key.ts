// The key for the audit's digests. It is random, and it is stored in the database, encrypted under SECRET_KEY. key-making.ts
// creates it.
import type { Kysely, Transaction } from 'kysely';
import { createSealer, randomText } from '../storage/secret.ts';
import type { Tables } from '../storage/tables.ts';
import type { AuditKey } from './proof/digest.ts';

/** Returns the key. Throws if there is none yet, or if it cannot be decrypted. */
type FindKey = () => Promise<AuditKey>;

const finders = new WeakMap<Kysely<Tables>, FindKey>();

/** Sets the key for the digests of rows that are written through this database from now on. */
export function provideAuditKey(db: Kysely<Tables>, find: FindKey): void {
  finders.set(db, find);
}

/** Throws if there is no key, because no row may be written without one. */
export async function auditKeyOf(db: Kysely<Tables>): Promise<AuditKey> {
  const find = finders.get(db);
  if (find === undefined) throw new Error('there is no audit key');
  return find();
}

const sealer = (secretKey: string) => createSealer(secretKey, 'audit key');
const keyOf = (opened: string): AuditKey => Buffer.from(opened, 'base64url');

/** Generates a key, and its encrypted form for the database. */
export async function generateAuditKey(secretKey: string): Promise<{ key: AuditKey; sealed: string }> {
  const text = randomText();
  return { key: keyOf(text), sealed: await (await sealer(secretKey)).seal(text) };
}

/** `missing`: there is no key yet; `sealed`: this SECRET_KEY cannot decrypt it. */
export async function openAuditKey(db: Kysely<Tables>, secretKey: string): Promise<AuditKey | 'missing' | 'sealed'> {
  const row = await db.selectFrom('audit_key').select('sealed').executeTakeFirst();
  if (row === undefined) return 'missing';
  const opened = await (await sealer(secretKey)).open(row.sealed);
  return opened === undefined ? 'sealed' : keyOf(opened);
}

/** Encrypts the key under a new SECRET_KEY. Returns false if neither the old nor the new one can decrypt it. */
export async function resealAuditKey(
  tx: Transaction<Tables>,
  secretKey: string,
  newSecretKey: string,
): Promise<boolean> {
  const row = await tx.selectFrom('audit_key').select('sealed').executeTakeFirst();
  if (row === undefined) return true;
  const [from, to] = [await sealer(secretKey), await sealer(newSecretKey)];
  const opened = await from.open(row.sealed);
  // An earlier run may have re-encrypted the key before it was interrupted.
  if (opened === undefined) return (await to.open(row.sealed)) !== undefined;
  await tx
    .updateTable('audit_key')
    .set({ sealed: await to.seal(opened) })
    .execute();
  return true;
}
