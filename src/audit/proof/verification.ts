// Recomputes every digest and every seal, and names the first row that is not as Frontdesk wrote it.
import type { Kysely, Selectable } from 'kysely';
import { rowsByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import { readBeforeKey } from '../key-making.ts';
import { readRemoval } from '../removal.ts';
import { createAccounting } from './accounting.ts';
import {
  type AuditKey,
  coveredDigest,
  isAsWritten,
  isSame,
  NotAsWritten,
  replacedIn,
  type Seal,
  sealHash,
} from './digest.ts';
import { findOtherSeal, sealingMs } from './sealing.ts';

type Row = Selectable<Tables['audit']>;

/** Identifies a change to a list. */
interface ListedChange {
  list: string;
  version: number;
}

type HistoryEntry = ListedChange & { at: string };

interface VerificationOptions {
  /** All reads come from one snapshot. */
  db: Kysely<Tables>;
  key: AuditKey;
  /** A seal that was kept elsewhere. */
  keptSeal?: Pick<Seal, 'number' | 'hash'> | undefined;
  /** The last row written before the keys were reset, as stated by the auditor. The key for its digest is lost. */
  beforeReset: number;
  /** Returns the list change that a row with this detail records. */
  changeOf(detail: string): ListedChange;
  /** Returns the text of this change in the history; undefined if it is missing. */
  readCovered(change: ListedChange): Promise<string | undefined>;
  readHistory(): AsyncIterable<HistoryEntry>;
  /** Describes the first difference between the lists and their history; undefined if there is none. */
  findListFault(): Promise<string | undefined>;
}

export interface Verified {
  rows: number;
  seals: number;
  /** The number of unsealed rows at the end, and the time of the first of them. */
  unsealed: { rows: number; since: string | undefined };
  /** How many rows were written before the keys were reset. */
  unproven: number;
  /** The last row that retention has removed; 0 if it has removed none. */
  removedUntil: number;
  /** The pseudonyms of people who are only partly forgotten. */
  unfinished: string[];
}

const rowsOfPage = 1000;

export async function verifyAudit(options: VerificationOptions): Promise<Verified> {
  const { db, key, keptSeal, beforeReset } = options;
  const before = await readBeforeKey(db, key);
  const lastUnproven = Math.min(before?.row ?? 0, beforeReset);
  await expectKept(db, keptSeal);
  await expectNoEarlier(db);
  const accounting = createAccounting(key);
  const historyCheck = createHistoryCheck();
  const check = createRowCheck(options, lastUnproven, before?.row ?? 0);
  const sealCheck = await createSealCheck(key, readSeals(db), before?.seal ?? 0);
  const removedByRetention = Math.max((await readRemoval(db, key))?.row ?? 0, lastUnproven);
  let [rows, unproven, removedUntil] = [0, 0, 0];
  let [last, firstUnsealed]: (Row | undefined)[] = [];
  for await (const row of readRows(db)) {
    const following = (last?.seq ?? 0) + 1;
    if (row.seq > following) {
      if (row.seq - 1 > removedByRetention) {
        throw new NotAsWritten(`row ${Math.max(following, removedByRetention + 1)} is missing`);
      }
      await expectWholeSeals(db, following - 1, row.seq);
      await sealCheck.skipTo(row.seq, removedByRetention);
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
    historyCheck.add(row, change);
    if (!isProven) unproven++;
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
      `version ${entry.version} of ${entry.list} was added to the history: the audit has no row for it`,
    );
  }
  expectNothing(await options.findListFault());
  return {
    rows,
    seals: sealCheck.count(),
    unsealed: { rows: unsealed, since: unsealed === 0 ? undefined : firstUnsealed?.at },
    unproven,
    removedUntil,
    unfinished: accounting.unfinished(),
  };
}

async function expectEnd(db: Kysely<Tables>, lastRow: number, missing: Seal | undefined): Promise<void> {
  if (missing !== undefined)
    throw new NotAsWritten(`row ${lastRow + 1} is missing, but seal ${missing.number} covers it`);
  const { last } = await db.selectFrom('audit_counter').select('last').executeTakeFirstOrThrow();
  if (last > lastRow) throw new NotAsWritten(`row ${lastRow + 1} is missing, but rows up to ${last} were written`);
}

/** The pages begin with row 1, but an owner could add rows before it. */
async function expectNoEarlier(db: Kysely<Tables>): Promise<void> {
  const earlier = await db.selectFrom('audit').select('seq').where('seq', '<', 1).limit(1).executeTakeFirst();
  if (earlier !== undefined) throw new NotAsWritten(`row ${earlier.seq} was added`);
}

/**
 * Compares the times of the first and the last row without a seal. They are not compared with the present time, because
 * after the service was killed, the rows of its last minute have no seal until it starts again.
 */
function expectSealedInTime(first: Row | undefined, last: Row | undefined): void {
  if (first === undefined || last === undefined) return;
  if (Date.parse(last.at) - Date.parse(first.at) <= 2 * sealingMs) return;
  throw new NotAsWritten(
    `row ${first.seq} from ${first.at} has no seal, though rows were written until ${last.at}: seals were removed or not made`,
  );
}

/** Retention removes the rows of a seal together, so no seal may have only some of its rows. */
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
  throw new NotAsWritten(`row ${row} was added after the rows of its seal ${cut.number} were removed`);
}

