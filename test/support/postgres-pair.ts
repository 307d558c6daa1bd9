// A primary and its synchronous standby, with Debian's PostgreSQL: the one from npm cannot replicate.
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { MissingProgram, programPath } from './programs.ts';
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

/** The program folder of Debian's newest PostgreSQL. */
function findServer(): string {
  const folder = '/usr/lib/postgresql';
  const found = existsSync(folder) ? [...new Bun.Glob('*/bin/postgres').scanSync(folder)] : [];
  const [newest] = found.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  if (newest === undefined) throw new MissingProgram("Debian's PostgreSQL server", 'postgresql');
  return dirname(join(folder, newest));
}

export async function startPair(): Promise<PostgresPair> {
  const bin = findServer();
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const ports = [freePort(), freePort()] as const;
  const folders = ['primary', 'standby'].map((name) => join(folder, name)) as [string, string];
  for (const each of folders) {
    mkdirSync(each, { mode: 0o700 });
    if (isRoot) chownSync(each, nobody, nobody);
  }
  const account = isRoot ? [programPath('setpriv'), `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  const command = (program: string, args: string[]) => [...account, join(bin, program), ...args];
  function run(program: string, ...args: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(command(program, args), { cwd: folder });
    if (exitCode !== 0) throw new Error(`${program}: ${stderr}`);
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
  await using started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  function start(data: string, port: number): Bun.Subprocess {
    const args = ['-D', data, ...settings(port).flatMap((setting) => ['-c', setting])];
    const server = Bun.spawn(command('postgres', args), { stdout: 'ignore', stderr: 'ignore' });
    started.defer(async () => {
      server.kill('SIGQUIT');
      await server.exited;
    });
    return server;
  }
  const urlAt = (port: number) => `postgres://frontdesk@localhost:${port}/postgres`;
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
  const isUp = (port: number) => async () => (await query(port, 'select 1')).length === 1;

  run('initdb', '-D', folders[0], '-U', 'frontdesk', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C');
  writeFileSync(
    join(folders[0], 'pg_hba.conf'),
    'host all all localhost trust\nhost replication all localhost trust\n',
  );
  const primary = start(folders[0], ports[0]);
  await untilWorks(isUp(ports[0]));
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
  start(folders[1], ports[1]);
  await untilWorks(isUp(ports[1]));
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
