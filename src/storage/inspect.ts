// Inspects the database for `frontdesk check`, without changing anything.
import { existsSync } from 'node:fs';
import type { DatabaseSettings } from '../config/config.ts';
import { expectWritableFolder } from './disk.ts';
import { CannotOpenDatabase } from './errors.ts';
import { findPending } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { findDamage, openSqliteReadonly } from './sqlite.ts';
import { connectOrExplain, type Db, nameOfDatabase } from './storage.ts';

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
