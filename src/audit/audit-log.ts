// Rows of the audit as lines of JSON, for programs that collect logs. At most once: a process that is killed between the
// commit and the line has written the row only. Reading on after the last number is the complete way.
import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { ShownRow } from './audit.queries.ts';

type Write = (line: string) => void;

const writers = new WeakMap<Kysely<Tables>, Write>();

/** From now on, each row that is committed on this database is also written as a line. */
export function logAudit(db: Kysely<Tables>, write: Write): void {
  writers.set(db, write);
}

/** Undefined where nothing is to be logged. */
export function auditLogOf(db: Kysely<Tables>): ((row: ShownRow) => void) | undefined {
  const write = writers.get(db);
  return write && ((row) => write(`${JSON.stringify({ audit: true, ...row })}\n`));
}
