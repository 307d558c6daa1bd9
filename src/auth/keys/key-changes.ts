// What every change of the signing keys shares: its options, its transaction, its audit row.
import type { Transaction } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import type { TokenAlg } from '../../config/variables.ts';
import { bumpRevision } from '../../storage/revisions.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';

/** Where the keys are, and the secret that seals them. */
export interface KeyStore {
  db: Db;
  secretKey: string;
  now: () => Date;
}

export interface KeyOptions extends KeyStore {
  alg: TokenAlg;
}

/** One transaction at a time, on either engine: bumpRevision locks its row until the transaction ends. */
export function changeKeys<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'keys');
    return change(tx);
  });
}

export async function record(
  tx: Transaction<Tables>,
  type: 'key-made' | 'key-activated' | 'key-removed' | 'key-resealed',
  kid: string,
  now: Date,
): Promise<void> {
  await writeAudit(tx, { type, detail: kid }, now);
}
