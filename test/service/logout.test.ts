// Signing out at the provider: Frontdesk sends people there, and the provider notifies Frontdesk.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { clientId, type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const now = () => Math.floor(Date.now() / 1000);

describe('GET /auth/logout', () => {
  test("goes to the provider's own page, and back to ours", async () => {
    const desk = await startFrontdesk();
    const response = await desk.get('/auth/logout?state=x');
    const wrong = await desk.get('/auth/logout?post_logout_redirect_uri=https://evil.example/');
    await desk.stop();
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(`${desk.issuer}/session/end`);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'frontdesk',
      post_logout_redirect_uri: `${desk.url}/`,
      state: 'x',
    });
    await expectProblem(wrong, 'invalid-redirect', 400);
  });

  test('goes straight to our page if the provider has no sign-out page, and only to allowed ones', async () => {
    const provider = await startHostileProvider();
    const allowed = 'https://app.example/bye,https://app.example/other';
    const desk = await startFrontdesk({ ...provider.env, OIDC_POST_LOGOUT_URIS: allowed });
    const targets = await Promise.all(
      ['', '?post_logout_redirect_uri=https://app.example/other', '?state=s'].map(async (query) =>
        (await desk.get(`/auth/logout${query}`)).headers.get('location'),
      ),
    );
    await desk.stop();
    provider.stop();
    expect(targets).toEqual([
      'https://app.example/bye',
      'https://app.example/other',
      'https://app.example/bye?state=s',
    ]);
  });
});

test('a person who signs out at a real provider is signed out here', async () => {
  const { desk, provider } = await startWithProvider();
  const browser = new Browser();
  const { response } = await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const other = await desk.signIn('E-1001');
  const before = (await desk.get('/auth/me', bearer(accessToken))).status;

  const page = await (await browser.follow(`${desk.url}/auth/logout`)).response.text();
  const form = /action="([^"]+)".*?name="xsrf" value="([^"]+)"/s.exec(page);
  const confirmed = await browser.request(form?.[1] ?? '', {
    method: 'POST',
    body: new URLSearchParams({ xsrf: form?.[2] ?? '', logout: 'yes' }),
  });
  const after = await desk.get('/auth/me', bearer(accessToken));
  const untouched = (await desk.get('/auth/me', bearer(other))).status;
  await desk.stop();
  await provider.close();
  expect(before).toBe(200);
  expect(confirmed.headers.get('location')).toBe(`${desk.url}/`);
  await expectProblem(after, 'invalid-token', 401);
  // Another browser has a different session at the provider, and so a different one here.
  expect(untouched).toBe(200);
});

