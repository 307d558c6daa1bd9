// The cookie that identifies the session in GET /auth/logout, and the ID token that this request passes on to the provider.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type BoundSession as SignedIn, signInBound } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let provider: HostileProvider;
let desk: Frontdesk;
const leaving = (of: HostileProvider) => ({ discovery: { end_session_endpoint: `${of.issuer}/leave` } });
beforeAll(async () => {
  provider = await startHostileProvider();
  provider.lie = leaving(provider);
  desk = await startFrontdesk(provider.env);
});
afterEach(() => {
  provider.lie = leaving(provider);
});
afterAll(async () => {
  await desk.stop();
  provider.stop();
});

interface SignInOptions {
  at?: Frontdesk;
  from?: HostileProvider;
  claims?: Record<string, unknown>;
  sent?: string;
}

const signIn = ({ at = desk, from = provider, ...others }: SignInOptions = {}) => signInBound(at, from, others);

const rowOf = async ({ sid }: SignedIn, at = desk) => {
  const [row] = await at.database.query<{ cookie_hash: string | null; id_token: string | null; ended_at: string }>(
    `select * from session where sid = '${sid}'`,
  );
  if (row === undefined) throw new Error('no such session');
  return row;
};
const hasEnded = async (session: SignedIn, at = desk) => (await rowOf(session, at)).ended_at !== null;
const leave = (cookie: string, query = '', at = desk) => at.get(`/auth/logout${query}`, { cookie });
const post = (token: string, cookie?: string) =>
  fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: { ...bearer(token), ...(cookie && { cookie }) } });
const hintIn = (response: Response) =>
  new URL(response.headers.get('location') ?? '').searchParams.get('id_token_hint');
const cleared = 'frontdesk_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict';

