// The way past the trigger that keeps rows of the audit: for old ones, as the function audit_remove has it.
import { sql, type Transaction } from 'kysely';
import { withPass } from './audit-pass.ts';
import { isPostgres } from './migrations/engine.ts';
import type { Tables } from './tables.ts';

interface OldRows {
  /** The oldest there is. */
  from: number;
  to: number;
  /** The one that ends there. */
  seal: number;
}

export async function removeAuditRows(tx: Transaction<Tables>, { from, to, seal }: OldRows): Promise<void> {
  if (isPostgres(tx)) {
    await sql`select audit_remove(${from}, ${to}, ${seal})`.execute(tx);
    return;
  }
  await withPass(tx, ['delete audit'], async () => {
    await tx.deleteFrom('audit').where('seq', '>=', from).where('seq', '<=', to).execute();
  });
}