describe('a logout token', () => {
  let provider: HostileProvider;
  let desk: Frontdesk;
  let names = 0;
  beforeAll(async () => {
    provider = await startHostileProvider();
    desk = await startFrontdesk(provider.env);
  });
  afterAll(async () => {
    await desk.stop();
    provider.stop();
  });
  afterEach(() => {
    provider.lie = {};
  });

  async function signInWith(claims: Record<string, unknown>): Promise<string> {
    const sub = claims.sub ?? 'E-1';
    provider.lie = { claims, userinfo: () => Response.json({ sub }) };
    const response = await desk.get(`/auth/login/callback?code=logout-${++names}`);
    provider.lie = {};
    return ((await response.json()) as { accessToken: string }).accessToken;
  }

  const honest = () => ({
    iss: provider.issuer,
    aud: clientId,
    iat: now(),
    exp: now() + 120,
    jti: `jti-${++names}`,
    events: { [event]: {} },
    sid: 'S-1',
  });

  const tell = async (claims: Record<string, unknown>, header: Record<string, unknown> = { typ: 'logout+jwt' }) =>
    send(`logout_token=${await provider.sign({ ...honest(), ...claims }, header)}`);

  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    fetch(`${desk.url}/auth/backchannel-logout`, { method: 'POST', body, headers: { 'content-type': type } });

  const statusOf = async (token: string) => (await desk.get('/auth/me', bearer(token))).status;

  test('ends the sessions of the provider session it names, and no others', async () => {
    const [one, two, other] = [
      await signInWith({ sid: 'S-1' }),
      await signInWith({ sid: 'S-1' }),
      await signInWith({ sid: 'S-2' }),
    ];
    const response = await tell({ sid: 'S-1' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([await statusOf(one), await statusOf(two), await statusOf(other)]).toEqual([401, 401, 200]);
  });

  test('ends every session of the subject it names', async () => {
    const [one, two, other] = [
      await signInWith({ sid: 'S-3', sub: 'E-7' }),
      await signInWith({ sid: 'S-4', sub: 'E-7' }),
      await signInWith({ sid: 'S-5', sub: 'E-8' }),
    ];
    expect((await tell({ sid: undefined, sub: 'E-7' })).status).toBe(200);
    expect([await statusOf(one), await statusOf(two), await statusOf(other)]).toEqual([401, 401, 200]);
  });

  test('that names session and subject ends only what matches both', async () => {
    const [fits, other] = [
      await signInWith({ sid: 'S-9', sub: 'E-21' }),
      await signInWith({ sid: 'S-9', sub: 'E-22' }),
    ];
    expect((await tell({ sid: 'S-9', sub: 'E-21' })).status).toBe(200);
    expect([await statusOf(fits), await statusOf(other)]).toEqual([401, 200]);
  });

  test('ends no session of the same subject or session at another provider', async () => {
    const token = await signInWith({ sid: 'S-12', sub: 'E-41' });
    await desk.database.query("update person set issuer = 'https://earlier.example' where employee_id = 'E-41'");
    expect((await tell({ sid: 'S-12' })).status).toBe(200);
    expect((await tell({ sid: undefined, sub: 'E-41' })).status).toBe(200);
    expect(await statusOf(token)).toBe(200);
  });

  test('that arrives while the database is locked is not used up, and works when it is sent again', async () => {
    const token = await signInWith({ sid: 'S-10' });
    const body = `logout_token=${await provider.sign({ ...honest(), sid: 'S-10' }, { typ: 'logout+jwt' })}`;
    const unlock = await desk.database.lock();
    const during = await send(body);
    await unlock();
    await expectProblem(during, 'storage-unavailable', 503);
    expect(await statusOf(token)).toBe(200);
    expect((await send(body)).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });

  test('is audited with its origin', async () => {
    await signInWith({ sid: 'S-11', sub: 'E-31' });
    const response = await tell({ sid: 'S-11' });
    const query = "select * from audit where person = 'E-31' and type = 'session-ended'";
    const [row] = await desk.database.query(query);
    expect(row).toMatchObject({ detail: 'back-channel logout', request_id: response.headers.get('x-request-id') });
    expect((row as { address: string }).address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test("from a stranger does not use up the fetches for a sign-in's new key", async () => {
    const rotating = await startHostileProvider();
    const own = await startFrontdesk(rotating.env);
    const login = async (code: string) => (await own.get(`/auth/login/callback?code=${code}`)).status;
    const first = await login('a');
    const stranger = `${Buffer.from('{"alg":"RS256","kid":"stranger"}').toString('base64url')}.e30.AAAA`;
    await fetch(`${own.url}/auth/backchannel-logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `logout_token=${stranger}`,
    });
    await rotating.rotate();
    const second = await login('b');
    await own.stop();
    rotating.stop();
    expect([first, second]).toEqual([200, 200]);
  });

  test('for an unknown session succeeds', async () => {
    expect((await tell({ sid: 'nobody' })).status).toBe(200);
  });

  test.each(['JWT', undefined, 'application/logout+jwt'])('may have the type %p', async (typ) => {
    expect((await tell({}, { typ })).status).toBe(200);
  });

  test('works once', async () => {
    const body = `logout_token=${await provider.sign(honest(), { typ: 'logout+jwt' })}`;
    expect((await send(body)).status).toBe(200);
    await expectProblem(await send(body), 'invalid-logout-token', 400);
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['an expiry in the past', { exp: now() - 300 }],
    ['no expiry', { exp: undefined }],
    ['no issue time', { iat: undefined }],
    ['an issue time an hour ago', { iat: now() - 3600, exp: now() + 60 }],
    ['a nonce', { nonce: 'n' }],
    ['no events', { events: undefined }],
    ['another event', { events: { 'https://other.example': {} } }],
    ['an event that is not an object', { events: { [event]: true } }],
    ['no jti', { jti: undefined }],
    ['an empty name', { jti: '' }],
    ['neither session nor subject', { sid: undefined }],
    ['a number as the session', { sid: 7 }],
    ['a session name that no engine can store', { sid: 'a\u0000b' }],
  ])('with %s is refused, and ends nothing', async (_, claims) => {
    const token = await signInWith({ sid: 'S-1' });
    await expectProblem(await tell(claims), 'invalid-logout-token', 400);
    expect(await statusOf(token)).toBe(200);
  });

  test('with the type of an access token is refused', async () => {
    await expectProblem(await tell({}, { typ: 'at+jwt' }), 'invalid-logout-token', 400);
  });

  test('signed with a different key is refused', async () => {
    provider.lie = { signsWithAnotherKey: true };
    await expectProblem(await tell({}), 'invalid-logout-token', 400);
  });

  test('that is unsigned is refused', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${encode({ alg: 'none', typ: 'logout+jwt' })}.${encode(honest())}.`;
    await expectProblem(await send(`logout_token=${unsigned}`), 'invalid-logout-token', 400);
  });

  test.each([
    ['nothing', '', 'application/x-www-form-urlencoded'],
    ['no token', 'other=x', 'application/x-www-form-urlencoded'],
    ['two tokens', 'logout_token=a&logout_token=b', 'application/x-www-form-urlencoded'],
    ['no JWT', 'logout_token=nonsense', 'application/x-www-form-urlencoded'],
    ['JSON', '{"logout_token":"x"}', 'application/json'],
  ])('sent as %s is refused', async (_, body, type) => {
    await expectProblem(await send(body, type), 'invalid-logout-token', 400);
  });
});
