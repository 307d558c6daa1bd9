// Opens the database and brings its schema up to date. The only place that knows which engine it is.
import { existsSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { start } from './migrations/0001-start.ts';
import { signIn } from './migrations/0002-sign-in.ts';
import { isSqliteAway, openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;

export interface Storage {
  db: Db;
  /** Rejects when the storage is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

// Named here and not found in a folder, so that a one-file executable has them too.
const migrations: Record<string, Migration> = { '0001-start': start, '0002-sign-in': signIn };

export async function openStorage(databaseFile: string): Promise<Storage> {
  const db: Db = new Kysely<Tables>({ dialect: openSqlite(databaseFile) });
  const { error } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw error;
  }
  return storageOf(db);
}

/** Looks without changing anything. Undefined when there is no database yet. */
export async function inspectStorage(
  databaseFile: string,
): Promise<(Storage & { pendingMigrations: number }) | undefined> {
  if (!existsSync(databaseFile)) return undefined;
  const db: Db = new Kysely<Tables>({ dialect: openSqlite(databaseFile) });
  const all = await migratorOf(db).getMigrations();
  return { ...storageOf(db), pendingMigrations: all.filter(({ executedAt }) => executedAt === undefined).length };
}

function migratorOf(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

function storageOf(db: Db): Storage {
  return {
    db,
    ping: async () => void (await sql`select 1`.execute(db)),
    close: () => db.destroy(),
  };
}

export const isStorageAway = isSqliteAway;