describe('a bound sign-in', () => {
  test('sets a cookie of 256 random bits for this session alone; the database has only its hash', async () => {
    const mine = await signIn();
    expect(mine.setCookie).toMatch(/^frontdesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const hash = new Bun.CryptoHasher('sha256').update(mine.cookie.split('=')[1] ?? '').digest('hex');
    expect((await rowOf(mine)).cookie_hash).toBe(hash);
  });

  test('sets a new cookie each time, and never adopts one that was sent', async () => {
    const first = await signIn();
    const second = await signIn({ sent: first.cookie });
    expect(second.cookie).not.toBe(first.cookie);
    // No browser has the first cookie any more, so its session has ended.
    expect(await hasEnded(first)).toBe(true);
  });

  test('uses __Host- and Secure behind https', async () => {
    const secure = await startFrontdesk({ ...provider.env, PUBLIC_URL: 'https://desk.localhost' });
    const { setCookie } = await signIn({ at: secure });
    await secure.stop();
    expect(setCookie).toMatch(/^__Host-frontdesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  test('stores the ID token encrypted', async () => {
    const mine = await signIn();
    const { id_token: sealed } = await rowOf(mine);
    expect(sealed).toBeString();
    for (const part of mine.idToken.split('.')) expect(sealed).not.toContain(part);
  });
});

test('a code-only sign-in sets no cookie and keeps no ID token', async () => {
  const response = await desk.get(`/auth/login/callback?code=cookie-alone`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const sid = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid as string;
  expect(response.headers.getSetCookie()).toEqual([]);
  const [row] = await desk.database.query(`select cookie_hash, id_token from session where sid = '${sid}'`);
  expect(row).toEqual({ cookie_hash: null, id_token: null });
});

describe('GET /auth/logout with the cookie', () => {
  test('ends that session and no other, clears the cookie, and hands the ID token to the provider', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const response = await leave(mine.cookie, '?state=x');
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(`${provider.issuer}/leave`);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'desk',
      post_logout_redirect_uri: `${desk.url}/`,
      state: 'x',
      id_token_hint: mine.idToken,
    });
    expect(response.headers.getSetCookie()).toEqual([cleared]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect([await hasEnded(mine), await hasEnded(other)]).toEqual([true, false]);
    await expectProblem(await desk.get('/auth/me', bearer(mine.token)), 'invalid-token', 401);
    const audited = await desk.database.query(`select type, request_id from audit where session = '${mine.sid}'`);
    expect(audited).toContainEqual({ type: 'logout', request_id: response.headers.get('x-request-id') });
  });

  test('checks the redirect first', async () => {
    const mine = await signIn();
    const response = await leave(mine.cookie, '?post_logout_redirect_uri=https://evil.example/');
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 'invalid-redirect', 400);
    expect(await hasEnded(mine)).toBe(false);
  });

  test.each([
    ['a HEAD', { method: 'HEAD' }, {}, 405],
    ['a prefetch', {}, { 'sec-purpose': 'prefetch' }, 204],
    ['an image', {}, { 'sec-fetch-dest': 'image' }, 403],
  ] as const)('%s ends nothing', async (_, init, headers, status) => {
    const mine = await signIn();
    const sent = { ...init, headers: { cookie: mine.cookie, ...headers }, redirect: 'manual' } as const;
    expect((await fetch(`${desk.url}/auth/logout`, sent)).status).toBe(status);
    expect(await hasEnded(mine)).toBe(false);
  });

  test.each([
    ['somebody else’s', () => `frontdesk_session=${'A'.repeat(43)}`],
    ['malformed', () => 'frontdesk_session=x'],
    ['empty', () => 'frontdesk_session='],
    ['no hash of ours either', async () => `frontdesk_session=${(await rowOf(await signIn())).cookie_hash}`],
  ])('that is %s continues without a hint, and leaves the cookie alone', async (_, make) => {
    const response = await leave(await make());
    expect([response.status, hintIn(response), response.headers.getSetCookie()]).toEqual([302, null, []]);
  });

  test('ends a session whose ID token is over 8 KiB, without a hint', async () => {
    const mine = await signIn({ claims: { padding: 'x'.repeat(8192) } });
    const response = await leave(mine.cookie);
    expect([response.status, hintIn(response), await hasEnded(mine)]).toEqual([302, null, true]);
  });

  test('ends a session whose ID token has a key that the provider has withdrawn, without a hint', async () => {
    const mine = await signIn();
    await provider.rotate();
    // The service still has the old key. It has not fetched the keys again, because no token with the new key has come yet.
    expect(hintIn(await leave(mine.cookie))).toBe(mine.idToken);
    const other = await signIn();
    const response = await leave(mine.cookie);
    expect([response.status, hintIn(response), await hasEnded(mine)]).toEqual([302, null, true]);
    expect(hintIn(await leave(other.cookie))).toBe(other.idToken);
  });

  test('ends a session whose ID token cannot be decrypted, without a hint', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    await desk.database.query(`update session set id_token = id_token || 'x' where sid = '${mine.sid}'`);
    const response = await leave(mine.cookie);
    expect([response.status, hintIn(response), await hasEnded(mine)]).toEqual([302, null, true]);
    expect(hintIn(await leave(other.cookie))).toBe(other.idToken);
  });

  test('does nothing while the storage is unavailable', async () => {
    const mine = await signIn();
    const unlock = await desk.database.lock();
    const during = await leave(mine.cookie);
    await unlock();
    expect(during.headers.getSetCookie()).toEqual([]);
    await expectProblem(during, 'storage-unavailable', 503);
    expect(await hasEnded(mine)).toBe(false);
    expect(hintIn(await leave(mine.cookie))).toBe(mine.idToken);
  });

  test('repeated, writes nothing and still sends its hint', async () => {
    const mine = await signIn();
    await leave(mine.cookie);
    const unlock = await desk.database.lock();
    const again = await leave(mine.cookie);
    await unlock();
    expect([again.status, hintIn(again)]).toEqual([302, mine.idToken]);
  });

  test('ends the session even while the provider is unavailable, and sends the hint once it is back', async () => {
    const own = await startHostileProvider();
    own.lie = leaving(own);
    let at = await startFrontdesk(own.env);
    const mine = await signIn({ at, from: own });
    own.stop();
    at = await at.restart();
    const during = await leave(mine.cookie, '', at);
    const ended = await hasEnded(mine, at);
    own.start();
    let after = during;
    await until(async () => {
      after = await leave(mine.cookie, '', at);
      return after.status === 302;
    });
    await at.stop();
    own.stop();
    expect(during.headers.getSetCookie()).toEqual([]);
    await expectProblem(during, 'idp-unavailable', 503);
    expect([ended, hintIn(after), after.headers.getSetCookie()]).toEqual([true, mine.idToken, [cleared]]);
  });
});

describe('POST /auth/logout', () => {
  test('clears a cookie that was sent along and belongs to that session', async () => {
    const mine = await signIn();
    const response = await post(mine.token, mine.cookie);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, [cleared]]);
  });

  test('neither clears the cookie of another session, nor ends that session', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    const response = await post(mine.token, other.cookie);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
    expect([await hasEnded(mine), await hasEnded(other)]).toEqual([true, false]);
  });

  test('without the cookie keeps the hint for GET /auth/logout', async () => {
    const mine = await signIn();
    expect((await post(mine.token)).status).toBe(204);
    const response = await leave(mine.cookie);
    expect([hintIn(response), response.headers.getSetCookie()]).toEqual([mine.idToken, [cleared]]);
    const audited = await desk.database.query(
      `select type from audit where session = '${mine.sid}' and type = 'logout'`,
    );
    expect(audited).toHaveLength(1);
  });
});

