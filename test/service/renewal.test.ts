// POST /auth/renew: a new access token for the session of the browser's cookie, after the provider was asked again.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { ProblemCode } from '../../src/http/problem-table.ts';
import { type BoundSession, payloadOf, renewBy, signInBound } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let provider: HostileProvider;
let desk: Frontdesk;
let granted = 0;
const honest = (): Lie => ({
  discovery: {
    revocation_endpoint: `${provider.issuer}/revoke`,
    end_session_endpoint: `${provider.issuer}/leave`,
  },
  refreshToken: () => `refresh-${++granted}`,
});
beforeAll(async () => {
  provider = await startHostileProvider();
  provider.lie = honest();
  desk = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'employee,sub' });
});
afterEach(() => {
  provider.lie = honest();
});
afterAll(async () => {
  await desk.stop();
  provider.stop();
});

interface SessionRow {
  ended_at: string | null;
  refresh_token: string | null;
  id_token: string | null;
  renewal_claimed_until: string | null;
}

const signIn = (lie: Parameters<typeof signInBound>[2] = {}, at = desk) => signInBound(at, provider, lie);
const renew = ({ cookie }: BoundSession, at = desk) => renewBy(cookie, at);
const leave = ({ cookie }: BoundSession, at = desk) => at.get('/auth/logout', { cookie });
const rowOf = async ({ sid }: BoundSession, at = desk) => {
  const [row] = await at.database.query<SessionRow>(`select * from session where sid = '${sid}'`);
  if (row === undefined) throw new Error('no such session');
  return row;
};
const tokenIn = async (response: Response) => ((await response.json()) as { accessToken: string }).accessToken;
const me = async (token: string, at = desk) => (await at.get('/auth/me', bearer(token))).json();
const refreshTokenOf = (index: number) => provider.refreshes.at(index)?.get('refresh_token');
const auditOf = ({ sid }: BoundSession, at = desk) =>
  at.database.query<{ type: string; detail: string; request_id: string }>(
    `select type, detail, request_id from audit where session = '${sid}' and type <> 'sign-in'`,
  );

/** Ends the 30 s in which the provider is not asked again. */
const confirmAgain = ({ sid }: BoundSession, at = desk) =>
  at.database.query(`update session set provider_asked_at = null where sid = '${sid}'`);

