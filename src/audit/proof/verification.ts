// Recomputes every digest and every seal, and names the first row that is not as it was written.
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { readRemoval } from '../removal.ts';
import { createAccounting } from './accounting.ts';
import { type AuditKey, coveredDigest, digestOf, isSame, replacedIn, type Seal } from './digest.ts';
import { createHistoryCheck, type HistoryEntry, type ListedChange } from './history-check.ts';
import { NotAsWritten } from './not-as-written.ts';
import { createSealCheck } from './seal-check.ts';
import { findOtherSeal } from './sealing.ts';

type Row = Selectable<Tables['audit']>;

interface VerificationOptions {
  db: Kysely<Tables>;
  key: AuditKey;
  /** A seal that was kept elsewhere. */
  keptSeal?: Pick<Seal, 'number' | 'hash'> | undefined;
  /** The last row of before the key, or that a replica of an older version wrote, which makes no digests. */
  lastWithoutDigest: number;
  /** The change of a list that a row is about, by its detail. */
  changeOf(detail: string): ListedChange;
  /** What a row speaks of and another table holds; undefined where that is gone. */
  readCovered(change: ListedChange): Promise<string | undefined>;
  /** All entries that there are when it is called. */
  readHistory(): Promise<AsyncIterable<HistoryEntry>>;
}

export interface Verified {
  rows: number;
  seals: number;
  /** How many rows at the end are in no seal yet. */
  unsealed: number;
  /** The last that the retention has removed; 0 where it has removed none. */
  removedUntil: number;
  /** The pseudonyms of those who are being forgotten. */
  unfinished: string[];
}

const rowsOfPage = 1000;

export async function verifyAudit(options: VerificationOptions): Promise<Verified> {
  const { db, key, keptSeal } = options;
  // Before the rows: the service may go on writing and sealing meanwhile.
  const history = await options.readHistory();
  const { last } = await db.selectFrom('audit_counter').select('last').executeTakeFirstOrThrow();
  const seals = await db.selectFrom('audit_seal').selectAll().orderBy('number').execute();
  expectKept(seals, keptSeal);
  const accounting = createAccounting(key);
  const historyCheck = createHistoryCheck();
  const check = createRowCheck(options);
  const sealCheck = createSealCheck(key, seals);
  let [rows, lastRow, removedUntil] = [0, 0, 0];
  for await (const row of readRows(db)) {
    if (row.seq > lastRow + 1) {
      // Read again each time: rows may be removed while others are checked here.
      const until = (await readRemoval(db, key))?.row ?? 0;
      if (row.seq - 1 > until) throw new NotAsWritten(`row ${Math.max(lastRow, until) + 1} is missing`);
      await expectWholeSeals(db, seals, lastRow, row.seq);
      sealCheck.skipTo(row.seq, until);
      accounting.skipTo(row.seq);
      historyCheck.beginAnew();
      removedUntil = row.seq - 1;
    }
    sealCheck.add(row.seq, await check(row));
    expectNothing(accounting.add(row));
    expectNothing(await findOtherSeal(db, row));
    const change = row.type === 'list-changed' ? options.changeOf(row.detail ?? '') : undefined;
    historyCheck.add(row, hadDigest(row), change);
    lastRow = row.seq;
    rows++;
  }
  const missing = sealCheck.missing();
  if (missing !== undefined) throw new NotAsWritten(`row ${lastRow + 1} is missing: seal ${missing.number} has it`);
  if (last > lastRow) throw new NotAsWritten(`row ${lastRow + 1} is missing: the counter is at ${last}`);
  expectNothing(accounting.finish());
  for await (const entry of history) {
    if (!historyCheck.isMissing(entry)) continue;
    throw new NotAsWritten(
      `version ${entry.version} of ${entry.list} was added to the history: the audit has no row of it`,
    );
  }
  const unfinished = accounting.unfinished();
  return { rows, seals: seals.length, unsealed: sealCheck.unsealed(), removedUntil, unfinished };
}

/** The rows of a seal are removed together. Those that were read before they were removed are not there any more. */
async function expectWholeSeals(db: Kysely<Tables>, seals: readonly Seal[], before: number, after: number) {
  const isCut = ({ first, last }: Seal) => (first <= before && before < last) || (first < after && after <= last);
  for (const { number, first, last } of seals.filter(isCut)) {
    const left = await db
      .selectFrom('audit')
      .select('seq')
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (left !== undefined)
      throw new NotAsWritten(`row ${left.seq} was added: the rows of seal ${number} were removed`);
  }
}

function expectNothing(fault: string | undefined): void {
  if (fault !== undefined) throw new NotAsWritten(fault);
}

/** From the beginning, and not only since it was changed. */
const hadDigest = ({ digest, replaced }: Row) => digest !== null && replacedIn(replaced)[0]?.isOlder !== true;

async function* readRows(db: Kysely<Tables>): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsOfPage)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

/** Checks a row by itself, and returns the digest that is sealed. */
function createRowCheck({ key, lastWithoutDigest, changeOf, readCovered }: VerificationOptions) {
  return async (row: Row): Promise<string> => {
    const { seq, salt, digest, covered, replaced, detail } = row;
    if (digest === null || salt === null) {
      if (seq > lastWithoutDigest) {
        throw new NotAsWritten(`row ${seq} was added or changed: it has no digest`);
      }
      return digestOf(key, null, null, row);
    }
    if (!isSame(digest, digestOf(key, salt, covered, row, replaced))) {
      throw new NotAsWritten(`row ${seq} was added, changed or moved: its digest is another`);
    }
    if (covered !== null) {
      const text = await readCovered(changeOf(detail ?? ''));
      if (text === undefined) throw new NotAsWritten(`row ${seq}: its entry in the history is missing`);
      if (!isSame(covered, coveredDigest(key, salt, text))) {
        throw new NotAsWritten(`row ${seq}: its entry in the history was changed`);
      }
    }
    return replacedIn(replaced)[0]?.digest ?? digest;
  };
}

function expectKept(seals: readonly Seal[], kept: VerificationOptions['keptSeal']): void {
  if (kept === undefined) return;
  const found = seals.find(({ number }) => number === kept.number);
  if (found === undefined) throw new NotAsWritten(`seal ${kept.number} is missing: the end was cut off`);
  if (!isSame(found.hash, kept.hash))
    throw new NotAsWritten(`seal ${kept.number} is another than the one that was kept`);
}
