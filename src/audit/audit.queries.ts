// Reading the audit. Rows are numbered in the order in which they became visible, so a reader that goes on after the last
// number it saw misses none.
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { ProvenRow } from './proof/digest.ts';

export interface AuditFilter {
  since?: Date | undefined;
  type?: string | undefined;
  person?: string | undefined;
  limit: number;
  /** Those with a higher number, the lowest first. */
  after?: number | undefined;
  /** Those with a lower number, the highest that there are. */
  before?: number | undefined;
}

/** A row as it is shown. */
export type ShownRow = ReturnType<typeof showRow>;

/** The newest that match, or those that follow `after`; always oldest first. */
export async function readAudit(db: Kysely<Tables>, filter: AuditFilter): Promise<ShownRow[]> {
  const { since, type, person, limit, after, before } = filter;
  let query = db
    .selectFrom('audit')
    .selectAll()
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit);
  if (after !== undefined) query = query.where('seq', '>', after);
  if (before !== undefined) query = query.where('seq', '<', before);
  if (person !== undefined) query = query.where('person', '=', person);
  // Beside a person, whose rows are few, not by its own index, which may hold millions.
  if (type !== undefined) query = query.where(person === undefined ? 'type' : sql`type || ''`, '=', type);
  if (since !== undefined) {
    query = query.where('seq', '>', await findNumberBefore(db, since)).where('at', '>=', since.toISOString());
  }
  const rows = (await query.execute()).map(showRow);
  return after === undefined ? rows.reverse() : rows;
}

const clockDifferenceMs = 3_600_000;

/**
 * A number below all rows since then, so that only those are read: rows come in the order of time but for the difference
 * between the clocks of replicas, and with a greater one no replica accepts another's tokens.
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

export function showRow({ seq, at, type, person, actor, session, address, request_id, detail }: ProvenRow) {
  return { id: String(seq), at, type, person, actor, session, address, requestId: request_id, detail };
}
