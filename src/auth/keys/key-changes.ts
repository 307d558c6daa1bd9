// What every change of stored keys shares: its options, its transaction, its audit row.
import type { Transaction } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import type { TokenAlg } from '../../config/variables.ts';
import { bumpRevision } from '../../storage/revisions.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import type { KeyTable } from './stored-keys.ts';

/** Where the keys are, and the secret that seals them. */
export interface KeyStore {
  db: Db;
  secretKey: string;
  /** Who changes them, for the audit. */
  actor: string;
  now: () => Date;
}

/** The keys of one table. */
export interface KeysOfUse extends KeyStore {
  table: KeyTable;
}

export interface KeyOptions extends KeysOfUse {
  alg: TokenAlg;
}

/** One transaction at a time, on either engine: bumpRevision locks its row until the transaction ends. */
export function changeKeys<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'keys');
    return change(tx);
  });
}

const uses = { signing_key: '', client_key: 'client key ' } satisfies Record<KeyTable, string>;

export function record(
  tx: Transaction<Tables>,
  { actor, now }: Pick<KeyStore, 'actor' | 'now'>,
  type: 'key-made' | 'key-activated' | 'key-removed' | 'key-resealed',
  { table, kid }: { table: KeyTable; kid: string },
): void {
  writeAudit(tx, { type, actor, detail: `${uses[table]}${kid}` }, now());
}
