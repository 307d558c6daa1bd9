// Seals over what is new in the audit: each holds the digests of its rows and the seal before it, so that no row can be
// changed, added, removed or moved without the key. They are logged: one that is kept elsewhere proves that none was cut off.

import type { Kysely, Selectable, Transaction } from 'kysely';
import { type Db, lockRows } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Log } from '../../telemetry/log.ts';
import { frontdesk, writeAudit } from '../audit.ts';
import { type AuditKey, isAsWritten, isSame, replacedIn, type Seal, sealHash } from './digest.ts';

/** The most in one transaction: few, so that SQLite's other writers do not wait long. */
export const rowsOfSeal = 2000;

/** How often what is new is sealed, while the service runs. */
export const sealingMs = 60_000;
const namingMs = 86_400_000;
const leastPauseMs = 20;

type Row = Selectable<Tables['audit']>;

interface SealingOptions {
  db: Db;
  key: AuditKey;
  now: () => Date;
  log?: Pick<Log, 'info'>;
}

/**
 * A row names a seal: the first one, then one a day. By its digest, the seals up to there cannot be removed, or made again over
 * other rows.
 */
const sealedType = 'audit-sealed';
const describeSeal = (number: number, hash: string) => `seal ${number}, ${hash}`;

/** What is wrong, in words, with a row that names a seal; undefined where nothing is. */
export async function findOtherSeal(db: Kysely<Tables>, { seq, type, detail }: Row): Promise<string | undefined> {
  const [, number] = /^seal (\d+), /.exec(detail ?? '') ?? [];
  if (type !== sealedType || number === undefined) return undefined;
  const seal = await db.selectFrom('audit_seal').select('hash').where('number', '=', Number(number)).executeTakeFirst();
  if (seal === undefined) return `seal ${number} is missing: row ${seq} names it`;
  if (describeSeal(Number(number), seal.hash) === detail) return undefined;
  return `seal ${number} is another than the one that row ${seq} names`;
}

/** Seals everything that is visible and not sealed. Several replicas may call it at once. */
export async function sealAudit(options: SealingOptions): Promise<void> {
  for (;;) {
    const begin = performance.now();
    if (!(await sealNext(options))) return;
    // SQLite's lock is not handed on in turn: without a pause, another process would not get it before its time limit.
    await Bun.sleep(Math.max(leastPauseMs, performance.now() - begin));
  }
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

/** What a seal of these rows holds, after one that holds `previous`. */
export function hashOver(
  key: AuditKey,
  seal: Omit<Seal, 'hash'>,
  previous: string | undefined,
  rows: readonly Row[],
): string {
  const digests = rows.map(({ replaced, digest }) => replacedIn(replaced)[0]?.digest ?? digest);
  return sealHash(key, seal, previous, digests);
}

/** The rows of a seal; undefined where one of them, or the seal, is not as it was written. */
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
