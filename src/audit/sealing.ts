// Seals over what is new in the audit: each holds the digests of its rows and the seal before it, so that no row can be
// changed, added, removed or moved without the key. They are logged: one that is kept elsewhere proves that none was cut off.

import { type Db, lockRows } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';
import { type AuditKey, digestOf, replacedIn, type Seal, sealHash } from './digest.ts';

/** The most in one transaction: few, so that SQLite's other writers do not wait long. */
export const rowsOfSeal = 2000;

interface SealingOptions {
  db: Db;
  key: AuditKey;
  now: () => Date;
  log: Pick<Log, 'info'>;
}

/** Seals everything that is visible and not sealed. Several replicas may call it at once. */
export async function sealAudit(options: SealingOptions): Promise<void> {
  while (await sealNext(options));
}

/** False when there was nothing, or nothing more. */
async function sealNext({ db, key, now, log }: SealingOptions): Promise<boolean> {
  const sealed = await db.transaction().execute(async (tx) => {
    // One at a time: the next one sees this seal.
    await lockRows(tx, tx.selectFrom('audit_key').selectAll()).execute();
    const previous = await tx
      .selectFrom('audit_seal')
      .selectAll()
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    const from = tx
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', previous?.last ?? 0);
    const rows = await from.orderBy('seq').limit(rowsOfSeal).execute();
    const [first, last] = [rows.at(0)?.seq, rows.at(-1)?.seq];
    if (first === undefined || last === undefined) return undefined;
    const seal = { number: (previous?.number ?? 0) + 1, first, last, at: now().toISOString() };
    // A row of an older version has no digest of its own.
    const digests = rows.map(
      (row) => replacedIn(row.replaced)[0]?.digest ?? row.digest ?? digestOf(key, null, null, row),
    );
    const hash = sealHash(key, seal, previous?.hash, digests);
    await tx
      .insertInto('audit_seal')
      .values({ ...seal, hash })
      .execute();
    return { ...seal, hash, isFull: rows.length === rowsOfSeal };
  });
  if (sealed === undefined) return false;
  const { isFull, ...seal } = sealed;
  log.info({ seal: seal satisfies Seal }, 'audit sealed');
  return isFull;
}
