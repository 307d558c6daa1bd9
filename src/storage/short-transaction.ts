// Transactions of fixed statements, for frequent requests. On PostgreSQL, the first statement is sent together with `begin`
// and the last one with `commit`, and no query is built.
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

export interface Outcome<R = Record<string, unknown>> {
  rows: R[];
  /** How many rows were written. */
  written: number;
}

export interface Steps {
  /** Placeholders are $1, $2 and so on, on either engine. */
  run<R>(text: string, values: readonly unknown[]): Promise<Outcome<R>>;
  /** Runs the last statement and commits. A transaction without it is rolled back. */
  finish<R>(text: string, values: readonly unknown[]): Promise<Outcome<R>>;
}

/** Placeholders for the rows of `values`: `($1, $2), ($3, $4)` and so on. */
export function placesOf(rows: number, columns: number): string {
  const places = Array.from({ length: columns }, (_, index) => index + 1);
  const row = (_: unknown, index: number) => `(${places.map((place) => `$${index * columns + place}`).join(', ')})`;
  return Array.from({ length: rows }, row).join(', ');
}

/** How an engine runs short transactions. */
export interface ShortTransactions {
  transact<T>(work: (steps: Steps) => Promise<T>): Promise<T>;
}

const implementations = new WeakMap<Db, ShortTransactions>();

export function provideShortTransactions(db: Db, own: ShortTransactions): void {
  implementations.set(db, own);
}

export function transactShortly<T>(db: Db, work: (steps: Steps) => Promise<T>): Promise<T> {
  return implementations.get(db)?.transact(work) ?? transactInProcess(db, work);
}

/** The implementation for SQLite, which has no round trips to save. */
async function transactInProcess<T>(db: Db, work: (steps: Steps) => Promise<T>): Promise<T> {
  let unfinished: { result: T } | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      let isFinished = false;
      const run = async <R>(text: string, values: readonly unknown[]): Promise<Outcome<R>> => {
        const { rows, numAffectedRows } = await tx.executeQuery<R>(CompiledQuery.raw(numbered(text), [...values]));
        return { rows, written: Number(numAffectedRows ?? 0n) };
      };
      const result = await work({
        run,
        finish(text, values) {
          isFinished = true;
          return run(text, values);
        },
      });
      if (isFinished) return result;
      unfinished = { result };
      throw new Error('not finished: rolled back');
    });
  } catch (error) {
    if (unfinished !== undefined) return unfinished.result;
    throw error;
  }
}

const texts = new Map<string, string>();

/** Writes `?1` for `$1`, which SQLite would read as a named parameter. */
function numbered(text: string): string {
  const known = texts.get(text) ?? text.replaceAll('$', '?');
  texts.set(text, known);
  return known;
}
