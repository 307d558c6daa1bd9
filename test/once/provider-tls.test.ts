// The provider over TLS: Frontdesk sends codes without using fetch, but only to a server that has proved its identity.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { root, runFrontdesk, untilReady } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const folder = temporaryFolders();
const material = (name: string) => join(root, 'test/support/tls', name);
const startProvider = (certificate: string) =>
  startHostileProvider(undefined, '', {
    cert: readFileSync(material(certificate), 'utf8'),
    key: readFileSync(material('localhost.key'), 'utf8'),
  });

let provider: HostileProvider;
let expired: HostileProvider;
const processes: ReturnType<typeof runFrontdesk>[] = [];

beforeAll(async () => {
  [provider, expired] = await Promise.all([startProvider('localhost.pem'), startProvider('expired.pem')]);
});
afterAll(async () => {
  for (const process of processes) process.kill('SIGTERM');
  await Promise.all(processes.map(({ exited }) => exited));
  for (const each of [provider, expired]) each.stop();
});

/** Starts a separate process, because trusted CAs are read when a process starts. */
async function start(tokenEndpoint: string): Promise<string> {
  provider.lie = { discovery: { token_endpoint: tokenEndpoint } };
  const port = freePort();
  const env = { ...provider.env, PORT: String(port), NODE_EXTRA_CA_CERTS: material('ca.pem') };
  processes.push(runFrontdesk([], env, folder()));
  await untilReady(`http://localhost:${port}`);
  return `http://localhost:${port}/auth/login/callback`;
}

test('codes are redeemed, one after the other', async () => {
  const callback = await start(`${provider.issuer}/token`);
  for (const code of ['one', 'two', 'three']) {
    const response = await fetch(`${callback}?code=${code}`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { accessToken: expect.any(String), expirationInSeconds: 3600 },
    });
  }
  expect(provider.calls.get('/token')).toBe(3);
});

test.each([
  ['has expired', () => `${expired.issuer}/token`],
  ['is for another name', () => `${provider.issuer.replace('localhost', '127.0.0.1')}/token`],
])('no code is sent to a server with a certificate that %s', async (_, endpoint) => {
  const callback = await start(endpoint());
  for (const each of [provider, expired]) each.calls.clear();
  await expectProblem(await fetch(`${callback}?code=not-for-you`), 'idp-unavailable', 503);
  for (const each of [provider, expired]) expect(each.calls.get('/token')).toBeUndefined();
});
