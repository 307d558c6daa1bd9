// Reads the audit. Rows are numbered in the order in which they became visible, so reading on after the last number seen
// misses no row.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { AuditType } from './audit.schema.ts';
import { type AuditKey, isAsWritten, type ProvenRow } from './proof/digest.ts';

export interface AuditFilter {
  since?: Date | undefined;
  /** Only rows before this time. */
  until?: Date | undefined;
  type?: string | undefined;
  person?: string | undefined;
  limit: number;
  /** Only rows with a higher number, beginning with the lowest. */
  after?: number | undefined;
  /** Only rows with a lower number, beginning with the highest. */
  before?: number | undefined;
}

/** A row as the API returns it. */
export type ShownRow = ReturnType<typeof showRow>;

/** Returns the newest matching rows, or the rows that follow `after`. Always oldest first. */
export async function readAudit(db: Kysely<Tables>, filter: AuditFilter): Promise<ShownRow[]> {
  const { limit, after } = filter;
  const query = (await matching(db, filter))
    .selectAll()
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit);
  const rows = (await query.execute()).map(showRow);
  return after === undefined ? rows.reverse() : rows;
}

async function matching(db: Kysely<Tables>, { since, until, type, person, after, before }: AuditFilter) {
  let query = db.selectFrom('audit');
  if (after !== undefined) query = query.where('seq', '>', after);
  if (before !== undefined) query = query.where('seq', '<', before);
  if (person !== undefined) query = query.where('person', '=', person);
  // If a person is given, `type || ''` makes the database use the index on persons, which finds few rows, instead of the
  // index on types, which may find millions.
  if (type !== undefined) query = query.where(person === undefined ? 'type' : sql`type || ''`, '=', type);
  if (since !== undefined) {
    query = query.where('seq', '>', await findNumberBefore(db, since)).where('at', '>=', since.toISOString());
  }
  if (until !== undefined) {
    const next = await findNumberAfter(db, until);
    if (next !== undefined) query = query.where('seq', '<', next);
    query = query.where('at', '<', until.toISOString());
  }
  return query;
}

const rowsOfPage = 1000;

/** Reads any number of rows, page by page. */
export async function* readAuditPages(db: Kysely<Tables>, filter: AuditFilter): AsyncGenerator<ShownRow[]> {
  const { limit, after, before } = filter;
  let last = after ?? (await findStart(db, filter));
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, rowsOfPage);
    const page = await readAudit(db, { ...filter, before: undefined, after: last, limit: wanted });
    const rows = before === undefined ? page : page.filter(({ id }) => Number(id) < before);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) return;
    left -= rows.length;
    last = Number(rows.at(-1)?.id);
  }
}

/** The number just below the newest `limit` matching rows. */
async function findStart(db: Kysely<Tables>, filter: AuditFilter): Promise<number> {
  const oldest = await (await matching(db, filter))
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(filter.limit - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined ? 0 : oldest.seq - 1;
}

const clockDifferenceMs = 3_600_000;

/**
 * A row number below all rows since this time, so that few older rows are read. Rows are in order of time except for the clock
 * difference between replicas, which is limited: beyond the limit, no replica accepts another's tokens.
 */
async function findNumberBefore(db: Kysely<Tables>, since: Date): Promise<number> {
  const row = await db
    .selectFrom('audit')
    .select('seq')
    .where('at', '<', new Date(since.getTime() - clockDifferenceMs).toISOString())
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** A row number above all rows before this time, found in the same way; undefined if there is no such row. */
async function findNumberAfter(db: Kysely<Tables>, until: Date): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit')
    .select('seq')
    .where('at', '>', new Date(until.getTime() + clockDifferenceMs).toISOString())
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return row?.seq;
}

export function showRow({ seq, at, type, person, actor, session, address, request_id, detail }: ProvenRow) {
  return { id: String(seq), at, type, person, actor, session, address, requestId: request_id, detail };
}

/** A row in which Frontdesk states something about the audit itself. */
interface StatedRow {
  seq: number;
  at: string;
  /** The named groups that the pattern found in the detail. */
  groups: Record<string, string>;
}

/** Maximum number of rows to search. Rows without a valid digest are forged: they are skipped, and `audit verify` reports them. */
const maxRowsRead = 100;

/**
 * The latest row of this type whose detail begins with `start` and matches the pattern. Only rows with a valid digest count:
 * without the key, nobody can add such a row.
 */
export async function findProvenRow(
  db: Kysely<Tables>,
  key: AuditKey,
  { type, start, pattern }: { type: AuditType; start: string; pattern: RegExp },
): Promise<StatedRow | undefined> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('type', '=', type)
    .where('detail', 'like', `${start}%`)
    .orderBy('seq', 'desc')
    .limit(maxRowsRead)
    .execute();
  for (const row of rows) {
    const { groups } = pattern.exec(row.detail ?? '') ?? {};
    if (groups === undefined || !isAsWritten(key, row)) continue;
    return { seq: row.seq, at: row.at, groups };
  }
  return undefined;
}
