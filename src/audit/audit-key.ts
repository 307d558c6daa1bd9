// The key of the digests: random, in the database encrypted under SECRET_KEY. key-making.ts makes it.
import type { Kysely, Transaction } from 'kysely';
import { createSealer, randomText } from '../storage/secret.ts';
import type { Tables } from '../storage/tables.ts';
import type { AuditKey } from './proof/digest.ts';

/** Throws where there is none yet, or it cannot be opened. */
type FindKey = () => Promise<AuditKey>;

const finders = new WeakMap<Kysely<Tables>, FindKey>();

/** From now on, rows that are written on this database have digests under this key. */
export function provideAuditKey(db: Kysely<Tables>, find: FindKey): void {
  finders.set(db, find);
}

/** No row is written without it. */
export async function auditKeyOf(db: Kysely<Tables>): Promise<AuditKey> {
  const find = finders.get(db);
  if (find === undefined) throw new Error('there is no audit key');
  return find();
}

const sealer = (secretKey: string) => createSealer(secretKey, 'audit key');
const keyOf = (opened: string): AuditKey => Buffer.from(opened, 'base64url');

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
