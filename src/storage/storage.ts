// Opens the database and brings its schema up to date. The only place that knows which engine it is.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { start } from './migrations/0001-start.ts';
import { signIn } from './migrations/0002-sign-in.ts';
import { keeping } from './migrations/0003-keeping.ts';
import { isSqliteAway, openSqlite, openSqliteReadonly } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;

export interface Storage {
  db: Db;
  /** For what only reads: never waits behind a writer. */
  reads: Db;
  /** Rejects when the storage cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

// Named here and not found in a folder, so that a one-file executable has them too.
export const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-sign-in': signIn,
  '0003-keeping': keeping,
};

/** The database is not there, not ours to open, or no database. */
export class CannotOpenDatabase extends Error {
  readonly reason: string;

  constructor(databaseFile: string, cause: unknown) {
    const reason = `${databaseFile} cannot be opened (${(cause as { code?: unknown }).code ?? 'unknown reason'})`;
    super(reason, { cause });
    this.name = 'CannotOpenDatabase';
    this.reason = reason;
  }
}

export async function openStorage(databaseFile: string): Promise<Storage> {
  const db = connect(databaseFile, openSqlite);
  const { error } = await migrate(db);
  if (error !== undefined) {
    await db.destroy();
    throw isStorageAway(error) ? new CannotOpenDatabase(databaseFile, error) : error;
  }
  const reads = connect(databaseFile, openSqlite);
  return {
    db,
    reads,
    ping: async () => void (await reads.selectFrom('lookup_list').select('name').limit(1).execute()),
    async close() {
      await reads.destroy();
      await db.destroy();
    },
  };
}

function connect(databaseFile: string, open: typeof openSqlite): Db {
  try {
    return new Kysely<Tables>({ dialect: open(databaseFile) });
  } catch (error) {
    throw new CannotOpenDatabase(databaseFile, error);
  }
}

/**
 * Kysely takes no lock on SQLite. Each migration is a transaction, so of several processes one succeeds; the others
 * find its tables there, which is an error, and at the next try that nothing is left to do.
 */
async function migrate(db: Db) {
  for (let tries = 1; ; tries++) {
    const result = await migratorOf(db).migrateToLatest();
    if (result.error === undefined || tries === 20) return result;
    await Bun.sleep(50 + 50 * Math.random());
  }
}

/** Looks without changing anything. Undefined when there is no database yet. */
export async function inspectStorage(databaseFile: string): Promise<{ db: Db; pendingMigrations: number } | undefined> {
  if (!existsSync(databaseFile)) return expectRoomFor(databaseFile);
  const db = connect(databaseFile, openSqliteReadonly);
  try {
    const all = await migratorOf(db).getMigrations();
    return { db, pendingMigrations: all.filter(({ executedAt }) => executedAt === undefined).length };
  } catch (error) {
    throw new CannotOpenDatabase(databaseFile, error);
  }
}

/** The nearest folder there is has to let us make the rest. */
function expectRoomFor(databaseFile: string): undefined {
  let folder = dirname(resolve(databaseFile));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new CannotOpenDatabase(databaseFile, error);
  }
}

function migratorOf(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

export const isStorageAway = isSqliteAway;
