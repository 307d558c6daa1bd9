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
import { tables } from './migrations/0001-tables.ts';
import { isPostgres } from './migrations/engine.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

// Listed here rather than read from a folder, so that the one-file executable has them, too.
const migrations: Record<string, Migration> = {
  '0001-tables': tables,
};
/** Every database created by this or a later version has it. */
const firstMigration = '0001-tables';

class OtherVersion extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

const ofOtherVersion = 'its tables belong to another version of Frontdesk';
const fromBeforeRelease =
  'its tables are from before version 1.0.0: export the lists with that version (frontdesk lookups export --plain), and apply the file with this version to a new database (frontdesk lookups apply): see Upgrading in docs/operations.md';

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

/** A server or proxy that accepts connections without answering may still be starting. */
async function whileUnanswered(act: () => Promise<void>): Promise<void> {
  const givesUpAt = performance.now() + longestSilenceMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isUnanswered(error) || performance.now() >= givesUpAt) throw error;
    }
    // Longer than the time for which the pool refuses requests after a failure.
    await Bun.sleep(1000);
  }
}

/**
 * Our migrations that the database does not have yet. It may have later ones: migrations only add, so an older replica
 * keeps running beside newer ones, and can be restarted.
 */
export async function findPending(db: Db): Promise<string[]> {
  const done = new Set(await readDone(db));
  const pending = Object.keys(migrations).filter((name) => !done.has(name));
  const isOther = [...done].some((name) => !Object.hasOwn(migrations, name));
  if (pending.length > 0 && isOther) {
    throw new OtherVersion(done.has(firstMigration) ? ofOtherVersion : fromBeforeRelease);
  }
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
 * Runs all pending migrations in one transaction. Replicas of the previous version keep writing meanwhile; after a
 * deadlock, it is tried again. Kysely's migrator is not used: its lock belongs to the session, and a pooler in transaction
 * mode shares sessions between clients.
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

/** PostgreSQL's advisory lock for migrations, the same in all versions. */
const lockOfMigrations = 3853314791062309107n;

async function runPending(tx: Transaction<Tables>): Promise<void> {
  // Other processes wait here. On SQLite, only one process has the write lock.
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

/** Longer than another process needs, even for a migration that writes every row of a large table. */
const longestWaitMs = 120_000;
