// Brings the tables up to date.
import { type Kysely, type Migration, sql, type Transaction } from 'kysely';
import {
  CannotOpenDatabase,
  isConnectionRefused,
  isForbidden,
  isLocked,
  isStorageAway,
  isTableThere,
  isUnanswered,
} from './errors.ts';
import { start } from './migrations/0001-start.ts';
import { signIn } from './migrations/0002-sign-in.ts';
import { keeping } from './migrations/0003-keeping.ts';
import { notices } from './migrations/0004-notices.ts';
import { browserSession } from './migrations/0005-browser-session.ts';
import { undo } from './migrations/0006-undo.ts';
import { renewal } from './migrations/0007-renewal.ts';
import { sessionDetails } from './migrations/0008-session-details.ts';
import { clientKey } from './migrations/0009-client-key.ts';
import { callers } from './migrations/0011-callers.ts';
import { trial } from './migrations/0012-trial.ts';
import { auditOrder } from './migrations/0013-audit-order.ts';
import { auditSeals } from './migrations/0014-audit-seals.ts';
import { forgetting } from './migrations/0015-forgetting.ts';
import { retention } from './migrations/0016-retention.ts';
import { itemFields } from './migrations/0017-item-fields.ts';
import { listSettings } from './migrations/0018-list-settings.ts';
import { changedValues } from './migrations/0019-changed-values.ts';
import { cleaning } from './migrations/0020-cleaning.ts';
import { endedRevision } from './migrations/0021-ended-revision.ts';
import { endedSealed } from './migrations/0022-ended-sealed.ts';
import { sessionOrder } from './migrations/0023-session-order.ts';
import { endedByOlder } from './migrations/0024-ended-by-older.ts';
import { largeChanges } from './migrations/0025-large-changes.ts';
import { cleaningOrder } from './migrations/0026-cleaning-order.ts';
import { isPostgres } from './migrations/engine.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

// Named here and not found in a folder, so that a one-file executable has them too.
const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-sign-in': signIn,
  '0003-keeping': keeping,
  '0004-notices': notices,
  '0005-browser-session': browserSession,
  '0006-undo': undo,
  '0007-renewal': renewal,
  '0008-session-details': sessionDetails,
  '0009-client-key': clientKey,
  '0011-callers': callers,
  '0012-trial': trial,
  '0013-audit-order': auditOrder,
  '0014-audit-seals': auditSeals,
  '0015-forgetting': forgetting,
  '0016-retention': retention,
  '0017-item-fields': itemFields,
  '0018-list-settings': listSettings,
  '0019-changed-values': changedValues,
  '0020-cleaning': cleaning,
  '0021-ended-revision': endedRevision,
  '0022-ended-sealed': endedSealed,
  '0023-session-order': sessionOrder,
  '0024-ended-by-older': endedByOlder,
  '0025-large-changes': largeChanges,
  '0026-cleaning-order': cleaningOrder,
};

class OtherVersion extends Error {
  readonly reason = 'its tables are of another version of Frontdesk';
}

const notOurs =
  'its tables are out of date or cannot be read, and this account may not change them: see frontdesk migrate';

/** Several processes may call it at once. */
export async function migrate(db: Db, databaseName: string): Promise<void> {
  try {
    await whileUnanswered(async () => {
      if ((await findPending(db)).length > 0) await migrateToLatest(db);
    });
  } catch (error) {
    if (isForbidden(error)) throw new CannotOpenDatabase(databaseName, error, notOurs);
    if (isTableThere(error)) throw new CannotOpenDatabase(databaseName, error, 'it has tables of another program');
    const isUnusable = isStorageAway(error) || isConnectionRefused(error) || error instanceof OtherVersion;
    throw isUnusable ? new CannotOpenDatabase(databaseName, error) : error;
  }
}

const longestSilenceMs = 10_000;

/** A server or proxy that accepts connections but does not answer may still be starting. */
async function whileUnanswered(act: () => Promise<void>): Promise<void> {
  const givesUpAt = performance.now() + longestSilenceMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isUnanswered(error) || performance.now() >= givesUpAt) throw error;
    }
    // Longer than the pool refuses requests after a failure.
    await Bun.sleep(1000);
  }
}

/**
 * The migrations of ours that the database has not seen. It may have seen later ones: migrations only add, so that an
 * older replica goes on beside newer ones, and starts again if it has to.
 */
export async function findPending(db: Db): Promise<string[]> {
  const done = new Set(await readDone(db));
  const pending = Object.keys(migrations).filter((name) => !done.has(name));
  const isOther = [...done].some((name) => !Object.hasOwn(migrations, name));
  if (pending.length > 0 && isOther) throw new OtherVersion();
  return pending;
}

async function readDone(db: Db): Promise<string[]> {
  const table = isPostgres(db)
    ? sql`select 1 where to_regclass('kysely_migration') is not null`
    : sql`select 1 from sqlite_master where name = 'kysely_migration'`;
  if ((await table.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * All that are due, in one transaction. Replicas of the version before go on writing meanwhile, and where the two wait for each
 * other, it is tried again. Not by Kysely's migrator: its lock belongs to the session, which a pooler in transaction mode gives to
 * others.
 */
async function migrateToLatest(db: Db): Promise<void> {
  const givesUpAt = performance.now() + longestWaitMs;
  for (;;) {
    try {
      return await db.transaction().execute(runPending);
    } catch (error) {
      if (!isLocked(error) || performance.now() >= givesUpAt) throw error;
    }
    await Bun.sleep(50 + 50 * Math.random());
  }
}

/** The lock of Kysely's migrator, by which earlier versions migrate. */
const lockOfMigrations = 3853314791062309107n;

async function runPending(tx: Transaction<Tables>): Promise<void> {
  // Others wait here. On SQLite, one process has the write lock.
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${sql.lit(lockOfMigrations)})`.execute(tx);
  await tx.schema
    .createTable('kysely_migration')
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  for (const name of await findPending(tx)) {
    await migrations[name]?.up(tx);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx);
  }
}

/** Longer than another process needs to number the audit of some years (0013). */
const longestWaitMs = 120_000;
