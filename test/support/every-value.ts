// Everything that a database holds, as one text to be searched.
import { engine, type TestDatabase } from './database.ts';

export async function everyValueIn(database: TestDatabase): Promise<string> {
  const statement =
    engine === 'postgres'
      ? "select table_name as name from information_schema.tables where table_schema = 'public'"
      : "select name from sqlite_master where type = 'table'";
  const tables = await database.query<{ name: string }>(statement);
  const rows = await Promise.all(tables.map(({ name }) => database.query(`select * from "${name}"`)));
  return JSON.stringify(rows);
}
