// Removes old audit rows, in spite of the trigger that protects them: on PostgreSQL by the function audit_remove.
import { sql, type Transaction } from 'kysely';
import { withPass } from './audit-pass.ts';
import { isPostgres } from './migrations/engine.ts';
import type { Tables } from './tables.ts';

interface OldRows {
  /** The oldest existing row. */
  from: number;
  to: number;
  /** The seal that ends with the row `to`. */
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
