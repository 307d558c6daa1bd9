// Opens the database and brings its tables up to date.
import { type Dialect, type Kysely, type KyselyConfig, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { startThread } from '../base/executable.ts';
import { ExitError } from '../base/exit-error.ts';
import type { DatabaseSettings } from '../config/config.ts';
import { HookedKysely } from './commit-hooks.ts';
import { CannotOpenDatabase } from './errors.ts';
import { type MigrationWatch, migrate, migrateToLatest, type ThreadMessage } from './migrate.ts';
import { isPostgres } from './migrations/engine.ts';
import { listenToPostgres, nameOfPostgres, openPostgres, PooledDialect } from './postgres.ts';
import { type Executed, type GuardedPool, Reachability } from './postgres-pool.ts';
import { provideShortTransactions } from './short-transaction.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;

/** Connections for changes, for reads, and for long changes. */
type PoolName = 'write' | 'read' | 'long-write';

type ConnectionTaken = (pool: PoolName, milliseconds: number) => void;

export interface Storage {
  db: Db;
  /** A connection for reads, which never waits behind a writer. */
  reads: Db;
  /**
   * For long transactions, one at a time. On PostgreSQL they have a separate connection, so that they take none from `db`
   * while they work or wait for each other. SQLite has one writer for everything.
   */
  longWrites: Db;
  /** Rejects if the storage cannot be read. */
  ping(): Promise<void>;
  /** Writes a row and deletes it again. Rejects if the storage cannot be written. */
  tryToWrite(): Promise<void>;
  /** Calls back when another process may have changed something, if the engine sends notices. */
  listen(onChange: () => void): void;
  /** The connections at this moment, and how many wait for one. */
  pools(): { pool: PoolName; open: number; waiting: number }[];
  close(): Promise<void>;
}

/** The database's name for messages: a file, or an address without user and password. */
export function nameOfDatabase(database: DatabaseSettings): string {
  return database.engine === 'sqlite' ? database.file : nameOfPostgres(database.url);
}

/** Opens the database for the service, with its tables up to date. */
export async function openStorage(
  database: DatabaseSettings,
  executed?: Executed,
  { migrating, taken }: { migrating?: MigrationWatch; taken?: ConnectionTaken | undefined } = {},
): Promise<Storage> {
  await migrateStorage(database, migrating);
  const opened =
    database.engine === 'sqlite' ? openFile(database.file, executed) : openServer(database, executed, taken);
  const { db, reads } = opened;
  return {
    ...opened,
    ping: async () => void (await reads.selectFrom('revision').selectAll().execute()),
    async tryToWrite() {
      const code_hash = `trial ${crypto.randomUUID()}`;
      await db.transaction().execute(async (tx) => {
        await tx.insertInto('used_code').values({ code_hash, used_at: '' }).execute();
        await tx.deleteFrom('used_code').where('code_hash', '=', code_hash).execute();
      });
    },
  };
}

type Opened = Omit<Storage, 'ping' | 'tryToWrite'>;

function openFile(file: string, executed?: Executed): Opened {
  const [db, reads] = [connect(openSqlite(file), executed), connect(openSqlite(file), executed)];
  return {
    db,
    reads,
    longWrites: db,
    // SQLite sends no notices, so revisions.ts only polls.
    listen() {},
    // Each pool has one connection, which is always open. Transactions wait for the file's lock, not for a connection.
    pools: () => (['write', 'read'] as const).map((pool) => ({ pool, open: 1, waiting: 0 })),
    async close() {
      await reads.destroy();
      await db.destroy();
    },
  };
}

function openServer(
  { url, poolSize }: Extract<DatabaseSettings, { engine: 'postgres' }>,
  executed?: Executed,
  taken?: ConnectionTaken,
): Opened {
  const reachability = new Reachability();
  const left = poolSize - 1;
  const pools: [PoolName, GuardedPool][] = [];
  const open = (pool: PoolName, size: number, waitMs?: number) => {
    const dialect = openPostgres(url, {
      size,
      reachability,
      executed,
      taken: taken && ((milliseconds) => taken(pool, milliseconds)),
      ...(waitMs !== undefined && { longestWaitMs: waitMs }),
    });
    pools.push([pool, dialect.pool]);
    return dialect;
  };
  // Half of the connections for each, so that readers do not wait for writers that wait for each other.
  const db = connect(open('write', Math.ceil(left / 2)), executed);
  const reads = connect(open('read', Math.floor(left / 2)), executed);
  const longWrites = connect(open('long-write', 1, longestWaitMs), executed, db);
  let stopListening = async () => {};
  return {
    db,
    reads,
    longWrites,
    listen(onChange) {
      stopListening = listenToPostgres(url, onChange);
    },
    pools: () => pools.map(([pool, { state }]) => ({ pool, ...state })),
    async close() {
      await Promise.all([stopListening(), reads.destroy(), longWrites.destroy(), db.destroy()]);
    },
  };
}

/** A long transaction that has waited this long for its turn is refused. */
const longestWaitMs = 5000;

function connect(dialect: Dialect, executed?: Executed, database?: Db): Db {
  const config: KyselyConfig = {
    dialect,
    ...(executed !== undefined && {
      log: ({ query, queryDurationMillis, level }) => executed(query.sql, queryDurationMillis, level === 'error'),
    }),
  };
  const db = new HookedKysely(config, database);
  if (dialect instanceof PooledDialect) provideShortTransactions(db, dialect.pool);
  return db;
}

/** Brings the tables up to date. Several processes may do so at once. Does not block this thread for long. */
export async function migrateStorage(database: DatabaseSettings, watch?: MigrationWatch): Promise<void> {
  const name = nameOfDatabase(database);
  const db = connectOrExplain(name, () =>
    database.engine === 'sqlite'
      ? openSqlite(database.file)
      : openPostgres(database.url, { size: 2, isUnlimited: true }),
  );
  try {
    await migrate(db, name, watch, (isNew, report) =>
      // Creating the tables takes a moment. Changing the tables in an existing file may take long, and SQLite blocks the thread.
      database.engine === 'sqlite' && !isNew ? migrateInThread(database.file, report) : migrateToLatest(db, report),
    );
  } finally {
    await db.destroy();
  }
}

async function migrateInThread(file: string, report: MigrationWatch['step']): Promise<void> {
  const thread = startThread('storage/migration-worker');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  thread.onmessage = ({ data }: MessageEvent<ThreadMessage>) => {
    if (data.kind === 'failed') reject(new ExitError(data.message, data.exitCode));
    else if (data.kind === 'finished') resolve();
    else report(data);
  };
  thread.onerror = (event) => reject(new Error(event.message));
  thread.postMessage(file);
  try {
    await promise;
  } finally {
    thread.terminate();
  }
}

export function connectOrExplain(name: string, open: () => Dialect): Db {
  try {
    return connect(open());
  } catch (error) {
    throw new CannotOpenDatabase(name, error);
  }
}

/** Locks these rows until the transaction ends. SQLite has one writer at a time anyway. */
export function lockRows<T extends keyof Tables, O>(
  tx: Transaction<Tables>,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> {
  return isPostgres(tx) ? query.forUpdate() : query;
}

/** Calls `read` with a snapshot of the database. Blocks nobody. */
export function readSnapshot<T>(db: Db, read: (snapshot: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    await sql.raw(isPostgres(db) ? 'begin isolation level repeatable read read only' : 'begin').execute(own);
    try {
      return await read(own);
    } finally {
      // An error is ignored: nothing was written, and if the connection is lost, so is the transaction.
      await sql`rollback`.execute(own).catch(() => {});
    }
  });
}

/**
 * Runs a transaction that does not wait for the disk when it commits, so that it holds up no other transaction. If the
 * machine crashes, its changes may be lost, so use it only for work that is then done again.
 */
export function transactUnforced<T>(db: Db, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  if (isPostgres(db)) {
    return db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = off`.execute(tx);
      return change(tx);
    });
  }
  return db.connection().execute(async (own) => {
    await sql`pragma synchronous = normal`.execute(own);
    try {
      return await own.transaction().execute(change);
    } finally {
      await sql`pragma synchronous = full`.execute(own);
    }
  });
}
