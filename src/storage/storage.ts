// Opens the database and brings its schema up to date. The only place that knows which engine it is.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Dialect, Kysely, type Migration, Migrator, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { DatabaseSettings } from '../config/config.ts';
import { codeOf } from '../telemetry/guards.ts';
import { start } from './migrations/0001-start.ts';
import { signIn } from './migrations/0002-sign-in.ts';
import { keeping } from './migrations/0003-keeping.ts';
import { notices } from './migrations/0004-notices.ts';
import { browserSession } from './migrations/0005-browser-session.ts';
import { undo } from './migrations/0006-undo.ts';
import { isPostgres } from './migrations/engine.ts';
import {
  isForbiddenByPostgres,
  isPostgresAway,
  isPostgresTableThere,
  isPostgresUniqueViolation,
  isRefusedByPostgres,
  listenToPostgres,
  nameOfPostgres,
  openPostgres,
  Reachability,
} from './postgres.ts';
import {
  describeSqliteDamage,
  findDamage,
  isSqliteAway,
  isSqliteTableThere,
  isSqliteUniqueViolation,
  openSqlite,
  openSqliteReadonly,
} from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;

export interface Storage {
  db: Db;
  /** For what only reads: never waits behind a writer. */
  reads: Db;
  /** Rejects when the storage cannot be read. */
  ping(): Promise<void>;
  /** Calls back when another process may have changed something, where the engine tells. */
  listen(heard: () => void): void;
  close(): Promise<void>;
}

/** Called after each statement: its text, without its values. */
export type Executed = (text: string, milliseconds: number, hasFailed: boolean) => void;

// Named here and not found in a folder, so that a one-file executable has them too.
const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-sign-in': signIn,
  '0003-keeping': keeping,
  '0004-notices': notices,
  '0005-browser-session': browserSession,
  '0006-undo': undo,
};

/** The database is not there, not ours to open, or no database. */
export class CannotOpenDatabase extends Error {
  readonly reason: string;
  /** Whether it may be there in a while, with the same configuration. */
  readonly mayPass: boolean;

  constructor(
    name: string,
    cause: unknown,
    why = describeSqliteDamage(cause) ?? String(firstCodeOf(cause) ?? 'unknown reason'),
  ) {
    const reason = `${name} cannot be opened (${why})`;
    super(reason, { cause });
    this.name = 'CannotOpenDatabase';
    this.reason = reason;
    this.mayPass = isPostgresAway(cause) && !isRefusedByPostgres(cause);
  }
}

/** Of a lost connection the reason is behind it. */
function firstCodeOf(error: unknown): unknown {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = codeOf(each);
    if (code !== undefined) return code;
  }
  return undefined;
}

const notOurs =
  'its tables are not up to date or not to be read, and this account may not mend that: see frontdesk migrate';

/** The database's name for messages: a file, or an address without user and password. */
export function nameOfDatabase(database: DatabaseSettings): string {
  return database.engine === 'sqlite' ? database.file : nameOfPostgres(database.url);
}

/** Opens the database as the service uses it, its tables up to date. */
export async function openStorage(database: DatabaseSettings, executed?: Executed): Promise<Storage> {
  await migrateStorage(database);
  const opened = database.engine === 'sqlite' ? openFile(database.file, executed) : openServer(database, executed);
  return { ...opened, ping: async () => void (await opened.reads.selectFrom('revision').selectAll().execute()) };
}

function openFile(file: string, executed?: Executed): Omit<Storage, 'ping'> {
  const [db, reads] = [connect(openSqlite(file), executed), connect(openSqlite(file), executed)];
  return {
    db,
    reads,
    // Nobody tells: whoever wants to know looks.
    listen() {},
    async close() {
      await reads.destroy();
      await db.destroy();
    },
  };
}

function openServer(
  { url, poolSize }: Extract<DatabaseSettings, { engine: 'postgres' }>,
  executed?: Executed,
): Omit<Storage, 'ping'> {
  const reachability = new Reachability();
  // Half for each, so that who only reads does not wait for writers who wait for each other.
  const [forWriting, forReading] = [Math.ceil(poolSize / 2), Math.floor(poolSize / 2)];
  const db = connect(openPostgres(url, { size: forWriting, reachability, executed }), executed);
  const reads = connect(openPostgres(url, { size: forReading, reachability, executed }), executed);
  let stopListening = async () => {};
  return {
    db,
    reads,
    listen(heard) {
      stopListening = listenToPostgres(url, heard);
    },
    async close() {
      await Promise.all([stopListening(), reads.destroy(), db.destroy()]);
    },
  };
}

