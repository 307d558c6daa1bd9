// Deletes and erases what is no longer needed, in small steps: there may be millions of rows, and others want to write, too.
import {
  type DeleteResult,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type UpdateResult,
} from 'kysely';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { transactUnforced } from '../storage/unforced-transaction.ts';
import { type SealedColumn, sealedColumns } from './sealed-tokens.ts';
import { daySeconds, secondsBefore } from './time.ts';
import { deleteOldCodes, findOldCodes } from './used-code.queries.ts';

/** Some milliseconds of work on either engine. */
const rowsAtOnce = 50;
/**
 * Many more: until PostgreSQL has vacuumed, whoever looks for them passes over all that were deleted before, which may be a
 * million.
 */
const rowsFound = 1000;

/** Old codes, and sessions a day after their expiry. */
export async function deleteOld(db: Db, now: Date): Promise<void> {
  await inSteps(
    db,
    () => findOldCodes(db, now, rowsFound),
    (tx, codes) => deleteOldCodes(tx, now, codes),
  );
  const expired = secondsBefore(now, daySeconds).toISOString();
  const isOld: SessionCondition = (where) => where('expires_at', '<', expired);
  await inSteps(
    db,
    () => findSessions(db, isOld),
    (tx, sids) => tx.deleteFrom('session').where('sid', 'in', sids).where(isOld).executeTakeFirstOrThrow(),
  );
}

async function findSessions(db: Db, isWanted: SessionCondition): Promise<string[]> {
  const rows = await db.selectFrom('session').select('sid').where(isWanted).limit(rowsFound).execute();
  return rows.map(({ sid }) => sid);
}

type SessionCondition = (where: ExpressionBuilder<Tables, 'session'>) => Expression<SqlBool>;

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
  const isWanted: SessionCondition = (where) =>
    where.and([hasSealed, where.or(columns.map((column) => where(column, 'is not', null))), isOver]);
  const erased = Object.fromEntries(columns.map((column) => [column, null]));
  return inSteps(
    db,
    () => findSessions(db, isWanted),
    // Somebody may have renewed one meanwhile.
    (tx, sids) =>
      tx.updateTable('session').set(erased).where('sid', 'in', sids).where(isWanted).executeTakeFirstOrThrow(),
  );
}

/** Of one step: most requests then meet none. */
const shortestPauseMs = 5;

/**
 * Until no more are found. In between, for as long as a step took at least, others have the database to themselves. A step
 * that changes nothing: another replica does the same.
 */
async function inSteps(
  db: Db,
  find: () => Promise<string[]>,
  change: (tx: Transaction<Tables>, ids: string[]) => Promise<DeleteResult | UpdateResult>,
): Promise<void> {
  for (;;) {
    const found = await find();
    for (let first = 0; first < found.length; first += rowsAtOnce) {
      const start = performance.now();
      const result = await transactUnforced(db, (tx) => change(tx, found.slice(first, first + rowsAtOnce)));
      if (('numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows) === 0n) return;
      await Bun.sleep(Math.max(shortestPauseMs, performance.now() - start));
    }
    if (found.length < rowsFound) return;
  }
}
