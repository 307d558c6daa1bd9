// Rows in which Frontdesk states something about the audit itself. Only those with a valid digest count: others may add rows that
// say the same.
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { AuditType } from '../audit.schema.ts';
import { type AuditKey, isAsWritten } from './digest.ts';

export interface ProvenRow {
  seq: number;
  at: string;
  /** What the pattern found in its detail. */
  groups: Record<string, string>;
}

/** Forged rows have no valid digest, and `audit verify` reports them. */
const mostRead = 100;

/** The latest row of this type whose detail begins with this text, in the form of the pattern. */
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
    .limit(mostRead)
    .execute();
  for (const row of rows) {
    const { groups } = pattern.exec(row.detail ?? '') ?? {};
    if (groups === undefined || !isAsWritten(key, row)) continue;
    return { seq: row.seq, at: row.at, groups };
  }
  return undefined;
}