describe('a renewal', () => {
  test("returns a login result like the callback's, for the same session and no longer than it", async () => {
    const mine = await signIn();
    const response = await renew(mine);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(response.headers.getSetCookie()).toEqual([]);
    const body = await response.text();
    expect(body).toMatch(/^\{"accessToken":"[\w.-]+","expirationInSeconds":3600\}$/);
    const { accessToken } = JSON.parse(body) as { accessToken: string };
    expect(accessToken).not.toBe(mine.token);
    expect(payloadOf(accessToken)).toMatchObject({ sid: mine.sid, sub: 'E-1' });
    expect([await me(accessToken), (await desk.get('/auth/me', bearer(mine.token))).status]).toEqual([
      expect.objectContaining({ sub: 'E-1', name: 'Erin Moss' }),
      200,
    ]);
  });

  test('uses the refresh token of the sign-in, then the one that replaced it, and stores both encrypted', async () => {
    const mine = await signIn({ refreshToken: () => 'first-one' });
    const sealed = (await rowOf(mine)).refresh_token ?? '';
    expect((await renew(mine)).status).toBe(200);
    const rotated = `refresh-${granted}`;
    expect(refreshTokenOf(-1)).toBe('first-one');
    const again = (await rowOf(mine)).refresh_token ?? '';
    expect([sealed.length > 40, again.length > 40, sealed === again]).toEqual([true, true, false]);
    expect(`${sealed}${again}`).not.toContain('first-one');
    await confirmAgain(mine);
    expect((await renew(mine)).status).toBe(200);
    expect(refreshTokenOf(-1)).toBe(rotated);
  });

  test('keeps the refresh token if the provider sends no new one', async () => {
    const mine = await signIn({ refreshToken: () => 'the only one' });
    provider.lie = { ...honest(), refreshToken: () => undefined };
    for (let round = 0; round < 3; round++) {
      await confirmAgain(mine);
      expect([(await renew(mine)).status, refreshTokenOf(-1)]).toEqual([200, 'the only one']);
    }
  });

  test('works with a refresh token of 8 KB; one over 16 KiB is not kept', async () => {
    const long = 'x'.repeat(8192);
    const mine = await signIn({ refreshToken: () => long });
    provider.lie = { ...honest(), refreshToken: () => `${long}y` };
    expect([(await renew(mine)).status, refreshTokenOf(-1) === long]).toEqual([200, true]);
    await confirmAgain(mine);
    expect([(await renew(mine)).status, refreshTokenOf(-1) === `${long}y`]).toEqual([200, true]);
    const longer = await signIn({ refreshToken: () => 'x'.repeat(16 * 1024 + 1) });
    expect((await rowOf(longer)).refresh_token).toBeNull();
    await expectProblem(await renew(longer), 'session-ended', 401);
  });

  test('within 30 s of another makes no call to the provider, and returns a new token', async () => {
    const at = await startFrontdesk(provider.env);
    const mine = await signIn({}, at);
    const first = await tokenIn(await renew(mine, at));
    const before = provider.refreshes.length;
    const second = await tokenIn(await renew(mine, at));
    at.advance(29);
    const third = await tokenIn(await renew(mine, at));
    const during = provider.refreshes.length;
    at.advance(2);
    const fourth = await tokenIn(await renew(mine, at));
    const after = provider.refreshes.length;
    const statuses = await Promise.all(
      [first, second, third, fourth].map(async (token) => (await at.get('/auth/me', bearer(token))).status),
    );
    await at.stop();
    expect([during - before, after - before]).toEqual([0, 1]);
    expect(new Set([first, second, third, fourth]).size).toBe(4);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test('does not hide that another replica has issued a token that lasts longer', async () => {
    const mine = await signIn();
    const later = new Date(Date.now() + 7_200_000).toISOString();
    await desk.database.query(`update session set token_expires_at = '${later}' where sid = '${mine.sid}'`);
    expect((await renew(mine)).status).toBe(200);
    expect(await rowOf(mine)).toMatchObject({ token_expires_at: later });
  });

  test('brings changed roles and details', async () => {
    const mine = await signIn({ claims: { roles: ['EMPLOYEE'] } });
    provider.lie = {
      ...honest(),
      claims: { roles: ['EMPLOYEE', 'LOOKUP_ADMIN'] },
      userinfo: () => Response.json({ sub: 'E-1', name: 'Erin Moss-Park', email: 'erin.park@example.com' }),
    };
    expect((await desk.get('/admin/lookups', bearer(mine.token))).status).toBe(403);
    const token = await tokenIn(await renew(mine));
    expect((await desk.get('/admin/lookups', bearer(token))).status).toBe(200);
    expect(await me(token)).toMatchObject({ roles: ['EMPLOYEE', 'LOOKUP_ADMIN'], name: 'Erin Moss-Park' });
    // The provider is not asked this time, so the roles are those of its last answer.
    expect(payloadOf(await tokenIn(await renew(mine)))).toMatchObject({ roles: ['EMPLOYEE', 'LOOKUP_ADMIN'] });
  });

  test('without a new ID token uses userinfo first, then the claims of the last ID token', async () => {
    const mine = await signIn({ claims: { roles: ['EMPLOYEE'], department: 'D', given_name: 'Erin' } });
    provider.lie = { ...honest(), idToken: null, userinfo: () => Response.json({ sub: 'E-1', roles: ['MANAGER'] }) };
    const token = await tokenIn(await renew(mine));
    expect(await me(token)).toMatchObject({ roles: ['MANAGER'], givenName: 'Erin' });
    provider.lie = { ...honest(), idToken: null };
    await confirmAgain(mine);
    expect(payloadOf(await tokenIn(await renew(mine)))).toMatchObject({ roles: ['EMPLOYEE'] });
  });

  test('does not count as a more recent sign-in, whatever time the new ID token has', async () => {
    const signedIn = Math.floor(Date.now() / 1000) - 1000;
    const mine = await signIn({ claims: { auth_time: signedIn } });
    for (const [said, expected] of [
      [signedIn + 900, signedIn],
      [signedIn - 50, signedIn - 50],
    ] as const) {
      provider.lie = { ...honest(), claims: { auth_time: said } };
      await confirmAgain(mine);
      expect(payloadOf(await tokenIn(await renew(mine)))).toMatchObject({ auth_time: expected });
    }
  });

  test('keeps the new ID token for the sign-out', async () => {
    const mine = await signIn();
    let idToken = '';
    provider.lie = {
      ...honest(),
      idToken: (made) => {
        idToken = made;
        return made;
      },
      claims: { renewed: true },
    };
    expect((await renew(mine)).status).toBe(200);
    const { searchParams } = new URL((await leave(mine)).headers.get('location') ?? '');
    expect(searchParams.get('id_token_hint')).toBe(idToken);
  });
});

const refusal = (error: string, status = 400) => ({ refresh: () => Response.json({ error }, { status }) });
const bigRoles = { roles: Array.from({ length: 700 }, (_, index) => `ROLE_NUMBER_${index}`) };

describe('the session ends, and that is audited, if', () => {
  test.each<[string, Lie, string]>([
    ['the provider refuses the refresh', refusal('invalid_grant'), 'the provider refused: invalid_grant'],
    [
      'it wants the person to sign in again',
      refusal('interaction_required'),
      'the provider refused: interaction_required',
    ],
    [
      'it refuses with an error code of its own',
      refusal('account_disabled', 403),
      'the provider refused: account_disabled',
    ],
    [
      'the ID token is about another subject',
      { claims: { sub: 'E-2' } },
      'the provider answered about another subject',
    ],
    [
      'userinfo is about another subject',
      { userinfo: () => Response.json({ sub: 'E-2' }) },
      'the provider answered about another subject',
    ],
    [
      'there is no ID token, and userinfo is about another subject',
      { idToken: null, userinfo: () => Response.json({ sub: 'E-2' }) },
      'the provider answered about another subject',
    ],
    ['the employee ID has changed', { claims: { employee: 'E-99' } }, 'the employee ID has changed'],
    [
      'the employee ID is no longer usable',
      { claims: { employee: ' E-1' } },
      'the employee ID is not usable as an identifier',
    ],
    ['the groups were left out', { claims: { hasgroups: true } }, 'the provider left groups out (overage)'],
    ['the roles do not fit in a token', { claims: bigRoles }, 'the roles do not fit in a token: narrow ROLE_CLAIMS'],
  ])('%s', async (_, lie, reason) => {
    const [mine, other] = [await signIn(), await signIn()];
    provider.lie = { ...honest(), ...lie };
    const response = await renew(mine);
    const calls = provider.refreshes.length;
    expect(response.headers.getSetCookie()).toEqual([]);
    const requestId = response.headers.get('x-request-id');
    await expectProblem(response, 'session-ended', 401);
    expect(await auditOf(mine)).toEqual([
      { type: 'session-ended', detail: `renewal: ${reason}`, request_id: requestId ?? '' },
    ]);
    expect((await rowOf(mine)).refresh_token).toBeNull();
    await expectProblem(await desk.get('/auth/me', bearer(mine.token)), 'invalid-token', 401);
    provider.lie = honest();
    await expectProblem(await renew(mine), 'session-ended', 401);
    expect(provider.refreshes.length).toBe(calls);
    expect((await renew(other)).status).toBe(200);
  });

  test('the refresh token cannot be opened', async () => {
    const mine = await signIn();
    await desk.database.query(`update session set refresh_token = 'broken' where sid = '${mine.sid}'`);
    const calls = provider.refreshes.length;
    await expectProblem(await renew(mine), 'session-ended', 401);
    expect(await auditOf(mine)).toMatchObject([{ detail: 'renewal: the refresh token cannot be opened' }]);
    expect(provider.refreshes.length).toBe(calls);
  });

  test('there is neither a new nor an earlier ID token with the roles', async () => {
    const mine = await signIn();
    await desk.database.query(`update session set id_token = null where sid = '${mine.sid}'`);
    provider.lie = { ...honest(), idToken: null };
    await expectProblem(await renew(mine), 'session-ended', 401);
    const reason = 'the provider sent no ID token, and the last one was not stored';
    expect(await auditOf(mine)).toMatchObject([{ detail: `renewal: ${reason}` }]);
  });

  test('a refresh token that was granted to a session that ends is revoked', async () => {
    const mine = await signIn();
    provider.lie = { ...honest(), claims: { employee: 'E-98' } };
    await expectProblem(await renew(mine), 'session-ended', 401);
    await revoked(`refresh-${granted}`);
  });
});

/** Waits for the revocation, which is sent after the answer. */
const revoked = (token: string) => until(async () => provider.revocations.some((form) => form.get('token') === token));

describe('the session stays as it was, and is renewed later, if', () => {
  test.each<[string, Lie, ProblemCode, number]>([
    ['the provider answers 500', { refresh: () => new Response('oops', { status: 500 }) }, 'idp-bad-response', 502],
    ['it answers nonsense', { refresh: () => new Response('<html>') }, 'idp-bad-response', 502],
    ['it answers 404 without a code', { refresh: () => new Response('', { status: 404 }) }, 'idp-bad-response', 502],
    ['it says that it has a fault', refusal('server_error'), 'idp-bad-response', 502],
    ['it is too busy', { refresh: () => new Response('', { status: 429 }) }, 'idp-unavailable', 503],
    ['it is away for a while', refusal('temporarily_unavailable'), 'idp-unavailable', 503],
    ['it no longer knows our client', refusal('invalid_client', 401), 'idp-configuration', 502],
    ['it does not allow our client to refresh', refusal('unauthorized_client'), 'idp-configuration', 502],
    ['the ID token is signed by somebody else', { signsWithAnotherKey: true }, 'idp-invalid-token', 502],
    ['the ID token is for somebody else', { claims: { aud: 'other' } }, 'idp-invalid-token', 502],
    ['the ID token is from another issuer', { claims: { iss: 'https://evil.example' } }, 'idp-invalid-token', 502],
    ['the ID token has expired', { claims: { iat: 1, exp: 2 } }, 'idp-invalid-token', 502],
    ['userinfo fails', { userinfo: () => new Response('', { status: 500 }) }, 'idp-bad-response', 502],
  ])('%s', async (_, lie, code, status) => {
    const mine = await signIn();
    provider.lie = { ...honest(), ...lie };
    await expectProblem(await renew(mine), code, status);
    expect((await rowOf(mine)).ended_at).toBeNull();
    expect((await desk.get('/auth/me', bearer(mine.token))).status).toBe(200);
    provider.lie = honest();
    expect((await renew(mine)).status).toBe(200);
    expect(await auditOf(mine)).toEqual([]);
  });

  test('the provider is slow', async () => {
    const mine = await signIn();
    const hanging = Promise.withResolvers<Response>();
    provider.lie = { ...honest(), refresh: () => hanging.promise };
    await expectProblem(await renew(mine), 'idp-timeout', 504);
    hanging.resolve(new Response());
    provider.lie = honest();
    expect((await renew(mine)).status).toBe(200);
  });

  test('the provider cannot be reached', async () => {
    const mine = await signIn();
    provider.stop();
    const during = await renew(mine);
    provider.start();
    await expectProblem(during, 'idp-unavailable', 503);
    expect((await renew(mine)).status).toBe(200);
  });

  test('the storage is unavailable; a refresh token that the provider replaced meanwhile is not lost', async () => {
    const [mine, replaced] = [await signIn(), await signIn()];
    const calls = provider.refreshes.length;
    const locked = Promise.withResolvers<() => Promise<void>>();
    const refresh = async () => {
      locked.resolve(await desk.database.lock());
      return provider.tokens();
    };
    provider.lie = { ...honest(), refreshToken: () => 'in its place', refresh };
    const renewing = renew(replaced);
    const unlock = await locked.promise;
    const during = await Promise.all([renew(mine), renewing]);
    await unlock();
    for (const response of during) await expectProblem(response, 'storage-unavailable', 503);
    expect(provider.refreshes.length).toBe(calls + 1);
    provider.lie = honest();
    expect([(await renew(replaced)).status, refreshTokenOf(-1)]).toEqual([200, 'in its place']);
    expect((await renew(mine)).status).toBe(200);
  });

  test('the provider fails after it issued a new refresh token: that one is used next', async () => {
    const mine = await signIn();
    provider.lie = {
      ...honest(),
      refreshToken: () => 'in its place',
      userinfo: () => new Response('', { status: 500 }),
    };
    await expectProblem(await renew(mine), 'idp-bad-response', 502);
    provider.lie = honest();
    expect([(await renew(mine)).status, refreshTokenOf(-1)]).toEqual([200, 'in its place']);
  });
});

test('if the answer with a new refresh token was lost, the session ends at the next renewal', async () => {
  const mine = await signIn({ refreshToken: () => 'used once' });
  let used = 0;
  const refresh = () =>
    ++used === 1
      ? new Response('cut off', { status: 500 })
      : Response.json({ error: 'invalid_grant' }, { status: 400 });
  provider.lie = { ...honest(), refresh };
  await expectProblem(await renew(mine), 'idp-bad-response', 502);
  expect((await rowOf(mine)).ended_at).toBeNull();
  await expectProblem(await renew(mine), 'session-ended', 401);
  expect(await auditOf(mine)).toMatchObject([{ type: 'session-ended' }]);
});

describe('the route', () => {
  const app = 'http://app.localhost:1234';
  const elsewhere = 'https://evil.example';
  let named: Frontdesk;
  beforeAll(async () => {
    named = await startFrontdesk({ ...provider.env, CORS_ORIGINS: app });
  });
  afterAll(() => named.stop());

  test.each<[string, Record<string, string>]>([
    ['of this service', {}],
    ['of this service, in a browser', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['of a named origin on the same site', { origin: app, 'sec-fetch-site': 'same-site' }],
  ])('serves a page %s', async (_, headers) => {
    const mine = await signIn({}, named);
    const response = await renewBy(mine.cookie, named, headers);
    const isNamed = headers.origin === app;
    expect([
      response.status,
      response.headers.get('access-control-allow-origin'),
      response.headers.get('access-control-allow-credentials'),
    ]).toEqual([200, isNamed ? app : null, isNamed ? 'true' : null]);
  });

  test.each<[string, Record<string, string>]>([
    ['a foreign page', { origin: elsewhere, 'sec-fetch-site': 'cross-site' }],
    ['a foreign page in an old browser', { origin: elsewhere }],
    [
      'a page of another name on the same site',
      { origin: 'http://other.localhost:1234', 'sec-fetch-site': 'same-site' },
    ],
    ['a page of a named origin on another site', { origin: app, 'sec-fetch-site': 'cross-site' }],
    ['a page in a sandbox', { origin: 'null' }],
    ['a page of the same host at another port', { origin: 'http://localhost:1' }],
    ['a page whose origin only begins the same', { origin: `${app}.evil.example` }],
    ['two origins', { origin: `${app}, ${app}` }],
    ['a form of another site', { origin: elsewhere, 'content-type': 'application/x-www-form-urlencoded' }],
    ['a typed address, which a browser never posts', { 'sec-fetch-site': 'none' }],
  ])('refuses %s, before it looks at the cookie, and changes nothing', async (_, headers) => {
    const mine = await signIn({}, named);
    const [calls, before] = [provider.refreshes.length, await rowOf(mine, named)];
    const response = await renewBy(mine.cookie, named, headers);
    expect([response.headers.getSetCookie(), response.headers.get('ratelimit')]).toEqual([[], null]);
    await expectProblem(response, 'origin-refused', 403);
    await expectProblem(await renewBy('', named, headers), 'origin-refused', 403);
    expect([provider.refreshes.length, await rowOf(mine, named)]).toEqual([calls, before]);
  });

  test('refuses a request without an origin', async () => {
    const { cookie } = await signIn();
    const response = await fetch(`${desk.url}/auth/renew`, { method: 'POST', headers: { cookie } });
    await expectProblem(response, 'origin-refused', 403);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('does not accept %s', async (method) => {
    const { cookie } = await signIn();
    const calls = provider.refreshes.length;
    const headers = { cookie, origin: desk.url };
    const response = await fetch(`${desk.url}/auth/renew`, { method, headers });
    expect([response.status, response.headers.get('allow'), provider.refreshes.length]).toEqual([405, 'POST', calls]);
  });

  test.each<[string, (mine: BoundSession) => string | Promise<string>]>([
    ['none', () => ''],
    ['an empty one', () => 'frontdesk_session='],
    ['a malformed one', () => 'frontdesk_session=x'],
    ['a value that nobody has', () => `frontdesk_session=${'A'.repeat(43)}`],
    [
      'the hash of the right value',
      ({ cookie }) => `frontdesk_session=${Bun.SHA256.hash(cookie.split('=')[1] ?? '', 'hex')}`,
    ],
    ['the right value under the name that it has behind HTTPS', ({ cookie }) => `__Host-${cookie}`],
    ['the access token', ({ token }) => `frontdesk_session=${token}`],
    ['somebody else’s value before the right one', ({ cookie }) => `frontdesk_session=${'A'.repeat(43)}; ${cookie}`],
  ])('with %s as the cookie answers 401 and sets no cookie', async (_, make) => {
    const response = await renewBy(await make(await signIn()), desk);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="frontdesk"');
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 'session-ended', 401);
  });

  test('ignores an access token', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    await expectProblem(await renewBy('', desk, bearer(mine.token)), 'session-ended', 401);
    const token = await tokenIn(await renewBy(other.cookie, desk, bearer(mine.token)));
    expect(payloadOf(token)).toMatchObject({ sid: other.sid });
  });

  test('does not accept a cookie that was set before the sign-in', async () => {
    const planted = `frontdesk_session=${'B'.repeat(43)}`;
    const mine = await signIn({ sent: planted });
    expect(mine.cookie).not.toBe(planted);
    await expectProblem(await renewBy(planted, desk), 'session-ended', 401);
    expect((await renew(mine)).status).toBe(200);
  });

  test('limits each session to 60 a minute; an office address is limited as for other calls', async () => {
    const at = await startFrontdesk({ ...provider.env, RATE_LIMIT_LOGIN: '100/1m', RATE_LIMIT_API: '64/1m' });
    const [mine, other] = [await signIn({}, at), await signIn({}, at)];
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) statuses.push((await renew(mine, at)).status);
    const refused = await renew(mine, at);
    const others = [(await renew(other, at)).status, (await renew(other, at)).status];
    const office = await renew(other, at);
    await at.stop();
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429]);
    expect(refused.headers.get('ratelimit-policy')).toBe('"renew";q=60;w=60');
    await expectProblem(refused, 'rate-limited', 429);
    expect(others).toEqual([200, 200]);
    await expectProblem(office, 'rate-limited', 429);
    expect(office.headers.get('ratelimit-policy')).toBe('"api";q=64;w=60');
  });
});

