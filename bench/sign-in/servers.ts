// The servers that sign people in, each on one core. The provider, the database and the load share the other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/ports.ts';
import { root, untilReady } from '../../test/support/process.ts';
import { childrenOf, processorSecondsOf } from '../field.ts';
import { pinned } from '../load/load.ts';

export interface Command {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

export interface Server {
  name: string;
  url: string;
  processorSeconds(): number;
}

export interface Started extends Server {
  stop(): Promise<void>;
}

/** Frontdesk from source, in this tree or in another clone. */
export const frontdesk = (name: string, folder: string, databaseUrl: string): Command => ({
  name,
  command: [process.execPath, '--no-env-file', join(folder, 'src/main.ts')],
  // Half of these 20 connections are for writing, so Frontdesk has 10 for that, as many as the pool of each peer.
  env: { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '20' },
});

const authority = join(root, 'test/support/tls/ca.pem');
const children = new Set<Bun.Subprocess>();
// Ends the children when this process ends, for any reason.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function spawn(command: string[], env: Record<string, string>, cwd: string): Bun.Subprocess {
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  const child = Bun.spawn(command, { cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env }, stdio });
  children.add(child);
  return child;
}

export async function startProvider(folder: string): Promise<string> {
  const port = freePort();
  spawn([process.execPath, join(root, 'bench/sign-in/provider.ts')], { PORT: String(port) }, folder);
  const issuer = `https://localhost:${port}`;
  for (let tries = 0; ; tries++) {
    const isUp = await fetch(`${issuer}/keys`, trustAuthority).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return issuer;
    if (tries > 500) throw new Error('the provider does not start');
    await Bun.sleep(20);
  }
}

export const trustAuthority = { tls: { ca: readFileSync(authority, 'utf8') } };

export async function startServer({ name, command, env }: Command, issuer: string, folder: string): Promise<Started> {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(
    [...pinned(0), ...command],
    {
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: authority,
      // Go's name for NODE_EXTRA_CA_CERTS.
      SSL_CERT_FILE: authority,
      HOST: 'localhost',
      PORT: String(port),
      PUBLIC_URL: url,
      SECRET_KEY: 'a secret for sealing, long enough for all',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'desk',
      OIDC_CLIENT_SECRET: 'the secret of this client',
      // Requests are counted, but never reach the limit.
      RATE_LIMIT_API: '100000000/1m',
      RATE_LIMIT_LOGIN: '100000000/1m',
      ...env,
    },
    folder,
  );
  await untilReady(url);
  return {
    name,
    url,
    processorSeconds: () => [child.pid, ...childrenOf(child.pid)].map(processorSecondsOf).reduce((a, b) => a + b, 0),
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
      children.delete(child);
    },
  };
}
