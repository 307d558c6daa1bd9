// The database as `frontdesk check` sees it: without changing anything.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSettings } from '../config/config.ts';
import { CannotOpenDatabase } from './errors.ts';
import { findPending } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { findDamage, openSqliteReadonly } from './sqlite.ts';
import { connectOrExplain, type Db, nameOfDatabase } from './storage.ts';

/** Undefined when there is no database file yet. */
export async function inspectStorage(
  database: DatabaseSettings,
): Promise<{ db: Db; pendingMigrations: number } | undefined> {
  if (database.engine === 'sqlite' && !existsSync(database.file)) return expectWritableFolder(database.file);
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

/** The nearest existing folder must be writable: the others are created in it. */
function expectWritableFolder(file: string): undefined {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new CannotOpenDatabase(file, error);
  }
}
