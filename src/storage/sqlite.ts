// Kysely over bun:sqlite: the embedded engine.
import { Database, SQLiteError } from 'bun:sqlite';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
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
  const isNew = !existsSync(file);
  const database = new Database(file, { create: true });
  // Personal details and keys: for the service's own account only. SQLite gives its side files the same mode.
  if (isNew) chmodSync(file, 0o600);
  // An answered sign-in survives a crash of the machine, not only of the process.
  database.run('pragma journal_mode = wal');
  database.run('pragma synchronous = full');
  database.run('pragma foreign_keys = on');
  // bun:sqlite blocks the whole process while it waits: short here, the patient waiting is in beginTransaction.
  database.run('pragma busy_timeout = 50');
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver({ database: adapt(database) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function adapt(database: Database): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(text) {
      const statement = database.query<unknown, never[]>(text);
      return {
        reader: statement.columnNames.length > 0,
        all: (parameters) => statement.all(...(parameters as never[])),
        run: (parameters) => statement.run(...(parameters as never[])),
        iterate: (parameters) => statement.iterate(...(parameters as never[])),
      };
    },
  };
}

/** Takes the write lock when a transaction begins, so that none fails half-way because another process was faster. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === 20) throw error;
        await Bun.sleep(25 * (1 + Math.random()));
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true;
}

const awayCodes = /^SQLITE_(BUSY|LOCKED|IOERR|FULL|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL|MISUSE)/;

/** Whether an error means that the storage is away, not that the question was wrong. */
export function isSqliteAway(error: unknown): boolean {
  if (error instanceof SQLiteError) return awayCodes.test(error.code ?? '');
  return false;
}
