// What the retention says about the rows it removes: a row of the audit itself, with a digest like every other. Rows that are
// missing without it were not removed by Frontdesk.
import type { Kysely, Transaction } from 'kysely';
import { lockRows } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { type AuditKey, digestOf, isSame } from './proof/digest.ts';

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

/** There is one a day. Those that others add have no digest that fits. */
const mostRead = 100;

/** The latest, which also speaks of all that was removed before. */
export async function readRemoval(db: Kysely<Tables>, key: AuditKey): Promise<WrittenRemoval | undefined> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('type', '=', 'audit-removed')
    .orderBy('seq', 'desc')
    .limit(mostRead)
    .execute();
  const row = rows.find(
    ({ digest, ...each }) => digest !== null && isSame(digest, digestOf(key, each.salt, null, each)),
  );
  const [, last, seal] = /^until row (\d+), seal (\d+)$/.exec(row?.detail ?? '') ?? [];
  return row && last && seal ? { row: Number(last), seal: Number(seal), seq: row.seq, at: row.at } : undefined;
}

/** Of those who seal or remove rows, the second waits for the first. */
export async function lockAudit(tx: Transaction<Tables>): Promise<void> {
  await lockRows(tx, tx.selectFrom('audit_key').selectAll()).execute();
}
