// The back-end example, run by Node with the client package that Frontdesk serves: which tokens it accepts, and what it
// answers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import packageJson from '../../package.json';
import { createSealer } from '../../src/storage/secret.ts';
import { type Application, installClient } from '../support/application.ts';
import { makeSigner } from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const example = join(root, 'examples/back-end');
const secretKey = 'a test secret that is long enough!';
const { dependencies } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
let desk: Frontdesk;
let application: Application;
let token = '';
let sign: (claims: JWTPayload, typ?: string) => Promise<string>;
const running: Bun.Subprocess[] = [];

beforeAll(async () => {
  desk = await startFrontdesk({ SECRET_KEY: secretKey });
  application = await installClient(desk.url);
  copyFileSync(join(example, 'server.js'), join(application.folder, 'server.js'));
  // Links the dependencies, because npm would fetch them from a registry.
  for (const link of Object.keys(dependencies).map((name) => join('node_modules', name))) {
    mkdirSync(dirname(join(application.folder, link)), { recursive: true });
    if (!existsSync(join(application.folder, link))) symlinkSync(join(root, link), join(application.folder, link));
  }
  token = await desk.signIn('E-1003');
  // The service's signing key, to sign tokens that are wrong in one respect only.
  const [row] = await desk.database.query<{ private_key: string; public_key: string }>('select * from signing_key');
  const { kid } = JSON.parse(row?.public_key ?? '') as { kid: string };
  const opened = await (await createSealer(secretKey, 'signing keys')).open(row?.private_key ?? '');
  const key = await importJWK(JSON.parse(opened ?? ''), 'ES256');
  sign = (claims, typ = 'at+jwt') => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(key);
});
afterAll(async () => {
  for (const each of running) {
    each.kill();
    await each.exited;
  }
  await desk.stop();
  rmSync(application.folder, { recursive: true });
});

/** Starts the back end. `send` makes a request as the page would, and returns the answer. */
async function startBackEnd(env: Record<string, string> = {}) {
  const port = freePort();
  const address = `http://localhost:${port}/api/employees`;
  const { PATH = '' } = process.env;
  const child = Bun.spawn(['node', 'server.js'], {
    cwd: application.folder,
    env: { PATH, FRONTDESK_URL: desk.url, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const send = async (headers: Record<string, string>, body = '{"position":"ACCOUNTANT"}') => {
    const response = await fetch(address, { method: 'POST', headers, body });
    return [response.status, await response.json()] as [number, Record<string, unknown>];
  };
  await until(() =>
    fetch(address).then(
      () => true,
      () => false,
    ),
  );
  return { child, send };
}

const honest = () => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload;
const refused = [401, { error: 'invalid-token' }];

test('is short, and names the versions that are tested here', () => {
  const lines = readFileSync(join(example, 'server.js'), 'utf8').split('\n');
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(24);
  const { 'frontdesk-client': client, ...others } = dependencies;
  const tested: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
  expect(client).toEndWith('/client/frontdesk-client.tgz');
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, tested[name] ?? 'not here'])));
});

describe('a request', () => {
  let send: Awaited<ReturnType<typeof startBackEnd>>['send'];
  let output: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  beforeAll(async () => {
    ({ send, child: output } = await startBackEnd());
  });

  test('of a person who is signed in is done as that person', async () => {
    expect(await send(bearer(token))).toEqual([200, { savedBy: 'E-1003' }]);
    expect(await send({ authorization: `bearer ${token}` })).toEqual([200, { savedBy: 'E-1003' }]);
  });

  test('with a value that is not on the list is refused, and says which', async () => {
    const [status, { results }] = await send(bearer(token), '{"position":["ACCOUNTANT","ASTRONAUT"]}');
    expect([status, results]).toEqual([
      422,
      [
        expect.objectContaining({ list: 'position', value: 'ACCOUNTANT', status: 'active' }),
        expect.objectContaining({ list: 'position', value: 'ASTRONAUT', status: 'unknown' }),
      ],
    ]);
  });

  test('that Frontdesk refuses is answered with its status', async () => {
    expect(await send(bearer(token), '[]')).toEqual([400, { error: 'invalid-request' }]);
    expect(await send(bearer(token), 'nonsense')).toEqual([400, { error: 'not-json' }]);
  });

  test('with a token made as we make ours is accepted, so each of the following is refused only for its own fault', async () => {
    expect(await send(bearer(await sign(honest())))).toEqual([200, { savedBy: 'E-1003' }]);
  });

  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['no token', () => ({})],
    ['an empty token', () => bearer('')],
    ['another scheme', () => ({ authorization: `Basic ${token}` })],
    ['text that is not a token', () => bearer('nonsense')],
    ['a token for another audience', async () => bearer(await sign({ ...honest(), aud: 'https://other.example' }))],
    ['a token from another issuer', async () => bearer(await sign({ ...honest(), iss: 'https://other.example' }))],
    ['an expired token', async () => bearer(await sign({ ...honest(), exp: Math.floor(Date.now() / 1000) - 60 }))],
    ['a token of another type', async () => bearer(await sign(honest(), 'JWT'))],
    ['a token without a type', async () => bearer(await sign(honest(), ''))],
    ["somebody else's signature", async () => bearer(await (await makeSigner()).sign(honest(), { typ: 'at+jwt' }))],
    ['an unsigned token', () => bearer(`${btoa('{"alg":"none","typ":"at+jwt"}')}.${token.split('.')[1]}.`)],
  ])('with %s is refused', async (_, headers) => {
    expect(await send(await headers())).toEqual(refused as [number, Record<string, unknown>]);
  });

  test('of a person whose session has ended is refused, although the token has not expired', async () => {
    const other = await desk.signIn('E-1002');
    expect(await send(bearer(other))).toEqual([200, { savedBy: 'E-1002' }]);
    await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(other) });
    expect(await send(bearer(other))).toEqual(refused as [number, Record<string, unknown>]);
  });

  test('prints nothing, so neither tokens nor personal data', async () => {
    output.kill();
    const printed = await Promise.all([output.stdout, output.stderr].map((stream) => new Response(stream).text()));
    expect(printed).toEqual(['', '']);
  });
});

test('with another TOKEN_AUDIENCE, only the tokens for it are accepted', async () => {
  const own = await startFrontdesk({ TOKEN_AUDIENCE: 'https://payroll.example' });
  const mine = await own.signIn('E-1003');
  const right = await startBackEnd({ FRONTDESK_URL: own.url, FRONTDESK_AUDIENCE: 'https://payroll.example' });
  const wrong = await startBackEnd({ FRONTDESK_URL: own.url });
  expect([await right.send(bearer(mine)), await wrong.send(bearer(mine))]).toEqual([
    [200, { savedBy: 'E-1003' }],
    refused as [number, Record<string, unknown>],
  ]);
  await own.stop();
  // The back end can verify the token with the keys it has, but Frontdesk does not answer.
  expect(await right.send(bearer(mine))).toEqual([503, { error: 'network' }]);
  const late = await startBackEnd({ FRONTDESK_URL: own.url });
  expect(await late.send(bearer(mine))).toEqual([503, { error: 'network' }]);
});
