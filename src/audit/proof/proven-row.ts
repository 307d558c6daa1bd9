// Rows in which Frontdesk states something about the audit itself. Only rows with a valid digest count, because others
// could add rows that say the same.
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { AuditType } from '../audit.schema.ts';
import { type AuditKey, isAsWritten } from './digest.ts';

export interface ProvenRow {
  seq: number;
  at: string;
  /** The named groups that the pattern found in the detail. */
  groups: Record<string, string>;
}

/** Limit on rows without a valid digest. They are forged, and `audit verify` reports them. */
const maxRowsRead = 100;

/** The latest row of this type whose detail begins with this text and matches the pattern. */
export async function findProvenRow(
  db: Kysely<Tables>,
  key: AuditKey,
  { type, start, pattern }: { type: AuditType; start: string; pattern: RegExp },
): Promise<ProvenRow | undefined> {
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
