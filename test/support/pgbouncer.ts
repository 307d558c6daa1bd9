// A real PgBouncer in front of a real PostgreSQL.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { programPath } from './programs.ts';
import { until } from './waiting.ts';

export interface TestPgBouncer extends AsyncDisposable {
  /** Returns the address of this database through PgBouncer. */
  through(databaseUrl: string): string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts it if it is not running. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** PgBouncer refuses to run as root. */
const asNobody = () =>
  process.getuid?.() === 0 ? [programPath('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** Starts PgBouncer with its default settings except the mode. By default, it refuses unknown connection parameters. */
export async function startPgBouncer(serverUrl: string, mode: 'session' | 'transaction'): Promise<TestPgBouncer> {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const port = freePort();
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const file = join(folder, 'pgbouncer.ini');
  const secret = password === '' ? '' : ` password='${decodeURIComponent(password)}'`;
  const target = `host=${hostname} port=${serverPort} user=${username}${secret}`;
  writeFileSync(
    file,
    `[databases]
* = ${target}
[pgbouncer]
listen_addr = localhost
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
`,
  );
  chmodSync(file, 0o644);
  let server: Daemon | undefined;

  async function start(): Promise<void> {
    if (server?.isRunning()) return;
    server = startDaemon([...asNobody(), programPath('pgbouncer'), file]);
    await until(async () => {
      const socket = await Bun.connect({ hostname: 'localhost', port, socket: { data() {} } }).catch(() => undefined);
      socket?.end();
      return socket !== undefined;
    });
  }
  async function stop(): Promise<void> {
    await server?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    start,
    kill: async () => server?.end('SIGKILL'),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
