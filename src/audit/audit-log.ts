// Audit rows as lines of JSON, for log collectors. Delivered at most once: a process killed between the commit and the line
// leaves only the row. For a complete copy, read rows after the last number.
import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { ShownRow } from './audit.queries.ts';

type Write = (line: string) => void;

const writers = new WeakMap<Kysely<Tables>, Write>();

/** From now on, each row committed through this database is also written as a line. */
export function logAudit(db: Kysely<Tables>, write: Write): void {
  writers.set(db, write);
}

/** Undefined if rows are not logged. */
export function auditLogOf(db: Kysely<Tables>): ((row: ShownRow) => void) | undefined {
  const write = writers.get(db);
  return write && ((row) => write(`${JSON.stringify({ audit: true, ...row })}\n`));
}
