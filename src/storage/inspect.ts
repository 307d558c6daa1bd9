// Inspects the database for `frontdesk check`: whether it opens, whether a database file and its folder can be written, and what
// the service's account may do on a PostgreSQL server. Changes nothing.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import type { DatabaseSettings } from '../config/config.ts';
import { CannotOpenDatabase } from './errors.ts';
import { findPending } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { findDamage, openSqliteReadonly } from './sqlite.ts';
import { connectOrExplain, type Db, nameOfDatabase } from './storage.ts';
import type { Tables } from './tables.ts';

/** Undefined if there is no database file yet. */
export async function inspectStorage(
  database: DatabaseSettings,
): Promise<{ db: Db; pendingMigrations: number } | undefined> {
  if (database.engine === 'sqlite' && !existsSync(database.file)) {
    expectWritableFolder(database.file);
    return undefined;
  }
  const name = nameOfDatabase(database);
  const db = connectOrExplain(name, () =>
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

/** The nearest existing folder must be writable, because missing folders are created in it. */
function expectWritableFolder(file: string): void {
  const folder = nearestFolder(file);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new CannotOpenDatabase(file, error);
  }
}

/**
 * The first of these that is read-only: the file, SQLite's side files, or the folder in which SQLite creates them.
 * Undefined if there is no file.
 */
export function findReadOnly(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const files = [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each));
  return [...files, nearestFolder(file)].find((path) => !isWritable(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free space for an account that is not root. */
export function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(nearestFolder(file));
  return bavail * bsize;
}

function nearestFolder(file: string): string {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

type Privilege = 'select' | 'insert' | 'update' | 'delete';

const written = ['select', 'insert', 'update'] as const;
const appended = ['select', 'insert'] as const;
const changed = ['select', 'update'] as const;
const expiring = [...written, 'delete'] as const;

/** The privileges that the service needs on each table. */
const needs: Readonly<Record<keyof Tables, readonly Privilege[]>> = {
  person: written,
  session: expiring,
  used_code: expiring,
  sign_in_trial: written,
  signing_key: written,
  client_key: written,
  caller: written,
  revision: written,
  audit: appended,
  audit_counter: changed,
  audit_key: written,
  audit_seal: appended,
  audit_pass: [],
  forgetting: expiring,
  lookup_list: written,
  lookup_item: written,
  lookup_history: appended,
  lookup_change: appended,
};

/** The functions that the service calls to change the audit. */
const calls = ['audit_forget(text, jsonb, jsonb)', 'audit_remove(bigint, bigint, bigint)'];

interface ServerFacts {
  version: string;
  /** Whether this is a standby, or the server or the account is set to read-only. */
  isReadOnly: boolean;
  /** Whether tables can be created. */
  mayCreate: boolean;
  /** Statements that grant what is missing on existing tables, such as `grant delete on session`. */
  missingGrants: string[];
}

export async function inspectServer(db: Db): Promise<ServerFacts> {
  const { rows } = await sql<{ version: string; readonly: string; creates: boolean | null }>`
    select current_setting('server_version') as version, current_setting('transaction_read_only') as readonly,
      has_schema_privilege(current_schema(), 'create') as creates`.execute(db);
  const [facts] = rows;
  return {
    version: facts?.version ?? 'of unknown version',
    isReadOnly: facts?.readonly === 'on',
    mayCreate: facts?.creates === true,
    missingGrants: await findMissingGrants(db),
  };
}

async function findMissingGrants(db: Db): Promise<string[]> {
  const wanted = Object.entries(needs).flatMap(([table, privileges]) =>
    privileges.map((privilege) => ({ table, privilege })),
  );
  const values = sql.join(wanted.map(({ table, privilege }) => sql`(${table}::text, ${privilege}::text)`));
  const { rows } = await sql<{ wanted: string; privilege: string }>`
    select wanted, privilege from (values ${values}) as needs (wanted, privilege)
    where to_regclass(wanted) is not null and not has_table_privilege(to_regclass(wanted), privilege)`.execute(db);
  const tablesFor = Map.groupBy(rows, ({ privilege }) => privilege);
  const onTables = [...tablesFor].map(
    ([privilege, tables]) => `grant ${privilege} on ${tables.map((row) => row.wanted).join(', ')}`,
  );
  return [...onTables, ...(await findMissingCalls(db))];
}

async function findMissingCalls(db: Db): Promise<string[]> {
  const values = sql.join(calls.map((call) => sql`(${call}::text)`));
  const { rows } = await sql<{ wanted: string }>`
    select wanted from (values ${values}) as needs (wanted)
    where to_regprocedure(wanted) is not null and not has_function_privilege(to_regprocedure(wanted), 'execute')`.execute(
    db,
  );
  return rows.map(({ wanted }) => `grant execute on function ${wanted}`);
}
