// Frontdesk authenticates to a real provider with a key that it made itself, and the provider fetches the public key from
// Frontdesk (jwks_uri).
import { afterAll, afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import type { JWK } from 'jose';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { renewBy } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { runHere } from '../support/command.ts';
import { bearer, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { keyClientId as clientId, startKeyClientProvider } from '../support/key-client-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const day = 86_400;
const secretKey = 'shared by all of them, long enough';
const path = '/.well-known/client-jwks.json';

/**
 * How many seconds all clocks here are ahead, including the provider's, because the provider caches fetched keys for a
 * minute.
 */
let lead = 0;
const realNow = Date.now;
const clock = spyOn(Date, 'now').mockImplementation(() => realNow() + lead * 1000);

let port: number;
let provider: DevelopmentProvider;
/** The headers of the assertions that the provider has accepted. */
const accepted: { kid?: string; alg?: string }[] = [];
let desks: Frontdesk[] = [];

beforeEach(async () => {
  lead = 0;
  port = freePort();
  const url = `http://localhost:${port}`;
  provider = await startKeyClientProvider(
    url,
    { jwks_uri: url + path },
    {
      assertJwtClientAuthClaimsAndHeader: async (_, __, header) => void accepted.push(header),
    },
  );
});
afterEach(async () => {
  for (const desk of desks.reverse()) await desk.stop();
  desks = [];
  await provider.close();
});
afterAll(() => clock.mockRestore());

const settings = () => ({
  SECRET_KEY: secretKey,
  PUBLIC_URL: `http://localhost:${port}`,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: clientId,
});

/** Starts the Frontdesk from which the provider fetches the keys. */
async function start(env: Record<string, string> = {}): Promise<Frontdesk> {
  const desk = await startFrontdesk({
    ...settings(),
    PORT: String(port),
    OIDC_CLIENT_AUTH: 'private_key_jwt',
    ...env,
  });
  desks.push(desk);
  return desk;
}

async function startReplica(of: Frontdesk): Promise<Frontdesk> {
  const env = { ...settings(), OIDC_CLIENT_AUTH: 'private_key_jwt' };
  const replica = await startFrontdesk(env, of.folder, of.database);
  desks.push(replica);
  return replica;
}

async function restart(desk: Frontdesk, changes: Record<string, string>): Promise<Frontdesk> {
  const restarted = await desk.restart(changes);
  desks = desks.map((each) => (each === desk ? restarted : each));
  return restarted;
}

async function signIn(at: Frontdesk) {
  const browser = new Browser();
  const isBack = ({ pathname }: URL) => pathname === '/auth/login/callback';
  const { url } = await browser.follow(`${at.url}/auth/login?login_hint=E-1001`, isBack);
  const response = await browser.request(at.url + url.pathname + url.search);
  const session = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
  return { response, cookie: `frontdesk_session=${session?.value}` };
}

async function published(at: Frontdesk): Promise<JWK[]> {
  const response = await at.get(path);
  expect(response.status).toBe(200);
  return ((await response.json()) as { keys: JWK[] }).keys;
}
const publishedKids = async (at: Frontdesk) => (await published(at)).map(({ kid }) => kid);
const runExecutable = (desk: Frontdesk, ...words: string[]) => runToEnd(words, desk.commandEnv, desk.folder);
const run = (desk: Frontdesk, ...words: string[]) => runHere(words, desk.commandEnv);
const states = async (desk: Frontdesk) => {
  const rows = await desk.database.query<{ state: string }>('select state from client_key order by created_at');
  return rows.map(({ state }) => state);
};

test('the client key authenticates code exchanges, renewals and revocations, and is published without its private half', async () => {
  const desk = await start();
  const [key, ...others] = await published(desk);
  expect(others).toEqual([]);
  expect(key).toEqual({
    kty: 'RSA',
    use: 'sig',
    e: 'AQAB',
    n: expect.stringMatching(/^[\w-]{342}$/),
    kid: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect((await desk.get(path)).headers.get('cache-control')).toBe('public, max-age=60');
  accepted.length = 0;
  const { response, cookie } = await signIn(desk);
  expect(response.status).toBe(200);
  const renewed = await renewBy(cookie, desk);
  expect(renewed.status).toBe(200);
  const { accessToken } = (await renewed.json()) as { accessToken: string };
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(accessToken) });
  await until(async () => accepted.length === 3);
  expect(accepted).toEqual(Array(3).fill({ alg: 'RS256', typ: 'JWT', kid: key?.kid }));
});

test('the client key does not verify access tokens, and cannot be decrypted in the table of signing keys', async () => {
  const desk = await start();
  const [own] = await publishedKids(desk);
  expect(await (await desk.get('/.well-known/jwks.json')).text()).not.toContain(own ?? '');
  // An attacker who can write to the database, but does not know SECRET_KEY, copies the key to signing_key.
  await desk.database.query("update signing_key set state = 'retiring'");
  await desk.database.query("insert into signing_key select * from client_key where state = 'active'");
  await expect(desk.restart()).rejects.toThrow('SECRET_KEY is not the one');
});

test('a stream of sign-ins at two replicas does not notice a rotation', async () => {
  const desk = await start();
  const replica = await startReplica(desk);
  const [first] = await publishedKids(desk);
  accepted.length = 0;
  // Makes the provider cache the keys before the next one is published.
  expect((await signIn(desk)).response.status).toBe(200);
  expect(await run(desk, 'keys', 'rotate', '--client')).toMatchObject({
    exitCode: 0,
    stdout: 'A new key is published. It is used after 10 minutes, when every cache has it.\n',
  });
  const statuses: number[] = [];
  for (let seconds = 0; seconds <= 720; seconds += 45) {
    const underWay = [desk, replica].map(signIn);
    // One replica performs each step of the rotation, and the other learns of it later.
    const stepping = (seconds % 90 === 0 ? desk : replica).runHousekeeping();
    // Each step is shorter than the minute for which a code is valid.
    lead += 45;
    for (const { response } of await Promise.all(underWay)) statuses.push(response.status);
    await stepping;
  }
  expect(statuses).toEqual(Array(34).fill(200));
  expect(await states(desk)).toEqual(['retiring', 'active']);
  const kids = [...new Set(accepted.map(({ kid }) => kid))];
  expect(kids).toEqual([first, expect.any(String)]);
  expect(new Set(await publishedKids(desk))).toEqual(new Set(kids));
  // A day later, no replica needs the old key.
  lead += day + 300;
  await desk.runHousekeeping();
  expect(await publishedKids(desk)).toEqual([kids[1]]);
});

test('KEY_ROTATION_DAYS applies to the client key, too', async () => {
  const desk = await start({ KEY_ROTATION_DAYS: '1' });
  lead += day - 660;
  await desk.runHousekeeping();
  expect(await states(desk)).toEqual(['active']);
  lead += 61;
  await desk.runHousekeeping();
  expect(await states(desk)).toEqual(['active', 'pending']);
});

test('an existing database gets a client key once the service needs one; until then, keys rotate --client says that there is none', async () => {
  const before = await start({ OIDC_CLIENT_AUTH: 'basic', OIDC_CLIENT_SECRET: 'of before' });
  await expectProblem(await before.get(path), 'not-found', 404);
  expect(await states(before)).toEqual([]);
  expect(await run(before, 'keys', 'rotate', '--client')).toMatchObject({
    exitCode: 1,
    stderr: 'There is no client key yet. The service creates it when it starts.\n',
  });
  const desk = await restart(before, { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: '' });
  expect((await signIn(desk)).response.status).toBe(200);
  // A replica with the earlier setting publishes the same keys.
  const [kid] = await publishedKids(desk);
  const back = await restart(desk, { OIDC_CLIENT_AUTH: 'basic', OIDC_CLIENT_SECRET: 'of before' });
  expect(await publishedKids(back)).toEqual([kid]);
});

test('with a wrong SECRET_KEY no client key is created, because the right one could not decrypt it', async () => {
  const before = await start({ OIDC_CLIENT_AUTH: 'basic', OIDC_CLIENT_SECRET: 'of before' });
  const own = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: '' };
  const wrong = { ...own, SECRET_KEY: 'another secret, by mistake, long enough' };
  await expect(restart(before, wrong)).rejects.toThrow(
    'SECRET_KEY is not the one with which the keys in the database were encrypted',
  );
  expect(await states(before)).toEqual([]);
  const desk = await restart(before, own);
  expect((await signIn(desk)).response.status).toBe(200);
});

test('replicas that start at once on an empty database make one client key', async () => {
  const folder = makeFolder();
  const first = await startFrontdesk({ ...settings(), OIDC_CLIENT_SECRET: 'of before' }, folder);
  desks.push(first);
  const replicas = await Promise.all([startReplica(first), startReplica(first), startReplica(first)]);
  expect(await states(first)).toEqual(['active']);
  const [kid] = await publishedKids(replicas[0] ?? first);
  for (const replica of replicas) expect(await publishedKids(replica)).toEqual([kid]);
});

describe('from the command line', () => {
  test('keys revoke removes the key at once, and the provider accepts the next key once it has fetched the keys again', async () => {
    const desk = await start();
    expect((await signIn(desk)).response.status).toBe(200);
    const [first = ''] = await publishedKids(desk);
    expect(await run(desk, 'keys', 'revoke', first)).toMatchObject({
      exitCode: 0,
      stdout:
        'The key is removed.\nThe provider may refuse sign-ins for about a minute, until it has read the keys again.\n',
    });
    await until(async () => !(await publishedKids(desk)).includes(first));
    expect(await publishedKids(desk)).toHaveLength(1);
    await expectProblem((await signIn(desk)).response, 'idp-configuration', 502);
    lead += 61;
    expect((await signIn(desk)).response.status).toBe(200);
  });

  test('keys list shows the key and its purpose, and after keys rotate --now a new key signs at once', async () => {
    const desk = await start();
    const { stdout } = await run(desk, 'keys', 'list');
    const rows = stdout.split('\n').map((line) => line.split(/\s+/).slice(1, 4));
    expect(rows.slice(0, 3)).toEqual([
      ['alg', 'for', 'state'],
      ['ES256', 'tokens', 'active'],
      ['RS256', 'provider', 'active'],
    ]);
    const [first] = await publishedKids(desk);
    expect(await run(desk, 'keys', 'rotate', '--client', '--now')).toMatchObject({
      exitCode: 0,
      stdout:
        'A new key signs from now on.\nThe provider may refuse sign-ins for about a minute, until it has read the keys again.\n',
    });
    await until(async () => (await publishedKids(desk)).length === 2);
    accepted.length = 0;
    expect((await signIn(desk)).response.status).toBe(200);
    expect(accepted[0]?.kid).not.toBe(first);
  });

  test('keys reseal includes the key, and the old secret is reported as wrong', async () => {
    const desk = await start();
    const [kid] = await publishedKids(desk);
    const newSecret = 'the next secret of all replicas, long enough';
    const resealed = await runToEnd(['keys', 'reseal'], { ...desk.commandEnv, NEW_SECRET_KEY: newSecret }, desk.folder);
    expect(resealed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('2 keys were re-encrypted') });
    await expect(restart(desk, {})).rejects.toThrow(
      'SECRET_KEY is not the one with which the keys in the database were encrypted',
    );
    expect(await runExecutable(desk, 'keys', 'rotate', '--client')).toMatchObject({
      exitCode: 78,
      stderr: 'SECRET_KEY is not the one with which the keys in the database were encrypted\n',
    });
    const restarted = await restart(desk, { SECRET_KEY: newSecret });
    expect(await publishedKids(restarted)).toEqual([kid]);
    expect((await signIn(restarted)).response.status).toBe(200);
  });
});

