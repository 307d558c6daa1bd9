// What works only once, by its hash: authorization codes, and the logout tokens of a provider.
import { sql, type Transaction } from 'kysely';
import { usedOnceSeconds } from '../config/token-times.ts';
import { transactShortly } from '../storage/short-transaction.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { secondsBefore } from './time.ts';

const remember = `insert into used_code (code_hash, used_at) values ($1, $2)
  on conflict (code_hash) do update set used_at = $2 where used_code.used_at < $3`;

/**
 * False when the code was seen before: also where the connection broke after the commit, and the statement was sent again.
 */
export async function rememberCode(db: Db, codeHash: string, now: Date): Promise<boolean> {
  const values = [codeHash, now.toISOString(), oldestKept(now)];
  const { written } = await transactShortly(db, (steps) => steps.finish(remember, values));
  return written === 1;
}

export async function rememberCodeIn(tx: Transaction<Tables>, codeHash: string, now: Date): Promise<boolean> {
  const used = { code_hash: codeHash, used_at: now.toISOString() };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_code')
    .values(used)
    .onConflict((conflict) =>
      conflict.column('code_hash').doUpdateSet(used).where('used_code.used_at', '<', oldestKept(now)),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function forgetCode(db: Db, codeHash: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('used_code').where('code_hash', '=', codeHash).execute();
  });
}

/** Of those that need not be remembered any more. */
export const isOldCode = (now: Date) => sql<boolean>`used_at < ${oldestKept(now)}`;

const oldestKept = (now: Date) => secondsBefore(now, usedOnceSeconds).toISOString();