describe('without a refresh token', () => {
  const none = { refreshToken: () => undefined };

  test('nothing is renewed', async () => {
    const mine = await signIn(none);
    await expectProblem(await renew(mine), 'session-ended', 401);
    expect([(await rowOf(mine)).ended_at, await auditOf(mine)]).toEqual([null, []]);
    expect((await desk.get('/auth/me', bearer(mine.token))).status).toBe(200);
  });

  test('with RENEW_NEEDS_PROVIDER=false, only our own limits count', async () => {
    const at = await startFrontdesk({ ...provider.env, RENEW_NEEDS_PROVIDER: 'false' });
    const [mine, asked] = [await signIn(none, at), await signIn({}, at)];
    const calls = provider.refreshes.length;
    const renewed = await renew(mine, at);
    const without = provider.refreshes.length;
    const status = (await renew(asked, at)).status;
    const withOne = provider.refreshes.length;
    await leave(mine, at);
    const after = await renew(mine, at);
    await at.stop();
    expect([renewed.status, without - calls, status, withOne - calls]).toEqual([200, 0, 200, 1]);
    await expectProblem(after, 'session-ended', 401);
  });

  test('a clock that is hours behind for a while ends no session', async () => {
    const at = await startFrontdesk({ ...provider.env, RENEW_NEEDS_PROVIDER: 'false' });
    const mine = await signIn(none, at);
    at.missetClock(-7200);
    const statuses = [(await renew(mine, at)).status, (await renew(mine, at)).status];
    at.missetClock(0);
    statuses.push((await renew(mine, at)).status);
    await at.stop();
    expect(statuses).toEqual([200, 200, 200]);
  });
});

