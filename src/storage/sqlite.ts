// Kysely over bun:sqlite: the embedded engine.
import { Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

export function openSqlite(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  expectFile(file);
  const isNew = !existsSync(file);
  const database = new Database(file, { create: true });
  // Personal details and keys: for the service's own account only. SQLite gives its side files the same mode.
  if (isNew) chmodSync(file, 0o600);
  // A long wait while the file is set up: several processes may start at once on a new one.
  database.run('pragma busy_timeout = 5000');
  // An answered sign-in survives a crash of the machine, not only of the process.
  database.run('pragma journal_mode = wal');
  database.run('pragma synchronous = full');
  database.run('pragma foreign_keys = on');
  // Short from here on: bun:sqlite blocks the whole process while it waits. beginTransaction waits instead.
  database.run('pragma busy_timeout = 10');
  return dialectOf(database);
}

/** Opens an existing file for reading only. */
export function openSqliteReadonly(file: string): Dialect {
  return dialectOf(openToRead(file));
}

function openToRead(file: string): Database {
  expectFile(file);
  const database = new Database(file, { readonly: true });
  database.run('pragma busy_timeout = 5000');
  return database;
}

/** SQLite reports a folder as a failed read, or as a file that cannot be opened. */
function expectFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw Object.assign(new Error('a folder'), { code: 'EISDIR', reason: 'EISDIR: it is a folder' });
  }
}

/** Checks the whole file; undefined when it is intact. */
export function findDamage(file: string): string | undefined {
  using database = openToRead(file);
  const [verdict] = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').all();
  return verdict?.integrity_check === 'ok' ? undefined : (verdict?.integrity_check ?? 'it cannot be checked');
}

/** The copy fails the integrity check, as the file it was made from would. */
export class DamagedCopy extends Error {
  readonly damage: string;

  constructor(damage: string) {
    super('the copy is damaged');
    this.name = 'DamagedCopy';
    this.damage = damage;
  }
}

/** A copy of one moment, while others read and write. The copy is complete, or there is none. */
export function backupSqlite(file: string, to: string): void {
  const draft = `${to}.${process.pid}.part`;
  // The copy and its journal are readable by our own account only, from their first byte on.
  const before = process.umask(0o077);
  try {
    using database = openToRead(file);
    database.run('vacuum into ?', [draft]);
    const damage = findDamage(draft);
    if (damage !== undefined) throw new DamagedCopy(damage);
    const handle = openSync(draft, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    // A link never replaces a file that has been made meanwhile.
    linkSync(draft, to);
  } finally {
    rmSync(draft, { force: true });
    process.umask(before);
  }
}

function dialectOf(database: Database): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new LockWaitingDriver({ database: adapt(database) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function adapt(database: Database): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = database.query<unknown, SQLQueryBindings[]>(text);
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...(parameters as SQLQueryBindings[])),
        run: (parameters) => statement.run(...(parameters as SQLQueryBindings[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLQueryBindings[])),
      };
    },
  };
}

/** SQLite's tables change in transactions, too: all migrations that are due succeed, or none. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** As long as a statement may take on PostgreSQL: a command that changes a large list may hold the lock for a second. */
const longestWaitMs = 3000;
/** Those who wait try again all the time: where none has for this long, the next lock is another one. */
const forgottenAfterMs = 1000;

/** Takes the write lock when a transaction begins, so that none fails half-way because another process holds it. */
class LockWaitingDriver extends SqliteDriver {
  /** Since when another process has been holding the lock, and when that was last seen. */
  #lockedSince = 0;
  #lockedAt = Number.NEGATIVE_INFINITY;

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        this.#lockedAt = Number.NEGATIVE_INFINITY;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        // Measured from the first transaction that waited: those queued behind it do not each wait as long again.
        const now = performance.now();
        if (now - this.#lockedAt > forgottenAfterMs) this.#lockedSince = now;
        this.#lockedAt = now;
        if (now - this.#lockedSince > longestWaitMs) throw error;
        await Bun.sleep(10 + 10 * Math.random());
      }
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full disk SQLite rolls back by itself. That a second rollback fails must not hide the first error.
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_ERROR') throw error;
    });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}