describe('kept ID tokens are erased', () => {
  const isKept = async (session: SignedIn, at: Frontdesk) => (await rowOf(session, at)).id_token !== null;

  test('soon after their session ends for any reason, and not before', async () => {
    const at = await startFrontdesk(provider.env);
    const [left, expired, living] = [await signIn({ at }), await signIn({ at }), await signIn({ at })];
    const aMinuteAgo = new Date(Date.now() - 60_000).toISOString();
    await at.database.query(`update session set expires_at = '${aMinuteAgo}' where sid = '${expired.sid}'`);
    await leave(left.cookie, '', at);
    await at.runHousekeeping();
    const atOnce = [await isKept(left, at), await isKept(expired, at), await isKept(living, at)];
    at.advance(31);
    await at.runHousekeeping();
    const later = [await isKept(left, at), await isKept(living, at)];
    await at.stop();
    // After a sign-out, the ID token is kept for a while, because a GET may follow a POST and needs it as a hint.
    expect([atOnce, later]).toEqual([
      [true, false, true],
      [false, true],
    ]);
  });

  test('at once if the session did not end by a sign-out, because its cookie is worthless from then on', async () => {
    const [listed, unconfirmed] = [await signIn(), await signIn()];
    const address = `${desk.url}/auth/sessions/${listed.sid}`;
    expect((await fetch(address, { method: 'DELETE', headers: bearer(unconfirmed.token) })).status).toBe(204);
    await runToEnd(['sessions', 'end', unconfirmed.sid], desk.commandEnv, desk.folder);
    for (const { cookie } of [listed, unconfirmed]) {
      const response = await leave(cookie);
      expect([response.status, hintIn(response), response.headers.getSetCookie()]).toEqual([302, null, [cleared]]);
    }
  });
});

test('frontdesk keys reseal includes them, and skips what cannot be decrypted', async () => {
  const secret = 'the first secret, which is long enough';
  const newSecret = 'the next secret, which is just as long';
  let at = await startFrontdesk({ ...provider.env, SECRET_KEY: secret });
  const [mine, broken] = [await signIn({ at }), await signIn({ at })];
  await at.database.query(`update session set id_token = 'broken' where sid = '${broken.sid}'`);
  const reseal = { SECRET_KEY: secret, NEW_SECRET_KEY: newSecret };
  const command = await runToEnd(['keys', 'reseal'], { ...at.commandEnv, ...reseal }, at.folder);
  at = await at.restart({ SECRET_KEY: newSecret });
  const hints = [hintIn(await leave(mine.cookie, '', at)), hintIn(await leave(broken.cookie, '', at))];
  await at.stop();
  expect(command).toMatchObject({ exitCode: 0, stderr: '' });
  expect(hints).toEqual([mine.idToken, null]);
});

test('after a change of provider, the new provider gets no ID token from the previous one', async () => {
  const other = await startHostileProvider();
  other.lie = leaving(other);
  let at = await startFrontdesk(provider.env);
  const mine = await signIn({ at });
  at = await at.restart(other.env);
  const response = await leave(mine.cookie, '', at);
  const ended = await hasEnded(mine, at);
  await at.stop();
  other.stop();
  expect(response.headers.get('location')).toStartWith(`${other.issuer}/leave?`);
  expect([hintIn(response), ended]).toEqual([null, true]);
});

test('a real provider takes the hint, notifies us, and sends the browser back; the sign-in answers as the interface defines', async () => {
  const { desk: own, provider: real } = await startWithProvider();
  const browser = new Browser();
  const { response } = await browser.follow(`${own.url}/auth/login?login_hint=E-1001`);
  const signedIn = await response.text();
  const { accessToken } = JSON.parse(signedIn) as { accessToken: string };
  const { url, response: asked } = await browser.follow(`${own.url}/auth/logout`);
  const page = await asked.text();
  const form = /action="([^"]+)".*?name="xsrf" value="([^"]+)"/s.exec(page);
  const body = new URLSearchParams({ xsrf: form?.[2] ?? '', logout: 'yes' });
  const confirmed = await browser.request(form?.[1] ?? '', { method: 'POST', body });
  const forged = new URL(url);
  forged.searchParams.set('id_token_hint', `${url.searchParams.get('id_token_hint')?.slice(0, -4)}AAAA`);
  const refused = await browser.request(forged);
  const after = await own.get('/auth/me', bearer(accessToken));
  await own.stop();
  await real.close();
  expect(signedIn).toMatch(/^\{"accessToken":"[\w.-]+","expirationInSeconds":3600\}$/);
  expect([url.origin, asked.status, url.searchParams.has('id_token_hint')]).toEqual([real.issuer, 200, true]);
  expect(confirmed.headers.get('location')).toBe(`${own.url}/`);
  // This shows that the provider checked the hint above.
  expect(refused.status).toBe(400);
  await expectProblem(after, 'invalid-token', 401);
});
