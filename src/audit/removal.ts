// Before retention removes rows, it announces the removal in an audit row, which has a digest like every other row. If rows
// are missing without an announcement, Frontdesk did not remove them.
import type { Kysely, Transaction } from 'kysely';
import { lockRows } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { findProvenRow } from './audit.queries.ts';
import type { AuditKey } from './proof/digest.ts';

export interface Removal {
  /** The last row to be removed. All rows before it are removed, too. */
  row: number;
  /** The seal that ends with this row. */
  seal: number;
}

interface WrittenRemoval extends Removal {
  /** The audit row that announces the removal, and its time. */
  seq: number;
  at: string;
}

/** The detail of the audit row that announces a removal. */
export const describeRemoval = ({ row, seal }: Removal) => `until row ${row}, seal ${seal}`;

/** The latest announcement, which includes all earlier removals. */
export async function readRemoval(db: Kysely<Tables>, key: AuditKey): Promise<WrittenRemoval | undefined> {
  const pattern = /^until row (?<row>\d+), seal (?<seal>\d+)$/;
  const found = await findProvenRow(db, key, { type: 'audit-removed', start: 'until row ', pattern });
  if (found === undefined) return undefined;
  const { seq, at, groups } = found;
  return { row: Number(groups.row), seal: Number(groups.seal), seq, at };
}

/** Processes that seal or remove rows wait for each other here. */
export async function lockAudit(tx: Transaction<Tables>): Promise<void> {
  await lockRows(tx, tx.selectFrom('audit_key').selectAll()).execute();
}
