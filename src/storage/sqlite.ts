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
import { isLocked } from './errors.ts';

export function openSqlite(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  expectFile(file);
  const isNew = !existsSync(file);
  const database = new Database(file, { create: true });
  // The file holds personal data and keys, so only the service's own account can read it. SQLite gives its side files the
  // same mode.
  if (isNew) chmodSync(file, 0o600);
  // A long timeout during setup, because several processes may start at once on a new file.
  database.run('pragma busy_timeout = 5000');
  // With these two settings, a sign-in that was answered survives a crash of the machine, not only of the process.
  database.run('pragma journal_mode = wal');
  database.run('pragma synchronous = full');
  database.run('pragma foreign_keys = on');
  // Short from now on, because bun:sqlite blocks the whole process while it waits. beginTransaction waits instead.
  database.run('pragma busy_timeout = 10');
  return dialectOf(database);
}

/** Opens an existing file read-only. */
export function openSqliteReadonly(file: string): Dialect {
  return dialectOf(openToRead(file));
}

function openToRead(file: string): Database {
  expectFile(file);
  const database = new Database(file, { readonly: true });
  database.run('pragma busy_timeout = 5000');
  return database;
}

/** Refuses a folder. SQLite would only report a failed read, or that the file cannot be opened. */
function expectFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw Object.assign(new Error('a folder'), { code: 'EISDIR', reason: 'EISDIR: it is a folder' });
  }
}

/** Checks the whole file; undefined if it is intact. */
export function findDamage(file: string): string | undefined {
  using database = openToRead(file);
  const [verdict] = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').all();
  return verdict?.integrity_check === 'ok' ? undefined : (verdict?.integrity_check ?? 'it cannot be checked');
}

/** The copy fails the integrity check, as the original file would. */
export class DamagedCopy extends Error {
  readonly damage: string;

  constructor(damage: string) {
    super('the copy is damaged');
    this.name = 'DamagedCopy';
    this.damage = damage;
  }
}

/** Copies one consistent state of the database while others read and write. Either the copy is complete, or there is none. */
export function backupSqlite(file: string, to: string): void {
  const draft = `${to}.${process.pid}.part`;
  // Only our own account can read the copy and its journal, from the first byte on.
  const before = process.umask(0o077);
  try {
    using database = openToRead(file);
    database.run('vacuum into ?', [draft]);
    const damage = findDamage(draft);
    if (damage !== undefined) throw new DamagedCopy(damage);
    const handle = openSync(draft, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    // A link never replaces a file that was created meanwhile.
    linkSync(draft, to);
  } finally {
    rmSync(draft, { force: true });
    process.umask(before);
  }
}

function dialectOf(database: Database): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
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

/**
 * How long to wait for the lock: as long as a statement may take on PostgreSQL. A command that changes a large list may
 * hold the lock for a second.
 */
const longestWaitMs = 3000;
/** Waiting transactions retry all the time. If none has retried for this long, the next lock counts as a new one. */
const forgottenAfterMs = 1000;

/** Takes the write lock at the start of a transaction, so that none fails half-way because another process holds it. */
class LockWaitingDriver extends SqliteDriver {
  /** When another process was first seen to hold the lock, and when it was last seen to hold it. */
  #lockedSince = 0;
  #lockedAt = Number.NEGATIVE_INFINITY;

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        this.#lockedAt = Number.NEGATIVE_INFINITY;
        return;
      } catch (error) {
        if (!isLocked(error)) throw error;
        // The wait is measured from the first waiting transaction, so that those queued behind it do not each wait the full
        // time.
        const now = performance.now();
        if (now - this.#lockedAt > forgottenAfterMs) this.#lockedSince = now;
        this.#lockedAt = now;
        if (now - this.#lockedSince > longestWaitMs) throw error;
        await Bun.sleep(10 + 10 * Math.random());
      }
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full disk SQLite rolls back by itself. The failure of a second rollback must not hide the first error.
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!(error instanceof SQLiteError) || error.code !== 'SQLITE_ERROR') throw error;
    });
  }
}
