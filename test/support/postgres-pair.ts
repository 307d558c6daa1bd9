// Single servers, or a primary and its synchronous standby. Uses Debian's PostgreSQL, because the one from npm can neither
// replicate nor dump.
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { programPath } from './programs.ts';
import { untilWorks } from './waiting.ts';

export interface PostgresPair extends AsyncDisposable {
  /** The ports of the primary and the standby, in this order. */
  ports: readonly [number, number];
  /** The address of the database at this port. */
  urlAt(port: number): string;
  /** Sends SIGKILL to the main process of the primary. */
  killPrimary(): void;
  promoteStandby(): Promise<void>;
}

const nobody = 65534;
const isRoot = process.getuid?.() === 0;

/** Makes servers of Debian's PostgreSQL in one temporary folder. */
function makeServers(administrator: string) {
  const bin = dirname(programPath('postgres'));
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  // PostgreSQL refuses to run as root.
  const account = isRoot ? [programPath('setpriv'), `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  const command = (program: string, args: string[]) => [...account, join(bin, program), ...args];
  const started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const urlAt = (port: number) => `postgres://${administrator}@localhost:${port}/postgres`;
  async function query(port: number, statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: urlAt(port) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }
  function run(program: string, ...args: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(command(program, args), { cwd: folder });
    if (exitCode !== 0) throw new Error(`${program}: ${stderr}`);
  }
  return {
    bin,
    started,
    urlAt,
    query,
    run,
    makeDataFolder(name: string): string {
      const data = join(folder, name);
      mkdirSync(data, { mode: 0o700 });
      if (isRoot) chownSync(data, nobody, nobody);
      return data;
    },
    initialise(data: string): void {
      run('initdb', '-D', data, '-U', administrator, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C');
      writeFileSync(join(data, 'pg_hba.conf'), 'host all all localhost trust\nhost replication all localhost trust\n');
    },
    async start(data: string, port: number): Promise<Bun.Subprocess> {
      const args = ['-D', data, ...settings(port).flatMap((setting) => ['-c', setting])];
      const server = Bun.spawn(command('postgres', args), { stdout: 'ignore', stderr: 'ignore' });
      started.defer(async () => {
        server.kill('SIGQUIT');
        await server.exited;
      });
      await untilWorks(async () => (await query(port, 'select 1')).length === 1);
      return server;
    },
  };
}

const settings = (port: number) => [
  `port=${port}`,
  'listen_addresses=localhost',
  'unix_socket_directories=',
  'max_connections=100',
  // Only processes are killed in these tests, not machines, so data that the operating system has accepted is not lost.
  'fsync=off',
  'wal_level=replica',
  'hot_standby=on',
];

export interface DebianPostgres extends AsyncDisposable {
  /** The folder of its programs, such as pg_dump. */
  bin: string;
  /** The port of each server. */
  ports: number[];
}

/** Starts empty servers with the account `postgres` and without passwords. */
export async function startServers(count: number): Promise<DebianPostgres> {
  const { bin, started, makeDataFolder, initialise, start } = makeServers('postgres');
  await using opened = new AsyncDisposableStack();
  opened.use(started);
  const ports = Array.from({ length: count }, freePort);
  for (const [index, port] of ports.entries()) {
    const data = makeDataFolder(`server-${index}`);
    initialise(data);
    await start(data, port);
  }
  const all = opened.move();
  return { bin, ports, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

export async function startPair(): Promise<PostgresPair> {
  const { started: servers, urlAt, query, run, makeDataFolder, initialise, start } = makeServers('frontdesk');
  await using started = new AsyncDisposableStack();
  started.use(servers);
  const ports = [freePort(), freePort()] as const;
  const folders = [makeDataFolder('primary'), makeDataFolder('standby')] as const;
  initialise(folders[0]);
  const primary = await start(folders[0], ports[0]);
  run(
    'pg_basebackup',
    '-D',
    folders[1],
    '-R',
    '--checkpoint=fast',
    '--no-sync',
    '-d',
    `host=localhost port=${ports[0]} user=frontdesk application_name=standby`,
  );
  await start(folders[1], ports[1]);
  await query(ports[0], "alter system set synchronous_standby_names = 'standby'");
  await query(ports[0], 'select pg_reload_conf()');
  const states = "select 1 from pg_stat_replication where sync_state = 'sync'";
  await untilWorks(async () => (await query(ports[0], states)).length === 1);

  const all = started.move();
  return {
    ports,
    urlAt,
    killPrimary() {
      // The primary's child processes end when they notice that it is gone.
      primary.kill('SIGKILL');
    },
    async promoteStandby() {
      await query(ports[1], 'select pg_promote(true)');
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