test('a code-only sign-in has no cookie and no refresh token, and lasts as long as its token', async () => {
  const at = await startFrontdesk({ ...provider.env, SESSION_IDLE_SECONDS: '60', SESSION_MAX_SECONDS: '60' });
  const response = await at.get('/auth/login/callback?code=alone');
  const cookies = response.headers.getSetCookie();
  const body = (await response.json()) as { accessToken: string; expirationInSeconds: number };
  const [row] = await at.database.query<{ opened_at: string; expires_at: string; refresh_token: null }>(
    'select opened_at, expires_at, refresh_token, cookie_hash, idle_ends_at from session',
  );
  at.advance(3000);
  const later = (await at.get('/auth/me', bearer(body.accessToken))).status;
  await at.stop();
  expect([cookies, body.expirationInSeconds, later]).toEqual([[], 3600, 200]);
  expect(row).toMatchObject({ refresh_token: null, cookie_hash: null, idle_ends_at: null });
  expect(Date.parse(row?.expires_at ?? '') - Date.parse(row?.opened_at ?? '')).toBe(3_600_000);
});

describe('time limits', () => {
  const limits = { TOKEN_TTL_SECONDS: '600', SESSION_IDLE_SECONDS: '1800', SESSION_MAX_SECONDS: '3600' };
  let at: Frontdesk;
  let lead = 0;
  const start = async (changes: Record<string, string> = {}) => {
    lead = 0;
    at = await startFrontdesk({ ...provider.env, ...limits, ...changes });
  };
  const advance = (seconds: number) => {
    lead += seconds;
    at.advance(seconds);
    provider.lead = lead;
  };
  afterEach(async () => {
    await at.stop();
    provider.lead = 0;
  });
  const secondsIn = async (response: Response) =>
    ((await response.json()) as { expirationInSeconds: number }).expirationInSeconds;

  test('a session that is renewed in time lasts to its absolute end and no second longer', async () => {
    await start();
    const mine = await signIn({}, at);
    for (const [wait, seconds] of [
      [1700, 600],
      [1500, 399],
    ] as const) {
      advance(wait);
      const given = await secondsIn(await renew(mine, at));
      // A range, because time passes while the test runs.
      expect([given > seconds - 10, given <= seconds + 1]).toEqual([true, true]);
    }
    advance(401);
    await expectProblem(await renew(mine, at), 'session-ended', 401);
  });

  test('a session that is left idle has ended, although its absolute end is far away', async () => {
    await start();
    const [idle, busy] = [await signIn({}, at), await signIn({}, at)];
    advance(1700);
    expect((await renew(busy, at)).status).toBe(200);
    advance(101);
    await expectProblem(await renew(idle, at), 'session-ended', 401);
    expect((await renew(busy, at)).status).toBe(200);
  });

  test('a session that expires during a renewal is over, and one that is signed out during a renewal stays signed out', async () => {
    await start();
    const [idle, left] = [await signIn({}, at), await signIn({}, at)];
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    provider.lie = {
      ...honest(),
      refresh: async () => {
        if (++calls === 2) asked.resolve();
        await answer.promise;
        return provider.tokens();
      },
    };
    const renewing = [renew(idle, at), renew(left, at)];
    await asked.promise;
    advance(1801);
    expect((await leave(left, at)).status).toBe(302);
    answer.resolve();
    for (const response of await Promise.all(renewing)) await expectProblem(response, 'session-ended', 401);
    provider.lie = honest();
    for (const session of [idle, left]) await expectProblem(await renew(session, at), 'session-ended', 401);
  });

  test('a renewal without a call counts as activity, too', async () => {
    await start({ SESSION_IDLE_SECONDS: '20', RENEW_NEEDS_PROVIDER: 'false' });
    const mine = await signIn({ refreshToken: () => undefined }, at);
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      advance(12);
      statuses.push((await renew(mine, at)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
    advance(21);
    await expectProblem(await renew(mine, at), 'session-ended', 401);
  });

  test('a token lasts no longer than its session may be idle', async () => {
    await start({ SESSION_IDLE_SECONDS: '120' });
    const mine = await signIn({}, at);
    expect(await secondsIn(await renew(mine, at))).toBe(120);
  });

  test('encrypted tokens of ended and idle sessions are erased, and those of open sessions stay', async () => {
    await start();
    const [idle, ended, living] = [await signIn({}, at), await signIn({}, at), await signIn({}, at)];
    advance(1700);
    expect((await renew(living, at)).status).toBe(200);
    await at.database.query(`update session set ended_at = '${new Date().toISOString()}' where sid = '${ended.sid}'`);
    advance(101);
    await at.runHousekeeping();
    const kept = await Promise.all(
      [idle, ended, living].map(async (session) => {
        const { refresh_token: refreshToken, id_token: idToken } = await rowOf(session, at);
        return [refreshToken !== null, idToken !== null];
      }),
    );
    expect(kept).toEqual([
      [false, false],
      [false, false],
      [true, true],
    ]);
  });

  test('a person whose session is idle is not listed as signed in', async () => {
    await start();
    const [idle, busy] = [await signIn({}, at), await signIn({}, at)];
    const past = new Date(Date.now() - 60_000).toISOString();
    await at.database.query(`update session set idle_ends_at = '${past}' where sid = '${idle.sid}'`);
    const { stdout } = await runToEnd(['sessions', 'list'], at.commandEnv, at.folder);
    expect([stdout.includes(busy.sid), stdout.includes(idle.sid)]).toEqual([true, false]);
  });
});

describe('a cookie is worth nothing after', () => {
  const logoutToken = async (claims: Record<string, unknown>) => {
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const whole = { iss: provider.issuer, aud: 'desk', iat: now, exp: now + 120, jti: crypto.randomUUID(), events };
    return `logout_token=${await provider.sign({ ...whole, ...claims }, { typ: 'logout+jwt' })}`;
  };

  test.each<[string, (mine: BoundSession) => Promise<unknown>]>([
    ['POST /auth/logout', ({ token }) => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) })],
    ['GET /auth/logout', (mine) => leave(mine)],
    [
      'a back-channel logout',
      async () =>
        fetch(`${desk.url}/auth/backchannel-logout`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: await logoutToken({ sid: 'P-7' }),
        }),
    ],
    ['frontdesk sessions end', ({ sid }) => runToEnd(['sessions', 'end', sid], desk.commandEnv, desk.folder)],
  ])('%s, although it was confirmed a moment ago', async (_, end) => {
    const [mine, other] = [await signIn({ claims: { sid: 'P-7' } }), await signIn()];
    expect((await renew(mine)).status).toBe(200);
    await end(mine);
    const calls = provider.refreshes.length;
    await expectProblem(await renew(mine), 'session-ended', 401);
    expect([provider.refreshes.length, (await rowOf(mine)).refresh_token]).toEqual([calls, null]);
    expect((await renew(other)).status).toBe(200);
  });
});