test('frontdesk check tries the client key at the provider', async () => {
  const desk = await start();
  const check = async (changes: Record<string, string> = {}) => {
    const env = { ...desk.commandEnv, ...settings(), OIDC_CLIENT_AUTH: 'private_key_jwt', ...changes };
    return (await runToEnd(['check'], env, desk.folder)).stdout;
  };
  expect(await check()).toMatch(/^ok +client +the provider accepts OIDC_CLIENT_ID with our authentication/m);
  expect(await check({ OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example' })).toMatch(
    /^FAILS +client +the provider refused: invalid_client: check that the provider fetches the keys of OIDC_CLIENT_ID from/m,
  );
  const fresh = { DATABASE_URL: 'sqlite:./not-there-yet.db' };
  expect(await check(fresh)).toMatch(
    /^skips +client +not tried, because the service creates the client key when it starts$/m,
  );
});

test('if the provider does not accept the client key, the log says so, with what to do', async () => {
  const desk = await start({ OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example' });
  await expectProblem((await signIn(desk)).response, 'idp-configuration', 502);
  const log = desk.logged.join('');
  expect(log).toContain(
    'the provider refused: invalid_client: check that the provider fetches the keys of OIDC_CLIENT_ID from PUBLIC_URL/.well-known/client-jwks.json and can reach that address, that the provider accepts https://other.example as the audience (otherwise set OIDC_CLIENT_ASSERTION_AUDIENCE), and that the clocks of Frontdesk and the provider are right',
  );
  expect(log).not.toContain('eyJ');
});
