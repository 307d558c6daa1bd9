// Deletes and erases what is no longer needed, in small steps: there may be millions of rows, and others want to write, too.
import { type DeleteResult, type RawBuilder, sql, type Transaction, type UpdateResult } from 'kysely';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { transactUnforced } from '../storage/unforced-transaction.ts';
import { type SealedColumn, sealedColumns } from './sealed-tokens.ts';
import { daySeconds, secondsBefore } from './time.ts';
import { deleteOldCodes } from './used-code.queries.ts';

/** Some milliseconds of work on either engine. */
const rowsAtOnce = 50;

/** Old codes, and sessions a day after their expiry. */
export async function deleteOld(db: Db, now: Date): Promise<void> {
  const expired = secondsBefore(now, daySeconds).toISOString();
  await inSteps(db, (tx) => deleteOldCodes(tx, now, rowsAtOnce));
  await inSteps(db, (tx) => {
    const oldest = tx.selectFrom('session').select('sid').where('expires_at', '<', expired).limit(rowsAtOnce);
    return tx.deleteFrom('session').where('sid', 'in', oldest).executeTakeFirstOrThrow();
  });
}

/** A client may end the session (POST /auth/logout) before it sends the browser to GET /auth/logout. */
const signOutSeconds = 30;

/** The provider's tokens of sessions that are over. ID tokens are kept as long as a browser needs to sign out there. */
export async function eraseSealedTokens(db: Db, now: Date): Promise<void> {
  const at = now.toISOString();
  // As the indexes have it.
  const isUnused = sql<boolean>`case when idle_ends_at < expires_at then idle_ends_at else expires_at end < ${at}`;
  const endedBefore = (end: string) => sql<boolean>`ended_at <= ${end}`;
  await eraseWhere(db, sealedColumns, endedBefore(secondsBefore(now, signOutSeconds).toISOString()));
  // Of a session that an older version ended: this one erases it with the end.
  await eraseWhere(db, ['refresh_token'], endedBefore(at));
  await eraseWhere(db, sealedColumns, isUnused);
}

/** As the indexes have it: whoever has none left is in none of them, and is not looked at again. */
const hasSealed = sql<boolean>`(id_token is not null or refresh_token is not null)`;

function eraseWhere(db: Db, columns: readonly SealedColumn[], isOver: RawBuilder<boolean>): Promise<void> {
  return inSteps(db, (tx) => {
    const over = tx
      .selectFrom('session')
      .select('sid')
      .where(hasSealed)
      .where((where) => where.or(columns.map((column) => where(column, 'is not', null))))
      .where(isOver)
      .limit(rowsAtOnce);
    return tx
      .updateTable('session')
      .set(Object.fromEntries(columns.map((column) => [column, null])))
      .where('sid', 'in', over)
      .executeTakeFirstOrThrow();
  });
}

/** Of one step: most requests then meet none. */
const shortestPauseMs = 5;

/** Until a step finds less than it may change. In between, for as long as it took at least, others have the database to themselves. */
async function inSteps(db: Db, step: (tx: Transaction<Tables>) => Promise<DeleteResult | UpdateResult>): Promise<void> {
  for (;;) {
    const start = performance.now();
    const result = await transactUnforced(db, step);
    const changed = 'numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows;
    if (changed < rowsAtOnce) return;
    await Bun.sleep(Math.max(shortestPauseMs, performance.now() - start));
  }
}