describe('the refresh token is revoked at the provider', () => {
  test.each<[string, (mine: BoundSession) => Promise<Response>, number]>([
    [
      'by POST /auth/logout',
      ({ token }) => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) }),
      204,
    ],
    ['by GET /auth/logout', (mine) => leave(mine), 302],
  ])('%s, once', async (_, end, status) => {
    const mine = await signIn({ refreshToken: () => `of ${_}` });
    expect((await end(mine)).status).toBe(status);
    await revoked(`of ${_}`);
    expect((await end(mine)).status).toBe(status);
    expect(provider.revocations.filter((form) => form.get('token') === `of ${_}`)).toHaveLength(1);
    expect(provider.revocations.at(-1)?.get('token_type_hint')).toBe('refresh_token');
  });

  test.each<[string, Lie]>([
    ['refuses', { revocation: () => Response.json({ error: 'unsupported_token_type' }, { status: 400 }) }],
    ['fails', { revocation: () => new Response('', { status: 500 }) }],
  ])('if the provider %s, the session still ends', async (_, lie) => {
    const mine = await signIn();
    provider.lie = { ...honest(), ...lie };
    expect((await leave(mine)).status).toBe(302);
    await until(async () => desk.logged.some((line) => line.includes('refresh token not revoked')));
    await expectProblem(await renew(mine), 'session-ended', 401);
  });

  test('the sign-out does not wait for the revocation', async () => {
    const mine = await signIn();
    const hanging = Promise.withResolvers<Response>();
    provider.lie = { ...honest(), revocation: () => hanging.promise };
    expect((await leave(mine)).status).toBe(302);
    hanging.resolve(new Response());
  });

  test('if a sign-out made the provider refuse what it had just issued, that does not count as a fault of the provider', async () => {
    const mine = await signIn();
    const userinfo = async () => {
      expect((await leave(mine)).status).toBe(302);
      return new Response('', { status: 401 });
    };
    provider.lie = { ...honest(), userinfo };
    await expectProblem(await renew(mine), 'session-ended', 401);
    expect((await auditOf(mine)).map(({ type }) => type)).toEqual(['logout']);
  });

  test('if the session ended while it was being renewed, it stays ended, and no token is issued', async () => {
    const mine = await signIn();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.lie = {
      ...honest(),
      refreshToken: () => 'too late',
      refresh: async () => {
        asked.resolve();
        await answer.promise;
        return provider.tokens();
      },
    };
    const renewing = renew(mine);
    await asked.promise;
    expect((await leave(mine)).status).toBe(302);
    answer.resolve();
    await expectProblem(await renewing, 'session-ended', 401);
    await revoked('too late');
    expect((await rowOf(mine)).refresh_token).toBeNull();
    expect((await auditOf(mine)).map(({ type }) => type)).toEqual(['logout']);
  });
});

