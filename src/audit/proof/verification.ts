// Recomputes every digest and every seal, and names the first row that is not as it was written.
import type { Kysely, Selectable } from 'kysely';
import { rowsByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import { readBeforeKey } from '../key-making.ts';
import { readRemoval } from '../removal.ts';
import { createAccounting } from './accounting.ts';
import { type AuditKey, coveredDigest, digestOf, isSame, replacedIn, type Seal } from './digest.ts';
import { createHistoryCheck, type HistoryEntry, type ListedChange } from './history-check.ts';
import { NotAsWritten } from './not-as-written.ts';
import { createSealCheck } from './seal-check.ts';
import { findOtherSeal, sealingMs } from './sealing.ts';

type Row = Selectable<Tables['audit']>;

interface VerificationOptions {
  /** All its reads come from one snapshot. */
  db: Kysely<Tables>;
  key: AuditKey;
  /** A seal that was kept elsewhere. */
  keptSeal?: Pick<Seal, 'number' | 'hash'> | undefined;
  /** The last row that may lack a digest under this key, as the operator acknowledges. */
  olderUntil: number;
  /** The change of a list that a row is about, by its detail. */
  changeOf(detail: string): ListedChange;
  /** What a row speaks of and another table holds; undefined where that is gone. */
  readCovered(change: ListedChange): Promise<string | undefined>;
  readHistory(): AsyncIterable<HistoryEntry>;
  /** Describes the first difference between the lists and their history; undefined if there is none. */
  findListFault(): Promise<string | undefined>;
}

export interface Verified {
  rows: number;
  seals: number;
  /** Rows at the end that no seal has yet, and the time of the first. */
  unsealed: { rows: number; since: string | undefined };
  /** How many rows have no digest under this key. */
  older: number;
  /** The last that the retention has removed; 0 where it has removed none. */
  removedUntil: number;
  /** The pseudonyms of those who are being forgotten. */
  unfinished: string[];
}

const rowsOfPage = 1000;

export async function verifyAudit(options: VerificationOptions): Promise<Verified> {
  const { db, key, keptSeal, olderUntil } = options;
  const before = await readBeforeKey(db, key);
  const lastBeforeKey = Math.min(before?.row ?? 0, olderUntil);
  await expectKept(db, keptSeal);
  const accounting = createAccounting(key);
  const historyCheck = createHistoryCheck();
  const check = createRowCheck(options, before?.row ?? 0);
  const sealCheck = await createSealCheck(key, readSeals(db), before?.seal ?? 0);
  const removedByRight = Math.max((await readRemoval(db, key))?.row ?? 0, lastBeforeKey);
  let [rows, older, removedUntil] = [0, 0, 0];
  let [last, firstUnsealed]: (Row | undefined)[] = [];
  for await (const row of readRows(db)) {
    const following = (last?.seq ?? 0) + 1;
    if (row.seq > following) {
      if (row.seq - 1 > removedByRight) {
        throw new NotAsWritten(`row ${Math.max(following, removedByRight + 1)} is missing`);
      }
      await expectWholeSeals(db, following - 1, row.seq);
      await sealCheck.skipTo(row.seq, removedByRight);
      accounting.skipTo(row.seq);
      historyCheck.beginAnew();
      removedUntil = row.seq - 1;
    }
    const { digest, isProven } = await check(row);
    await sealCheck.add(row.seq, digest);
    if (sealCheck.unsealed() <= 1) firstUnsealed = row;
    expectNothing(accounting.add(row, isProven));
    expectNothing(await findOtherSeal(db, row));
    const change = row.type === 'list-changed' ? options.changeOf(row.detail ?? '') : undefined;
    historyCheck.add(row, hadDigest(row), change);
    if (!isProven) older++;
    last = row;
    rows++;
  }
  await expectEnd(db, last?.seq ?? 0, sealCheck.missing());
  const unsealed = sealCheck.unsealed();
  if (unsealed > 0) expectSealedInTime(firstUnsealed, last);
  expectNothing(accounting.finish());
  for await (const entry of options.readHistory()) {
    if (!historyCheck.isMissing(entry)) continue;
    throw new NotAsWritten(
      `version ${entry.version} of ${entry.list} was added to the history: the audit has no row of it`,
    );
  }
  expectNothing(await options.findListFault());
  return {
    rows,
    seals: sealCheck.count(),
    unsealed: { rows: unsealed, since: unsealed === 0 ? undefined : firstUnsealed?.at },
    older,
    removedUntil,
    unfinished: accounting.unfinished(),
  };
}

async function expectEnd(db: Kysely<Tables>, lastRow: number, missing: Seal | undefined): Promise<void> {
  if (missing !== undefined) throw new NotAsWritten(`row ${lastRow + 1} is missing: seal ${missing.number} has it`);
  const { last } = await db.selectFrom('audit_counter').select('last').executeTakeFirstOrThrow();
  if (last > lastRow) throw new NotAsWritten(`row ${lastRow + 1} is missing: the counter is at ${last}`);
}

/**
 * By the times of the rows, and not by ours: a service that was killed leaves what it wrote in its last minute without a seal, until
 * the next start. Rows of older versions are many, and are sealed little by little.
 */
function expectSealedInTime(first: Row | undefined, last: Row | undefined): void {
  if (first === undefined || last === undefined || first.digest === null) return;
  if (Date.parse(last.at) - Date.parse(first.at) <= 2 * sealingMs) return;
  throw new NotAsWritten(
    `row ${first.seq} of ${first.at} has no seal, though rows were written until ${last.at}: seals were removed, or are not made`,
  );
}

/** The rows of a seal are removed together. */
async function expectWholeSeals(db: Kysely<Tables>, before: number, after: number): Promise<void> {
  const cut = await db
    .selectFrom('audit_seal')
    .select(['number', 'first'])
    .where(({ eb, or, and }) =>
      or([
        and([eb('first', '<=', before), eb('last', '>', before)]),
        and([eb('first', '<', after), eb('last', '>=', after)]),
      ]),
    )
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (cut === undefined) return;
  const row = cut.first <= before ? cut.first : after;
  throw new NotAsWritten(`row ${row} was added: the rows of seal ${cut.number} were removed`);
}

function expectNothing(fault: string | undefined): void {
  if (fault !== undefined) throw new NotAsWritten(fault);
}

/** From the beginning, and not only since it was changed. */
const hadDigest = ({ digest, replaced }: Row) => digest !== null && replacedIn(replaced)[0]?.isOlder !== true;

const readRows = (db: Kysely<Tables>) => rowsByKey(db.selectFrom('audit').selectAll(), rowsOfPage, { seq: 0 });
const readSeals = (db: Kysely<Tables>) => rowsByKey(db.selectFrom('audit_seal').selectAll(), rowsOfPage, { number: 0 });

/** Checks a row by itself. Returns the digest that is sealed, and whether one under this key proves the row. */
function createRowCheck({ key, olderUntil, changeOf, readCovered }: VerificationOptions, lastBeforeKey: number) {
  const hint = (seq: number) =>
    seq <= lastBeforeKey ? `. The present key was made after row ${lastBeforeKey}: see --older-until` : '';
  return async (row: Row): Promise<{ digest: string; isProven: boolean }> => {
    const { seq, salt, digest, covered, replaced, detail } = row;
    const sealed = replacedIn(replaced)[0]?.digest ?? digest ?? digestOf(key, null, null, row);
    if (digest === null || salt === null) {
      if (seq > olderUntil) throw new NotAsWritten(`row ${seq} was added or changed: it has no digest${hint(seq)}`);
      return { digest: sealed, isProven: false };
    }
    if (!isSame(digest, digestOf(key, salt, covered, row, replaced))) {
      if (seq <= Math.min(lastBeforeKey, olderUntil)) return { digest: sealed, isProven: false };
      throw new NotAsWritten(`row ${seq} was added, changed or moved: its digest does not match${hint(seq)}`);
    }
    if (covered !== null) {
      const text = await readCovered(changeOf(detail ?? ''));
      if (text === undefined) throw new NotAsWritten(`row ${seq}: its entry in the history is missing`);
      if (!isSame(covered, coveredDigest(key, salt, text))) {
        throw new NotAsWritten(`row ${seq}: its entry in the history was changed`);
      }
    }
    return { digest: sealed, isProven: true };
  };
}

async function expectKept(db: Kysely<Tables>, kept: VerificationOptions['keptSeal']): Promise<void> {
  if (kept === undefined) return;
  const found = await db.selectFrom('audit_seal').select('hash').where('number', '=', kept.number).executeTakeFirst();
  if (found === undefined) throw new NotAsWritten(`seal ${kept.number} is missing: the end was cut off`);
  if (!isSame(found.hash, kept.hash))
    throw new NotAsWritten(`seal ${kept.number} is another than the one that was kept`);
}
