// A real PgBouncer in front of a real PostgreSQL.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './frontdesk.ts';
import { freePort } from './ports.ts';
import { programPath } from './programs.ts';
import { until } from './waiting.ts';

export interface TestPgBouncer {
  /** The address of this database through it. */
  through(databaseUrl: string): string;
  /** kill -9. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** It does not run as root. */
const asNobody = () =>
  process.getuid?.() === 0 ? [programPath('setpriv'), '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** With its defaults, but for the mode: it refuses unknown parameters of a connection, for example. */
export async function startPgBouncer(serverUrl: string, mode: 'session' | 'transaction'): Promise<TestPgBouncer> {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const port = freePort();
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const file = join(folder, 'pgbouncer.ini');
  const secret = password === '' ? '' : ` password='${decodeURIComponent(password)}'`;
  const server = `host=${hostname} port=${serverPort} user=${username}${secret}`;
  writeFileSync(
    file,
    `[databases]
* = ${server}
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
  let child: Bun.Subprocess | undefined;

  async function start(): Promise<void> {
    child = Bun.spawn([...asNobody(), programPath('pgbouncer'), file], { stdout: 'ignore', stderr: 'ignore' });
    await until(async () => {
      const socket = await Bun.connect({ hostname: 'localhost', port, socket: { data() {} } }).catch(() => undefined);
      socket?.end();
      return socket !== undefined;
    });
  }
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    child?.kill(signal);
    await child?.exited;
  }

  await start();
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