function expectNothing(fault: string | undefined): void {
  if (fault !== undefined) throw new NotAsWritten(fault);
}

const readRows = (db: Kysely<Tables>) => rowsByKey(db.selectFrom('audit').selectAll(), rowsOfPage, { seq: 0 });
const readSeals = (db: Kysely<Tables>) => rowsByKey(db.selectFrom('audit_seal').selectAll(), rowsOfPage, { number: 0 });

/**
 * Returns a function that checks one row. The function returns the digest that was sealed, and whether the present key
 * proves the row.
 */
function createRowCheck(
  { key, changeOf, readCovered }: VerificationOptions,
  lastUnproven: number,
  lastBeforeKey: number,
) {
  const hint = (seq: number) =>
    seq <= lastBeforeKey ? `. The present key was made after row ${lastBeforeKey}: see --before-reset` : '';
  return async (row: Row): Promise<{ digest: string; isProven: boolean }> => {
    const { seq, salt, digest, covered, replaced, detail } = row;
    const sealed = replacedIn(replaced)[0]?.digest ?? digest;
    if (!isAsWritten(key, row)) {
      if (seq <= lastUnproven) return { digest: sealed, isProven: false };
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
  if (found === undefined) throw new NotAsWritten(`seal ${kept.number} is missing: the end of the audit was cut off`);
  if (!isSame(found.hash, kept.hash)) throw new NotAsWritten(`seal ${kept.number} is not the one that was kept`);
}

/**
 * Checks the seals while the rows are read in order. `lastBeforeKey` is the last seal made under an earlier key. It and
 * all seals before it cannot be recomputed.
 */
async function createSealCheck(key: AuditKey, seals: AsyncGenerator<Seal, undefined>, lastBeforeKey: number) {
  let next = (await seals.next()).value;
  let [digests, previous]: [string[], Seal | undefined] = [[], undefined];
  let [removedUntil, unsealed] = [0, 0];

  async function end(seal: Seal): Promise<void> {
    const isNext = seal.number === (previous?.number ?? 0) + 1 && seal.first === (previous?.last ?? 0) + 1;
    if (!isNext) throw new NotAsWritten(`seal ${seal.number} does not follow the one before it`);
    const isWhole = digests.length === seal.last - seal.first + 1;
    // Without its rows, a seal cannot be recomputed. Its hash is proven by the next seal, which contains it.
    const isRemoved = !isWhole && seal.last <= removedUntil;
    const isBeforeKey = seal.number <= lastBeforeKey;
    if (!isRemoved && !isBeforeKey && !isSame(seal.hash, sealHash(key, seal, previous?.hash, digests))) {
      throw new NotAsWritten(`seal ${seal.number} does not match its rows, ${seal.first} to ${seal.last}`);
    }
    [digests, previous, unsealed] = [[], seal, 0];
    next = (await seals.next()).value;
  }

  return {
    async add(seq: number, digest: string): Promise<void> {
      unsealed++;
      if (next === undefined) return;
      digests.push(digest);
      if (next.last === seq) await end(next);
    },
    /** Called if retention has removed the rows before `seq`. It may have removed rows up to `until`. */
    async skipTo(seq: number, until: number): Promise<void> {
      removedUntil = until;
      while (next !== undefined && next.last < seq) await end(next);
    },
    /** The first seal whose rows were not all found. */
    missing: () => next,
    count: () => previous?.number ?? 0,
    /** How many rows have no seal yet. */
    unsealed: () => unsealed,
  };
}

/**
 * Checks that every entry of a list's history has its audit row, beginning with the oldest remaining row. Takes rows in the
 * order of their numbers.
 */
function createHistoryCheck() {
  /**
   * For each list, the first and last version seen. There are no gaps, because changes to a list are made one after the
   * other.
   */
  const seen = new Map<string, { first: number; last: number }>();
  let isWhole: boolean | undefined;
  let since: string | undefined;

  return {
    /** Called at a gap that retention has left. Begins again with the first row after the gap. */
    beginAnew(): void {
      seen.clear();
      [isWhole, since] = [false, undefined];
    },

    /** Adds a row, and the change that it is about, if any. */
    add({ seq, at }: { seq: number; at: string }, change: ListedChange | undefined): void {
      isWhole ??= seq === 1;
      since ??= at;
      if (change === undefined) return;
      const known = seen.get(change.list);
      if (known === undefined) seen.set(change.list, { first: change.version, last: change.version });
      else if (change.version === known.last + 1) known.last = change.version;
    },

    /** Whether the audit row of this entry is missing. */
    isMissing({ list, version, at }: HistoryEntry): boolean {
      const known = seen.get(list);
      if (known !== undefined && version >= known.first) return version > known.last;
      if (isWhole === true) return true;
      // The entry may be older than the oldest remaining row. For a list without audit rows, only the entry's time shows this.
      return known === undefined && since !== undefined && at > since;
    },
  };
}
