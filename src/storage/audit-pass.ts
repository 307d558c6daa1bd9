// SQLite: the way past the triggers of the audit and of the history. On PostgreSQL only functions of the tables' owner have it.
import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

type Allowed = Tables['audit_pass']['allowed'];

/** Within this transaction alone: one that leaves a pass behind cannot be committed. */
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
