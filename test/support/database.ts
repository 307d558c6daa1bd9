// The database of a test: an SQLite file, or a database on the PostgreSQL server that test/run.ts has started.
import { Database } from 'bun:sqlite';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  query<T = Record<string, unknown>>(statement: string): Promise<T[]>;
  /** Blocks all writes, as a stuck backup would, until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
}

/** Set by test/run.ts: the PostgreSQL server, and migrated databases to copy. */
const { TEST_POSTGRES_URL: server, TEST_POSTGRES_TEMPLATE: template, TEST_SQLITE_TEMPLATE: templateFile } = process.env;

/** The engine that the whole-service tests use in this run. */
export const engine = server === undefined ? 'sqlite' : 'postgres';

export async function makeDatabase(folder: string, { isEmpty = false } = {}): Promise<TestDatabase> {
  if (server === undefined) {
    const file = join(folder, 'frontdesk.db');
    if (templateFile !== undefined && !isEmpty) copyFileSync(templateFile, file);
    return sqliteDatabase(`sqlite:${file}`);
  }
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await queryPostgres(server, `create database ${name}${isEmpty ? '' : ` template ${template}`}`);
  const url = new URL(server);
  url.pathname = name;
  return postgresDatabase(url.href);
}

function sqliteDatabase(url: string): TestDatabase {
  const open = () => new Database(url.slice('sqlite:'.length));
  return {
    url,
    async query(statement) {
      using database = open();
      // A thread of the service may still hold the lock for a moment.
      database.run('pragma busy_timeout = 60000');
      return database.query(statement).all() as never;
    },
    async lock() {
      const database = open();
      database.run('begin immediate');
      return async () => database.close();
    },
  };
}

function postgresDatabase(url: string): TestDatabase {
  return {
    url,
    query: (statement) => queryPostgres(url, statement) as never,
    async lock() {
      const client = new Client(url);
      await client.connect();
      await client.query('begin');
      await client.query('lock table used_code, session, audit, revision in exclusive mode');
      return () => client.end();
    },
  };
}

async function queryPostgres(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
