// The life of a signing key: neither holders nor verifiers of tokens notice a rotation.

import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { decodeProtectedHeader, type JWK } from 'jose';
import { runHere } from '../support/command.ts';
import { makeDatabase } from '../support/database.ts';
import { everyValueIn } from '../support/every-value.ts';
import { bearer, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const day = 86_400;
const secretKey = 'a secret for these tests, long enough';
let desk: Frontdesk;
let provider: HostileProvider;
let lead = 0;
let codes = 0;
afterEach(async () => {
  await desk.stop();
  provider.stop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  lead = 0;
  provider = await startHostileProvider();
  desk = await startFrontdesk({ SECRET_KEY: secretKey, ...provider.env, ...env });
}

/** Signs in with ID tokens that match the service's moved clock. */
async function signIn(): Promise<string> {
  const now = Math.floor(Date.now() / 1000) + lead;
  provider.lie = { claims: { iat: now, exp: now + 300 } };
  const response = await desk.get(`/auth/login/callback?code=code-${++codes}`);
  return ((await response.json()) as { accessToken: string }).accessToken;
}

async function publishedKids(): Promise<string[]> {
  const { keys } = (await (await desk.get('/.well-known/jwks.json')).json()) as { keys: JWK[] };
  return keys.map(({ kid }) => kid ?? '').sort();
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? '';
const statusOf = async (token: string) => (await desk.get('/employee/position', bearer(token))).status;

interface KeyRow {
  kid: string;
  state: string;
  private_key: string;
}

const keysInDatabase = () =>
  desk.database.query<KeyRow>('select kid, state, private_key from signing_key order by created_at');

const states = async () => (await keysInDatabase()).map(({ state }) => state);

async function passTime(seconds: number): Promise<void> {
  lead += seconds;
  desk.advance(seconds);
  await desk.runHousekeeping();
}

test('a key is published before it signs, verifies after it has stopped signing, and is removed after its last token', async () => {
  await start({ TOKEN_TTL_SECONDS: '86400' });
  const first = await signIn();

  await passTime(90 * day - 600);
  expect(await states()).toEqual(['active', 'pending']);
  const kids = await publishedKids();
  expect(kids).toHaveLength(2);
  const second = await signIn();
  expect(kidOf(second)).toBe(kidOf(first));

  // Stops one minute before the next key signs, to allow for a busy machine.
  await passTime(540);
  expect(await states()).toEqual(['active', 'pending']);
  await passTime(60);
  expect(await states()).toEqual(['retiring', 'active']);
  const third = await signIn();
  expect(kids).toContain(kidOf(third));
  expect(kidOf(third)).not.toBe(kidOf(first));

  // The old key's last token is valid until it expires. This is checked a minute earlier, to allow for a busy machine.
  await passTime(day - 660);
  expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200]);
  await passTime(660 + 300);
  expect(await states()).toEqual(['removed', 'active']);
  expect(await publishedKids()).toEqual([kidOf(third)]);
});

test('each step is in the audit', async () => {
  await start();
  await passTime(90 * day);
  await passTime(600);
  await passTime(day + 300);
  const query = "select type from audit where type like 'key-%' and detail not like 'audit key%' order by seq";
  const types = await desk.database.query<{ type: string }>(query);
  expect(types.map(({ type }) => type)).toEqual(['key-activated', 'key-made', 'key-activated', 'key-removed']);
});

test('the private half is erased as soon as a key no longer signs', async () => {
  await start();
  await passTime(90 * day);
  await passTime(600);
  expect((await keysInDatabase()).map((row) => [row.state, row.private_key !== ''])).toEqual([
    ['retiring', false],
    ['active', true],
  ]);
});

test('a key that this process cannot decrypt does not replace the signing key', async () => {
  await start();
  await passTime(90 * day - 600);
  // After `frontdesk keys reseal`, this is what a replica with the previous secret finds.
  await desk.database.query("update signing_key set private_key = 'sealed with another' where state = 'pending'");
  await passTime(600);
  expect(await states()).toEqual(['active', 'pending']);
});

test('published keys may not be cached for longer than a new key waits before it signs', async () => {
  await start();
  const cacheControl = (await desk.get('/.well-known/jwks.json')).headers.get('cache-control') ?? '';
  const maxAge = Number(/^public, max-age=(\d+)$/.exec(cacheControl)?.[1]);
  expect(maxAge).toBeGreaterThan(0);
  expect(maxAge).toBeLessThan(600);
});

test('KEY_ROTATION_DAYS is the age at which a key is replaced', async () => {
  await start({ KEY_ROTATION_DAYS: '1' });
  // The next key is made ten minutes before it signs. One more minute allows for a busy machine.
  await passTime(day - 660);
  expect(await states()).toEqual(['active']);
  await passTime(60);
  expect(await states()).toEqual(['active', 'pending']);
});

test('several processes that run housekeeping at once make one new key', async () => {
  await start();
  desk.advance(90 * day);
  await Promise.all(Array.from({ length: 5 }, () => desk.runHousekeeping()));
  expect(await states()).toEqual(['active', 'pending']);
});

describe('from the command line', () => {
  const run = (...words: string[]) => runHere(words, desk.commandEnv);

  test('keys rotate publishes the next key, and the running service notices', async () => {
    await start();
    const before = await signIn();
    const { stdout, exitCode } = await run('keys', 'rotate');
    expect([exitCode, stdout]).toEqual([
      0,
      'A new key is published. It is used after 10 minutes, when every cache has it.\n',
    ]);
    await until(async () => (await publishedKids()).length === 2);
    expect(kidOf(await signIn())).toBe(kidOf(before));
    expect(await run('keys', 'rotate')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('already pending'),
    });
  });

  test('keys rotate --now signs with a new key at once, and tokens from before stay valid', async () => {
    await start();
    const before = await signIn();
    const { stdout, exitCode } = await runToEnd(['keys', 'rotate', '--now'], desk.commandEnv, desk.folder);
    expect([exitCode, stdout]).toEqual([0, 'A new key signs from now on.\n']);
    await until(async () => (await publishedKids()).length === 2);
    const after = await signIn();
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
  });

  test('keys revoke removes a key at once, with every token it signed, even cached ones', async () => {
    await start();
    const before = await signIn();
    expect(await statusOf(before)).toBe(200);
    expect(await run('keys', 'revoke', kidOf(before))).toMatchObject({ exitCode: 0 });
    await until(async () => (await statusOf(before)) === 401);
    expect(await publishedKids()).not.toContain(kidOf(before));
    expect(await statusOf(await signIn())).toBe(200);
    expect(await run('keys', 'revoke', 'nonsense')).toMatchObject({ exitCode: 1 });
  });

  test.each([
    ['another secret', { SECRET_KEY: 'a secret that the service does not have' }, 78],
    ['no secret', { SECRET_KEY: '' }, 1],
  ])('with %s nothing is changed, and the service continues', async (_, env, exitCode) => {
    await start();
    const before = await signIn();
    for (const words of [
      ['keys', 'rotate', '--now'],
      ['keys', 'revoke', kidOf(before)],
    ]) {
      const result = await runToEnd(words, { DATABASE_URL: desk.database.url, ...env }, desk.folder);
      expect([words, result.exitCode]).toEqual([words, exitCode]);
    }
    expect(await states()).toEqual(['active']);
    expect(readdirSync(desk.folder)).not.toContain('secret.key');
    desk = await desk.restart();
    expect(await statusOf(before)).toBe(200);
  });

  test('a session can be ended while keys cannot be read', async () => {
    await start();
    const token = await signIn();
    await desk.database.query("update signing_key set public_key = 'nonsense'");
    await desk.database.query("insert into revision values ('keys', 99) on conflict (topic) do update set number = 99");
    expect((await run('sessions', 'end', '--person', 'E-1')).exitCode).toBe(0);
    await until(async () => (await statusOf(token)) === 401);
    expect(desk.logged.some((line) => line.includes('a change cannot be loaded'))).toBe(true);
  });

  test('keys reset, after the loss of SECRET_KEY: new keys, no sessions, and an audit that says where its new key begins', async () => {
    const folder = makeFolder();
    const database = await makeDatabase(folder);
    provider = await startHostileProvider();
    const start = (secret: string) => startFrontdesk({ SECRET_KEY: secret, ...provider.env }, makeFolder(), database);
    desk = await start(secretKey);
    const before = await signIn();
    await desk.stop();
    const env = { DATABASE_URL: database.url, SECRET_KEY: 'a new secret for these tests, long enough' };
    await expect(start(env.SECRET_KEY)).rejects.toThrow('SECRET_KEY is not the one');
    expect(await runToEnd(['keys', 'reset'], env, folder)).toMatchObject({
      exitCode: 1,
      stderr: 'Nothing was changed.\n',
    });
    expect(await runHere(['keys', 'reset', '--yes', '--as', 'ops'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 session has ended'),
    });
    desk = await start(env.SECRET_KEY);
    expect(await statusOf(before)).toBe(401);
    expect(await statusOf(await signIn())).toBe(200);
    expect(await states()).toEqual(['removed', 'active']);
    const said = await database.query<{ actor: string; detail: string }>(
      "select actor, detail from audit where detail like 'audit key%' order by seq desc limit 1",
    );
    const [, row = ''] = /^audit key, after row (\d+) and seal \d+$/.exec(said[0]?.detail ?? '') ?? [];
    expect(said[0]?.actor).toBe('command line (ops)');
    expect(await runHere(['audit', 'verify'], env)).toMatchObject({
      exitCode: 65,
      stderr: expect.stringContaining(
        `row 1 was added, changed or moved: its digest does not match. The present key was`,
      ),
    });
    const verify = () => runHere(['audit', 'verify', '--before-reset', row], env);
    expect(await verify()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${row} rows are from before the keys were reset`),
    });
    // Forgetting also changes rows whose digests can no longer be verified.
    expect(await runHere(['people', 'forget', 'E-1'], env)).toMatchObject({ exitCode: 0 });
    // Matched as a whole word, because random keys and salts may contain these characters.
    expect(await everyValueIn(database)).not.toMatch(/\bE-1\b/);
    expect(await verify()).toMatchObject({ exitCode: 0 });
    rmSync(folder, { recursive: true, force: true });
  });

  test('keys list shows each key and its state', async () => {
    await start();
    await run('keys', 'rotate');
    const { stdout } = await run('keys', 'list');
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    expect(rows[0]).toEqual(['kid', 'alg', 'for', 'state', 'since']);
    expect(rows.slice(1).map(([, alg, , state]) => [alg, state])).toEqual([
      ['ES256', 'active'],
      ['ES256', 'pending'],
    ]);
  });
});