function connect(dialect: Dialect, executed?: Executed): Db {
  return new Kysely<Tables>({
    dialect,
    ...(executed !== undefined && {
      log: ({ query, queryDurationMillis, level }) => executed(query.sql, queryDurationMillis, level === 'error'),
    }),
  });
}

/** Brings the tables up to date. Several processes may do so at once. */
export async function migrateStorage(database: DatabaseSettings): Promise<void> {
  const name = nameOfDatabase(database);
  const db = open(name, () =>
    database.engine === 'sqlite' ? openSqlite(database.file) : openPostgres(database.url, { size: 2, isPatient: true }),
  );
  try {
    if ((await findPending(db)).length === 0) return;
    // PostgreSQL has a lock for it and all migrations in one transaction.
    const error = await migrate(db, database.engine === 'sqlite' ? 20 : 1);
    if (error !== undefined) throw error;
  } catch (error) {
    if (isForbiddenByPostgres(error)) throw new CannotOpenDatabase(name, error, notOurs);
    if (isSqliteTableThere(error) || isPostgresTableThere(error)) {
      throw new CannotOpenDatabase(name, error, 'it has tables of another program');
    }
    throw isStorageAway(error) || error instanceof OtherVersion ? new CannotOpenDatabase(name, error) : error;
  } finally {
    await db.destroy();
  }
}

function open(name: string, make: () => Dialect): Db {
  try {
    return connect(make());
  } catch (error) {
    throw new CannotOpenDatabase(name, error);
  }
}

class OtherVersion extends Error {
  readonly code = 'its tables are of another version of Frontdesk';
}

/**
 * The migrations of ours that the database has not seen. It may have seen later ones: migrations only add, so that an
 * older replica goes on beside newer ones, and starts again if it has to.
 */
async function findPending(db: Db): Promise<string[]> {
  const done = new Set(await readDone(db));
  const pending = Object.keys(migrations).filter((name) => !done.has(name));
  const isOther = [...done].some((name) => !Object.hasOwn(migrations, name));
  if (pending.length > 0 && isOther) throw new OtherVersion();
  return pending;
}

async function readDone(db: Db): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    // 42P01 and this message: there is no such table, so nothing has been done yet.
    const { code, message } = error as { code?: string; message: string };
    if (code === '42P01' || message === 'no such table: kysely_migration') return [];
    throw error;
  }
}

/**
 * Kysely takes no lock on SQLite. Each migration is a transaction, so of several processes one succeeds; the others
 * find its tables there, which is an error, and at the next try that nothing is left to do.
 */
async function migrate(db: Db, mostTries: number): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const { error } = await migratorOf(db).migrateToLatest();
    if (error === undefined || tries === mostTries) return error;
    await Bun.sleep(50 + 50 * Math.random());
  }
}

/** Looks without changing anything. Undefined when there is no database file yet. */
export async function inspectStorage(
  database: DatabaseSettings,
): Promise<{ db: Db; pendingMigrations: number } | undefined> {
  if (database.engine === 'sqlite' && !existsSync(database.file)) return expectRoomFor(database.file);
  const name = nameOfDatabase(database);
  const db = open(name, () =>
    database.engine === 'sqlite' ? openSqliteReadonly(database.file) : openPostgres(database.url, { size: 1 }),
  );
  try {
    const pendingMigrations = (await findPending(db)).length;
    const damage = database.engine === 'sqlite' ? findDamage(database.file) : undefined;
    if (damage !== undefined) throw new CannotOpenDatabase(name, undefined, `it is damaged: ${damage}`);
    return { db, pendingMigrations };
  } catch (error) {
    await db.destroy();
    throw error instanceof CannotOpenDatabase ? error : new CannotOpenDatabase(name, error);
  }
}

/** The nearest folder there is has to let us make the rest. */
function expectRoomFor(file: string): undefined {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new CannotOpenDatabase(file, error);
  }
}

function migratorOf(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/** Until the transaction ends, nobody else changes these rows. SQLite lets one writer in at a time anyway. */
export function lockRows<T extends keyof Tables, O>(
  tx: Transaction<Tables>,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> {
  return isPostgres(tx) ? query.forUpdate() : query;
}

/** What is wrong with the database itself, where waiting does not help; undefined otherwise. */
export function describeDamage(error: unknown): string | undefined {
  return describeSqliteDamage(error);
}

/** Whether an error means that the storage is away, not that the question was wrong. */
export function isStorageAway(error: unknown): boolean {
  return isSqliteAway(error) || isPostgresAway(error);
}

/** Whether somebody else was there first with what has to be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteUniqueViolation(error) || isPostgresUniqueViolation(error);
}
