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

interface ListedMigration extends Migration {
  /** What it changes, for the log. */
  changes: string;
}

// Listed here rather than read from a folder, so that the one-file executable has them, too.
const migrations: Record<string, ListedMigration> = {
  '0001': { ...tables, changes: 'all tables' },
};
/** Every database created by this or a later version has it. */
const firstMigration = '0001';

class FromBeforeRelease extends Error {
  readonly reason =
    'its tables are from before version 1.0.0. Export the lists with the old version (frontdesk lookups export --plain). Then apply the file to a new database with this version (frontdesk lookups apply). See "From a version before 1.0.0" in docs/operations.md';
}

const notOurs =
  'its tables are out of date or cannot be read, and this account may not change them: see frontdesk migrate';

interface Progress {
  migration: string;
  /** The position of this migration among those that the database lacked when this process started. */
  number: number;
  of: number;
  changes: string;
}

/** What a process reports while it migrates. */
export type MigrationStep =
  | { kind: 'waiting' }
  | ({ kind: 'begun' } & Progress)
  | ({ kind: 'done'; seconds: number } & Progress);

/** What the thread that migrates a SQLite file sends. `failed`: what the process prints, and its exit code. */
export type ThreadMessage =
  | MigrationStep
  | { kind: 'finished' }
  | { kind: 'failed'; message: string; exitCode: number };

export interface MigrationWatch {
  /** Called once, before anything is changed, and only if a migration is pending. `isNew`: the database has no tables yet. */
  begin(isNew: boolean): void;
  step(step: MigrationStep): void;
}

export function describeStep(step: MigrationStep): string {
  if (step.kind === 'waiting') return 'waiting until another process releases its lock on the database';
  const which = `migration ${step.number} of ${step.of}: ${step.migration}, ${step.changes}`;
  return step.kind === 'begun' ? `${which}: begun` : `${which}: done in ${step.seconds.toFixed(1)} s`;
}

type Report = MigrationWatch['step'];

/**
 * Several processes may call it at once. `run` performs the pending migrations; the service replaces it if it must not
 * block its own thread.
 */
export async function migrate(
  db: Db,
  databaseName: string,
  watch?: MigrationWatch,
  run: (isNew: boolean, report: Report) => Promise<void> = (_, report) => migrateToLatest(db, report),
): Promise<void> {
  let hasBegun = false;
  const act = async () => {
    const pending = await findPending(db);
    if (pending.length === 0) return;
    const isNew = pending.length === Object.keys(migrations).length;
    if (!hasBegun) watch?.begin(isNew);
    hasBegun = true;
    await run(isNew, (step) => watch?.step(step));
  };
  try {
    await whileUnanswered(act);
  } catch (error) {
    if (isForbidden(error)) throw new CannotOpenDatabase(databaseName, error, notOurs);
    if (isTableThere(error)) throw new CannotOpenDatabase(databaseName, error, "it contains another program's tables");
    const isUnusable = isStorageAway(error) || isConnectionRefused(error) || error instanceof FromBeforeRelease;
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
 * Our migrations that the database does not have yet. The database may also have later ones. Because migrations only add, an
 * older replica keeps running beside newer ones and can be restarted.
 */
export async function findPending(db: Db): Promise<string[]> {
  const done = new Set(await readDone(db));
  if (done.size > 0 && !done.has(firstMigration)) throw new FromBeforeRelease();
  return Object.keys(migrations).filter((name) => !done.has(name));
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
 * Runs each pending migration in a transaction of its own, so that locks are held only as long as one migration needs them,
 * and completed migrations are kept if a later one fails. Replicas of the previous version keep writing meanwhile; after a
 * deadlock, or while a table is locked, the migration is tried again. Kysely's migrator is not used, because its lock belongs
 * to the session, and a pooler in transaction mode shares sessions between clients.
 */
export async function migrateToLatest(db: Db, report: Report): Promise<void> {
  const { length: of } = await findPending(db);
  while ((await findPending(db)).length > 0) await migrateOnce(db, of, report);
}

async function migrateOnce(db: Db, of: number, report: Report): Promise<void> {
  const reportOnce = withoutRepeats(report);
  for (;;) {
    try {
      const ran = await db.transaction().execute((tx) => runNext(tx, of, reportOnce));
      if (ran === undefined) return;
      const { startedAt, ...progress } = ran;
      report({ kind: 'done', seconds: (performance.now() - startedAt) / 1000, ...progress });
      return;
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    reportOnce({ kind: 'waiting' });
    await Bun.sleep(isPostgres(db) ? pauseMs : pauseMs / 10);
  }
}

/** A pause in which PostgreSQL can process the requests that waited for the migration. */
const pauseMs = 1000;

function withoutRepeats(report: Report): Report {
  const kinds = new Set<MigrationStep['kind']>();
  return (step) => {
    if (!kinds.has(step.kind)) report(step);
    kinds.add(step.kind);
  };
}

/** `startedAt`: when the migration itself began, after any wait for other processes. */
type Ran = Progress & { startedAt: number };

/** Runs the first pending migration. Undefined if none is left, because other processes have run them. */
async function runNext(tx: Transaction<Tables>, of: number, report: Report): Promise<Ran | undefined> {
  // On SQLite, only one process has the write lock.
  if (isPostgres(tx)) await lockMigrations(tx, report);
  await tx.schema
    .createTable('kysely_migration')
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  const pending = await findPending(tx);
  const [name = ''] = pending;
  const migration = migrations[name];
  if (migration === undefined) return undefined;
  const progress = { migration: name, number: of - pending.length + 1, of, changes: migration.changes };
  report({ kind: 'begun', ...progress });
  const startedAt = performance.now();
  // While a migration waits for a table, for example because of a backup, PostgreSQL makes all later requests for that table
  // wait as well. So the migration waits for less time than a request may, and tries again.
  if (isPostgres(tx)) await sql`set local lock_timeout = '1s'`.execute(tx);
  await migration.up(tx);
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx);
  return { ...progress, startedAt };
}

/** PostgreSQL's advisory lock for migrations, the same in all versions. */
const lockOfMigrations = 3853314791062309107n;

/** Other processes wait here until the migrating process has ended its transaction. */
async function lockMigrations(tx: Transaction<Tables>, report: Report): Promise<void> {
  const key = sql.lit(lockOfMigrations);
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${key}) as locked`.execute(tx);
  if (rows[0]?.locked === true) return;
  report({ kind: 'waiting' });
  await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
}
