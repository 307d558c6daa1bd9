// Seals the new rows of the audit. Each seal is a hash over the digests of its rows and the previous seal, so that no row can
// be changed, added, removed or moved without the key. Seals are logged, because a seal that is kept elsewhere proves that no
// rows up to it were cut off.

import type { Kysely, Selectable, Transaction } from 'kysely';
import { createStepper } from '../../base/stepper.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Log } from '../../telemetry/log.ts';
import { frontdesk, writeAudit } from '../audit.ts';
import { lockAudit } from '../removal.ts';
import { type AuditKey, isAsWritten, isSame, replacedIn, type Seal, sealHash } from './digest.ts';

/** Maximum number of rows per transaction. Small, so that SQLite's other writers do not wait long. */
export const rowsOfSeal = 2000;

/** How often new rows are sealed while the service runs. */
export const sealingMs = 60_000;
const namingMs = 86_400_000;

type Row = Selectable<Tables['audit']>;

interface SealingOptions {
  db: Db;
  key: AuditKey;
  now: () => Date;
  log?: Pick<Log, 'info'>;
}

/**
 * The type of audit rows that name a seal: the first seal, and then one seal a day. The digest of such a row proves that
 * the seals up to this one were neither removed nor made again over different rows.
 */
const sealedType = 'audit-sealed';
const describeSeal = (number: number, hash: string) => `seal ${number}, ${hash}`;

/** Describes what is wrong with a row that names a seal; undefined if nothing is wrong. */
export async function findOtherSeal(db: Kysely<Tables>, { seq, type, detail }: Row): Promise<string | undefined> {
  const [, number] = /^seal (\d+), /.exec(detail ?? '') ?? [];
  if (type !== sealedType || number === undefined) return undefined;
  const seal = await db.selectFrom('audit_seal').select('hash').where('number', '=', Number(number)).executeTakeFirst();
  if (seal === undefined) return `seal ${number} is missing, but row ${seq} names it`;
  if (describeSeal(Number(number), seal.hash) === detail) return undefined;
  return `seal ${number} is not the one that row ${seq} names`;
}

/** Seals all visible rows that have no seal. Several replicas may call it at once. */
export async function sealAudit(options: SealingOptions): Promise<void> {
  const runStep = createStepper();
  let hasMore = true;
  while (hasMore) hasMore = await runStep(() => sealNext(options));
}

/** Returns false if nothing is left to seal. */
async function sealNext({ db, key, now, log }: SealingOptions): Promise<boolean> {
  const sealed = await db.transaction().execute(async (tx) => {
    // With this lock, seals are made one at a time, and the next transaction sees this seal.
    await lockAudit(tx);
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
    const hash = hashOver(key, seal, previous?.hash, rows);
    await tx
      .insertInto('audit_seal')
      .values({ ...seal, hash })
      .execute();
    const isNamed = await isNamingDue(tx, now());
    if (isNamed) {
      writeAudit(tx, { type: sealedType, actor: frontdesk, detail: describeSeal(seal.number, hash) }, now());
    }
    return { ...seal, hash, hasMore: isNamed || rows.length === rowsOfSeal };
  });
  if (sealed === undefined) return false;
  const { hasMore, ...seal } = sealed;
  log?.info({ seal: seal satisfies Seal }, 'audit sealed');
  return hasMore;
}

async function isNamingDue(tx: Transaction<Tables>, now: Date): Promise<boolean> {
  const last = await tx
    .selectFrom('audit')
    .select('at')
    .where('type', '=', sealedType)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last === undefined || Math.abs(now.getTime() - Date.parse(last.at)) > namingMs;
}

/** The hash of a seal over these rows. `previous` is the hash of the seal before it. */
export function hashOver(
  key: AuditKey,
  seal: Omit<Seal, 'hash'>,
  previous: string | undefined,
  rows: readonly Row[],
): string {
  const digests = rows.map(({ replaced, digest }) => replacedIn(replaced)[0]?.digest ?? digest);
  return sealHash(key, seal, previous, digests);
}

/** The rows of a seal; undefined if one of them, or the seal, was tampered with. */
export async function readSealed(db: Db, key: AuditKey, number: number): Promise<Row[] | undefined> {
  const seals = await db
    .selectFrom('audit_seal')
    .selectAll()
    .where('number', 'in', [number - 1, number])
    .execute();
  const [seal, previous] = [number, number - 1].map((each) => seals.find((found) => found.number === each));
  if (seal === undefined) return undefined;
  const { first, last, hash } = seal;
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .orderBy('seq')
    .execute();
  const areWritten = rows.every((row) => isAsWritten(key, row));
  return areWritten && isSame(hash, hashOver(key, seal, previous?.hash, rows)) ? rows : undefined;
}
