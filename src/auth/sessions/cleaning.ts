// Deletes old rows and erases tokens that are no longer needed. Works in small steps, because there may be millions of rows
// and other writers must not wait long.
import { type RawBuilder, sql } from 'kysely';
import { createStepper } from '../../base/stepper.ts';
import { daySeconds, secondsBefore } from '../../base/time.ts';
import { type Db, transactUnforced } from '../../storage/storage.ts';
import { sealedColumns } from './sealed-tokens.ts';
import { isOldCode } from './used-code.queries.ts';

/** Rows that are found in the order of an index on `time` and `id`. */
interface OldRows {
  table: 'session' | 'used_code';
  id: 'sid' | 'code_hash';
  time: RawBuilder<unknown>;
  isOld: RawBuilder<boolean>;
}

/** Deletes old codes, and sessions a day after their expiry. */
export async function deleteOld(db: Db, now: Date): Promise<void> {
  await deleteRows(db, { table: 'used_code', id: 'code_hash', time: sql.ref('used_at'), isOld: isOldCode(now) });
  const expiry = sql.ref('expires_at');
  const isOld = sql<boolean>`${expiry} < ${secondsBefore(now, daySeconds).toISOString()}`;
  await deleteRows(db, { table: 'session', id: 'sid', time: expiry, isOld });
}

const deleteRows = (db: Db, rows: OldRows) => inSteps(db, rows, sql`delete from ${sql.table(rows.table)}`);

/** Tokens are kept this long after a sign-out, because a client may call POST /auth/logout before it opens GET /auth/logout. */
const signOutSeconds = 30;

/** Erases the provider's tokens of sessions that are over. GET /auth/logout needs the ID token for a while after the end. */
export async function eraseSealedTokens(db: Db, now: Date): Promise<void> {
  const end = sql.ref('ended_at');
  await eraseWhere(db, end, sql`${end} <= ${secondsBefore(now, signOutSeconds).toISOString()}`);
  await eraseWhere(db, lastUse, sql`${lastUse} < ${now.toISOString()}`);
}

/** Must be the same expression as in the indexes. */
const lastUse = sql`(case when idle_ends_at < expires_at then idle_ends_at else expires_at end)`;
/** Must be the same condition as in the indexes, which leave out sessions without sealed tokens. */
const hasSealed = sql`(id_token is not null or refresh_token is not null)`;

function eraseWhere(db: Db, time: RawBuilder<unknown>, isOver: RawBuilder<unknown>): Promise<void> {
  const isOld = sql<boolean>`${hasSealed} and ${isOver}`;
  const erased = sealedColumns.map((column) => sql`${sql.ref(column)} = null`);
  return inSteps(db, { table: 'session', id: 'sid', time, isOld }, sql`update session set ${sql.join(erased)}`);
}

const rowsFound = 1000;
/** A few milliseconds of work on either engine. */
const rowsAtOnce = 50;
/** A short pause is enough, because steps are so short that most requests do not have to wait for one. */
const minPauseMs = 5;

interface Place {
  time: string;
  id: string;
}

/**
 * Applies the change to all old rows. Each search continues after the last row found. Until PostgreSQL has vacuumed the
 * table, a search from the beginning would have to read past all deleted rows, possibly a million. Stops after a step that
 * changes nothing, because another replica is then doing the same work.
 */
async function inSteps(db: Db, rows: OldRows, change: RawBuilder<unknown>): Promise<void> {
  const { isOld } = rows;
  const id = sql.ref(rows.id);
  const runStep = createStepper({ minPauseMs });
  for (let last: Place | undefined = { time: '', id: '' }; last !== undefined; ) {
    const found: Place[] = await findAfter(db, rows, last);
    for (let first = 0; first < found.length; first += rowsAtOnce) {
      const ids = found.slice(first, first + rowsAtOnce).map((row) => row.id);
      // The condition is repeated, since a session may have been renewed in the meantime. `is true` keeps PostgreSQL from
      // using an index on times here, which with outdated statistics would read all expired sessions in each step.
      const statement = sql`${change} where ${id} in (${sql.join(ids)}) and (${isOld}) is true`;
      const { numAffectedRows } = await runStep(() => transactUnforced(db, (tx) => statement.execute(tx)));
      if (numAffectedRows === 0n) return;
    }
    last = found.length < rowsFound ? undefined : found.at(-1);
  }
}

async function findAfter(db: Db, { table, id, time, isOld }: OldRows, last: Place): Promise<Place[]> {
  const place = sql`${time}, ${sql.ref(id)}`;
  const found = sql<Place>`select ${time} as time, ${sql.ref(id)} as id from ${sql.table(table)}
    where ${isOld} and (${place}) > (${last.time}, ${last.id}) order by ${place} limit ${sql.lit(rowsFound)}`;
  return (await found.execute(db)).rows;
}
