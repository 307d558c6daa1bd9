// Reads everything in a database.
import { engine, type TestDatabase } from './database.ts';

/** Returns all values as one text, for searching. */
export async function everyValueIn(database: TestDatabase): Promise<string> {
  return JSON.stringify((await everyTableIn(database)).map(({ rows }) => rows));
}

export async function everyTableIn(database: TestDatabase) {
  const statement =
    engine === 'postgres'
      ? "select table_name as name from information_schema.tables where table_schema = 'public'"
      : "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'";
  const tables = await database.query<{ name: string }>(statement);
  return Promise.all(tables.map(async ({ name }) => ({ name, rows: await database.query(`select * from "${name}"`) })));
}
