// The servers that are measured: Frontdesk, servers that show the limit of the machine, and servers written the way a
// team would write them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer } from '../test/support/frontdesk.ts';
import { freePort } from '../test/support/ports.ts';
import { root } from '../test/support/process.ts';
import { node, pinned } from './load/load.ts';
import type { Setup } from './setup.ts';

export interface Peer {
  name: string;
  kind: 'frontdesk' | 'limit' | 'team';
  command: string[];
  env?: Record<string, string>;
  /** Tokens for a server that does not accept the tokens of the setup. */
  tokens?: { token: string; tokensFile: string };
  /** True if the server is not pinned to one core. */
  isFree?: boolean;
}

/** The executable that the container runs. */
export const executable: Peer = { name: 'Frontdesk', kind: 'frontdesk', command: [join(root, 'dist/frontdesk')] };
export const clone: Peer = {
  name: 'Frontdesk from a clone',
  kind: 'frontdesk',
  command: [process.execPath, '--no-env-file', join(root, 'src/main.ts')],
};
/** Shows the least that a list request can cost with Bun's `Request`. */
export const smallest: Peer = {
  name: 'smallest, same guarantees',
  kind: 'limit',
  command: [process.execPath, '--no-env-file', join(root, 'bench/peers/smallest.ts')],
};
export const bareBun = 'bare Bun.serve, no authentication';
export const goRemembering = 'Go net/http, tokens remembered';
export const nginxFile = 'nginx, a file, no authentication';
export const nest = 'NestJS, passport-jwt, TypeORM';

const peerFile = (file: string) => join(root, 'bench/peers', file);
export const go = Bun.which('go');
export const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx');

/** Builds the executable and the Go server, and installs the peers. */
export function fieldOf({ folder, plainTyped }: Setup): Peer[] {
  const run = (command: string[], cwd: string) => {
    const { exitCode } = Bun.spawnSync(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    if (exitCode !== 0) throw new Error(`${command.join(' ')} failed`);
  };
  run(['npm', 'run', '--silent', 'build'], root);
  if (!existsSync(join(root, 'bench/node_modules'))) run(['npm', 'ci'], join(root, 'bench'));
  const goServer = join(folder, 'go-server');
  if (go !== null) run([go, 'build', '-o', goServer, peerFile('main.go')], root);

  const limit = (name: string, command: string[], env = {}): Peer => ({ name, kind: 'limit', command, env });
  const team = (name: string, file: string): Peer => ({ name, kind: 'team', command: [node, peerFile(file)] });
  return [
    executable,
    smallest,
    limit(bareBun, [process.execPath, peerFile('bare-bun.ts')]),
    clone,
    limit('bare node:http, no authentication', [node, peerFile('bare-node.mjs')]),
    ...(nginx === null ? [] : [limit(nginxFile, [nginx, '-p', folder, '-c', 'nginx.conf'])]),
    ...(go === null
      ? []
      : [limit('Go net/http, ES256 each time', [goServer]), limit(goRemembering, [goServer], { MEMORY: 'true' })]),
    team(nest, 'nest.mjs'),
    team('Express 5, jsonwebtoken, pg', 'express.mjs'),
    team('Fastify, @fastify/jwt, pg', 'fastify.mjs'),
    { ...team('Hono, its jwt, pg', 'hono.mjs'), tokens: plainTyped },
  ];
}

export interface Running {
  url: string;
  startSeconds: number;
  residentMiB(): number;
  /** Processor time used so far by all threads and children. */
  processorSeconds(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const children = new Set<Bun.Subprocess>();
// Ends the children when this process ends, for any reason.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a server and measures how long it takes until it serves the list. */
export async function start(peer: Peer, setup: Setup, env: Record<string, string> = {}): Promise<Running> {
  const { command, name, tokens = setup, isFree = false } = peer;
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  if (command.includes('nginx.conf')) writeFileSync(join(setup.folder, 'nginx.conf'), nginxFor(setup, port));
  const began = performance.now();
  const child = Bun.spawn([...(isFree ? [] : pinned(0)), ...command], {
    cwd: setup.folder,
    env: { ...setup.env, PORT: String(port), ...peer.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  for (;;) {
    const isUp = await fetch(`${url}/employee/position`, { headers: bearer(tokens.token) }).then(
      async (response) => response.ok && (await response.text()) === setup.list,
      () => false,
    );
    if (isUp) break;
    if (performance.now() - began > 15_000) throw new Error(`${name} does not serve the list`);
    await Bun.sleep(2);
  }
  return {
    url,
    startSeconds: (performance.now() - began) / 1000,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    processorSeconds: () => [child.pid, ...childrenOf(child.pid)].map(processorSecondsOf).reduce((a, b) => a + b, 0),
    signal: (name) => child.kill(name),
    async stop() {
      // SIGTERM lets a supervisor stop its workers; servers without workers have nothing to finish.
      child.kill(isFree ? 'SIGTERM' : 'SIGKILL');
      await child.exited;
      children.delete(child);
    },
  };
}

export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

export function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function nginxFor({ folder, listFile }: Setup, port: number): string {
  return `daemon off; master_process off; user root; pid ${folder}/nginx.pid; error_log /dev/null; worker_processes 1;
events { worker_connections 2048; }
http {
  access_log off;
  sendfile on;
  open_file_cache max=10 inactive=1h;
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port};
    location = /employee/position { default_type application/json; alias ${listFile}; }
  }
}`;
}