test('nothing of a refresh token or cookie is logged or answered', async () => {
  const mine = await signIn({ refreshToken: () => 'never-to-be-seen' });
  provider.lie = { ...honest(), refreshToken: () => 'never-to-be-seen-either', userinfo: () => new Response('x') };
  const answers = [await (await renew(mine)).text()];
  provider.lie = { ...honest(), ...refusal('invalid_grant') };
  answers.push(await (await renew(mine)).text());
  const told = [...desk.logged, ...answers].join('\n');
  for (const secret of ['never-to-be-seen', mine.cookie.split('=')[1] ?? '', mine.idToken]) {
    expect(told.includes(secret)).toBe(false);
  }
});

describe('with a real provider', () => {
  test('sessions are renewed with refresh tokens that work once, and a disabled account ends', async () => {
    const disabled = new Set<string>();
    const { desk: own, provider: real } = await startWithProvider({
      rotateRefreshToken: true,
      findAccount: (_, id) =>
        disabled.has(id) ? undefined : { accountId: id, claims: () => ({ sub: id, name: `Name of ${id}` }) },
    });
    const browser = new Browser();
    await browser.follow(`${own.url}/auth/login?login_hint=E-1001`);
    const renewing = () => browser.request(`${own.url}/auth/renew`, { method: 'POST', headers: { origin: own.url } });
    const statuses: number[] = [];
    for (let round = 0; round < 3; round++) {
      own.advance(31);
      statuses.push((await renewing()).status);
    }
    disabled.add('E-1001');
    own.advance(31);
    const refused = await renewing();
    const audited = await own.database.query<{ detail: string }>(
      "select detail from audit where type = 'session-ended'",
    );
    await own.stop();
    await real.close();
    expect(statuses).toEqual([200, 200, 200]);
    await expectProblem(refused, 'session-ended', 401);
    expect(audited).toEqual([{ detail: 'renewal: the provider refused: invalid_grant' }]);
  });

  test('the development provider lets sessions be renewed, and revokes what was signed out', async () => {
    const own = await startFrontdesk();
    const browser = new Browser();
    const { response } = await browser.follow(`${own.url}/auth/login?login_hint=E-1003`);
    const first = await tokenIn(response);
    const renewed = await browser.request(`${own.url}/auth/renew`, { method: 'POST', headers: { origin: own.url } });
    const token = await tokenIn(renewed);
    const person = await me(token, own);
    await fetch(`${own.url}/auth/logout`, { method: 'POST', headers: bearer(token) });
    const after = [first, token].map(async (each) => (await own.get('/auth/me', bearer(each))).status);
    const statuses = await Promise.all(after);
    await own.stop();
    expect(person).toMatchObject({ sub: 'E-1003', familyName: 'Ruiz', roles: ['EMPLOYEE'] });
    expect(statuses).toEqual([401, 401]);
    expect(own.logged.filter((line) => line.includes('not revoked'))).toEqual([]);
  });
});
