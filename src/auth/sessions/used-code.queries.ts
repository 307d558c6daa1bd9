// Remembers the hashes of what works only once: authorization codes, logout tokens and programs' assertions.
import { sql, type Transaction } from 'kysely';
import { secondsBefore } from '../../base/time.ts';
import { usedOnceSeconds } from '../../config/token-times.ts';
import { inBatchesByDatabase } from '../../storage/batch.ts';
import { placesOf, transactShortly } from '../../storage/short-transaction.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';

/**
 * Returns false if the code was seen before. Also returns false if the connection broke after the commit and the statement
 * was repeated.
 */
export async function rememberCode(db: Db, codeHash: string, now: Date): Promise<boolean> {
  return (await rememberShared(db, { codeHash, now })) ?? false;
}

const rememberShared = inBatchesByDatabase(rememberAll, 50);

interface Use {
  codeHash: string;
  now: Date;
}

/** Returns the uses whose code was not used before. If several of them have the same code, only the first is returned. */
async function rememberAll(db: Db, uses: readonly Use[]): Promise<Map<Use, true>> {
  // Reversed, so that the map keeps the first use of each code.
  const byHash = new Map(uses.toReversed().map((use) => [use.codeHash, use]));
  // Sorted, so that two replicas with the same codes cannot deadlock.
  const codes = [...byHash.keys()].sort();
  // The last use has the latest time.
  const now = uses.at(-1)?.now ?? new Date();
  const insert = `insert into used_code (code_hash, used_at) values ${placesOf(codes.length, 2)}
    on conflict (code_hash) do update set used_at = excluded.used_at where used_code.used_at < $${codes.length * 2 + 1}
    returning code_hash`;
  const values = [...codes.flatMap((code) => [code, now.toISOString()]), oldestKept(now)];
  const { rows } = await transactShortly(db, (steps) => steps.finish<{ code_hash: string }>(insert, values));
  return new Map(rows.flatMap(({ code_hash }) => byHash.get(code_hash) ?? []).map((use) => [use, true]));
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

/** Whether a code no longer needs to be remembered. */
export const isOldCode = (now: Date) => sql<boolean>`used_at < ${oldestKept(now)}`;

const oldestKept = (now: Date) => secondsBefore(now, usedOnceSeconds).toISOString();
