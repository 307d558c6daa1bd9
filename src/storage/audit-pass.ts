// SQLite only: how a transaction gets past the triggers that protect the audit and the history. On PostgreSQL, functions
// that belong to the tables' owner do this.
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

type Allowed = Tables['audit_pass']['allowed'];

/** The pass is valid only within this transaction, and a transaction that leaves a pass behind cannot be committed. */
export async function withPass(
  tx: Transaction<Tables>,
  allowed: readonly Allowed[],
  act: () => Promise<void>,
): Promise<void> {
  await tx
    .insertInto('audit_pass')
    .values(allowed.map((each) => ({ allowed: each })))
    .execute();
  await act();
  await tx.deleteFrom('audit_pass').execute();
}
