// npm test -- container: the image, built and run by podman, as docs/operations.md describes.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDevelopmentProvider } from '../src/dev/development-provider.ts';
import { provideImage, run } from './support/base-images.ts';
import { Browser } from './support/browser.ts';
import { bearer } from './support/frontdesk.ts';
import { freePort } from './support/ports.ts';
import { root, untilReady } from './support/process.ts';

if (Bun.which('podman') === null) throw new Error('podman is missing: apt-get install podman runc debootstrap');

const image = 'frontdesk-test';
const name = `frontdesk-test-${process.pid}`;
const port = freePort();
const url = `http://localhost:${port}`;
const podman = (...words: string[]) => run('podman', '--runtime', 'runc', ...words);
const inside = (...command: string[]) => Bun.spawnSync(['podman', '--runtime', 'runc', 'exec', name, ...command]);
let provider: Awaited<ReturnType<typeof startDevelopmentProvider>>;

beforeAll(async () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  for (const [, from = ''] of dockerfile.matchAll(/^FROM (\S+)/gm)) provideImage(from);
  // Only Docker's own format supports health checks.
  podman('build', '--file', 'deploy/Dockerfile', '--format', 'docker', '--network', 'host', '--tag', image, '.');
  const client = { clientId: 'desk', clientSecret: 'the secret of this client' };
  provider = await startDevelopmentProvider({
    port: freePort(),
    portsToTry: 20,
    ...client,
    redirectUris: [`${url}/auth/login/callback`],
    postLogoutUris: [`${url}/`],
    backchannelLogoutUri: `${url}/auth/backchannel-logout`,
  });
  const env = {
    PORT: String(port),
    PUBLIC_URL: url,
    SECRET_KEY: 'only for this container, and long enough',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
  };
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const limits = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
  // Low limits, because podman's defaults may exceed those of the account, and raising limits requires a privilege.
  limits.push('--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024');
  podman('run', '--detach', '--name', name, '--network', 'host', ...limits, ...variables, image);
  await untilReady(url).catch((error: Error) => {
    throw new Error(`${error.message}\n${Bun.spawnSync(['podman', 'logs', name]).stderr}`);
  });
});
afterAll(async () => {
  Bun.spawnSync(['podman', 'rm', '--force', '--volumes', name]);
  await provider?.close();
});

test('it runs as user 10001, on a file system it cannot write to', () => {
  expect(inside('id', '-u').stdout.toString()).toBe('10001\n');
  expect(inside('touch', '/usr/local/bin/more').stderr.toString()).toContain('Read-only file system');
  expect(inside('ls', '/data').stdout.toString()).toContain('frontdesk.db');
});

test('its health check succeeds', () => {
  expect(podman('inspect', '--format', '{{.Config.Healthcheck.Test}}', name)).toBe('[CMD frontdesk health]\n');
  podman('healthcheck', 'run', name);
});

test('people can sign in, and it serves the lists and the console', async () => {
  const { response } = await new Browser().follow(`${url}/auth/login?login_hint=E-1001`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const list = await fetch(`${url}/employee/position`, { headers: bearer(accessToken) });
  expect([list.status, ((await list.json()) as unknown[]).length]).toEqual([200, 24]);
  const script = await fetch(`${url}/console/console.js`);
  expect([script.status, await script.text()]).toEqual([200, expect.stringContaining('Sign in with your company')]);
  expect((await fetch(`${url}/client/frontdesk-client.tgz`)).status).toBe(200);
});

test('it stops on a signal', () => {
  podman('stop', '--time', '20', name);
  expect(podman('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0\n');
});
