// What the retention says about the rows it removes: a row of the audit itself, with a digest like every other. Rows that are
// missing without it were not removed by Frontdesk.
import type { Kysely, Transaction } from 'kysely';
import { lockRows } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { AuditKey } from './proof/digest.ts';
import { findProvenRow } from './proof/proven-row.ts';

export interface Removal {
  /** The last row of the last seal that is removed. All before it are, too. */
  row: number;
  seal: number;
}

interface WrittenRemoval extends Removal {
  /** The row that says so, and when it was written. */
  seq: number;
  at: string;
}

/** The detail of its row. */
export const describeRemoval = ({ row, seal }: Removal) => `until row ${row}, seal ${seal}`;

/** The latest, which also speaks of all that was removed before. */
export async function readRemoval(db: Kysely<Tables>, key: AuditKey): Promise<WrittenRemoval | undefined> {
  const pattern = /^until row (?<row>\d+), seal (?<seal>\d+)$/;
  const found = await findProvenRow(db, key, { type: 'audit-removed', start: 'until row ', pattern });
  if (found === undefined) return undefined;
  const { seq, at, groups } = found;
  return { row: Number(groups.row), seal: Number(groups.seal), seq, at };
}

/** Of those who seal or remove rows, the second waits for the first. */
export async function lockAudit(tx: Transaction<Tables>): Promise<void> {
  await lockRows(tx, tx.selectFrom('audit_key').selectAll()).execute();
}
