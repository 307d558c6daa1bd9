// OIDC_PROFILE=fapi2 with a provider that violates the profile: no weaker answer is accepted, and no call is repeated forever.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { ProblemCode } from '../../src/http/problem-table.ts';
import { renewBy } from '../support/bound-sign-in.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { clientId, type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';

let provider: HostileProvider;
let desk: Frontdesk;
/** The provider publishes this key, too, so that only its algorithm is wrong. */
let weak: { privateKey: CryptoKey; jwk: JWK };
let env: Record<string, string>;
let codes = 0;

beforeAll(async () => {
  provider = await startHostileProvider();
  await provider.rotate('ES256');
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  weak = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'weak', alg: 'RS256', use: 'sig' } };
  env = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId, OIDC_PROFILE: 'fapi2' };
  provider.lie = honest();
  desk = await startFrontdesk(env);
});
beforeEach(() => provider.calls.clear());
afterAll(async () => {
  await desk.stop();
  provider.stop();
});

const honest = (): Lie => ({
  discovery: {
    pushed_authorization_request_endpoint: `${provider.issuer}/par`,
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  },
  keys: () => Response.json({ keys: [provider.publicJwk, weak.jwk] }),
  tokenType: 'DPoP',
  refreshToken: () => 'a refresh token',
});
const created = (headers = {}) =>
  Response.json({ request_uri: 'urn:ietf:params:oauth:request_uri:1', expires_in: 60 }, { status: 201, headers });
const signWeakly = (claims: object) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'weak' }).sign(weak.privateKey);

/** `lie` applies to calls after the pushed request. `changed` replaces parameters of the callback; undefined removes one. */
async function signIn(lie: Lie = {}, changed: Record<string, string | undefined> = {}) {
  let pushed = new URLSearchParams();
  provider.lie = {
    ...honest(),
    pushedRequest(form) {
      pushed = form;
      return created();
    },
  };
  const begun = await desk.get('/auth/login');
  expect(begun.status).toBe(302);
  provider.lie = { ...honest(), claims: { nonce: pushed.get('nonce') }, ...lie };
  const answer = { code: `proven-${++codes}`, state: pushed.get('state') ?? '', iss: provider.issuer, ...changed };
  const query = new URLSearchParams(JSON.parse(JSON.stringify(answer)));
  return desk.get(`/auth/login/callback?${query}`, { cookie: begun.headers.get('set-cookie')?.split(';')[0] ?? '' });
}

const cookieIn = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((each) => each.includes('frontdesk_session='))
    ?.split(';')[0] ?? '';
const nonceOf = (request: Request) => decodeJwt<{ nonce?: string }>(request.headers.get('dpop') ?? '').nonce;

let nonces = 0;
const newNonce = () => ({ 'dpop-nonce': `nonce-${++nonces}` });
/** Demands a new nonce, whatever the proof contains. */
const demand = (headers = {}) =>
  Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { ...newNonce(), ...headers } });
const challenge = (headers = {}) =>
  new Response(null, {
    status: 401,
    headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', ...newNonce(), ...headers },
  });

test('an honest provider is accepted', async () => {
  expect((await signIn()).status).toBe(200);
});

describe('refused:', () => {
  test.each<[string, Lie, Record<string, string | undefined>, ProblemCode, number]>([
    ['a bearer token', { tokenType: 'Bearer' }, {}, 'idp-bad-response', 502],
    ['an answer without iss', {}, { iss: undefined }, 'login-mismatch', 400],
    ['an answer from another issuer', {}, { iss: 'https://other.example' }, 'login-mismatch', 400],
    [
      'an ID token signed with RS256',
      { idToken: (honest) => signWeakly(decodeJwt(honest)) },
      {},
      'idp-invalid-token',
      502,
    ],
    [
      'userinfo signed with RS256',
      {
        userinfo: async () =>
          new Response(await signWeakly({ sub: 'E-1' }), { headers: { 'content-type': 'application/jwt' } }),
      },
      {},
      'idp-invalid-token',
      502,
    ],
    ['a code-only sign-in', {}, { state: undefined }, 'login-session-lost', 400],
    [
      'a proof that the provider does not accept',
      { token: () => Response.json({ error: 'invalid_dpop_proof' }, { status: 400 }) },
      {},
      'idp-configuration',
      502,
    ],
  ])('%s', async (_, lie, changed, code, status) => {
    await expectProblem(await signIn(lie, changed), code, status);
  });

  test('a logout token signed with RS256', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: provider.issuer, aud: clientId, sub: 'E-1', iat: now, exp: now + 60, jti: 'weak' },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const send = (logoutToken: string) =>
      fetch(`${desk.url}/auth/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: logoutToken }),
      });
    await expectProblem(await send(await signWeakly(claims)), 'invalid-logout-token', 400);
    expect((await send(await provider.sign(claims))).status).toBe(200);
  });

  test.each([
    ['whose issuer differs by a slash', '/', {}, 'discovery names an issuer other than OIDC_ISSUER'],
    ['without pushed requests', '', { discovery: {} }, 'discovery names no usable endpoint for pushed requests'],
  ])('a provider %s', async (_, slash, lie, reason) => {
    provider.lie = { ...honest(), ...lie };
    const other = await startFrontdesk({ ...env, OIDC_ISSUER: provider.issuer + slash });
    await expectProblem(await other.get('/auth/login'), 'idp-unavailable', 503);
    expect(other.logged.join('')).toContain(reason);
    await other.stop();
  });
});

describe('a nonce', () => {
  test('that is sent with the tokens is in the next proof', async () => {
    const seen: (string | undefined)[] = [];
    const response = await signIn({
      token: async () => new Response((await provider.tokens()).body, { headers: { ...jsonType, ...newNonce() } }),
      userinfo(request) {
        seen.push(nonceOf(request));
        return Response.json({ sub: 'E-1' }, { headers: newNonce() });
      },
    });
    expect([response.status, seen]).toEqual([200, [`nonce-${nonces - 1}`]]);
  });
  const jsonType = { 'content-type': 'application/json' };

  test('that is sent with signed userinfo or in answer to a pushed request is in the next proof', async () => {
    const userinfo = async () =>
      new Response(await provider.sign({ sub: 'E-1' }), {
        headers: { 'content-type': 'application/jwt', ...newNonce() },
      });
    expect((await signIn({ userinfo })).status).toBe(200);
    const given = `nonce-${nonces}`;
    const seen: (string | undefined)[] = [];
    provider.lie = {
      ...honest(),
      pushedRequest(_, request) {
        seen.push(nonceOf(request));
        return created(newNonce());
      },
    };
    for (let count = 0; count < 2; count++) expect((await desk.get('/auth/login')).status).toBe(302);
    expect(seen).toEqual([given, `nonce-${nonces - 1}`]);
  });

  test.each([
    ['400', {}],
    ['a challenge for another scheme', { 'www-authenticate': 'Basic' }],
  ])('that is demanded with %s is sent together with the same code', async (_, headers) => {
    const sent: [string | undefined, string | null][] = [];
    const response = await signIn({
      async token(request) {
        sent.push([nonceOf(request), new URLSearchParams(await request.text()).get('code')]);
        return sent.length === 1 ? demand(headers) : provider.tokens();
      },
    });
    expect(response.status).toBe(200);
    expect(sent.map(([, code]) => code)).toEqual([`proven-${codes}`, `proven-${codes}`]);
    expect(sent[1]?.[0]).toBe(`nonce-${nonces}`);
  });

  test.each<[string, string, Lie]>([
    ['the token endpoint', '/token', { token: () => demand() }],
    ['userinfo', '/userinfo', { userinfo: () => challenge() }],
  ])('that %s demands again and again is sent only once', async (_, path, lie) => {
    await expectProblem(await signIn(lie), 'idp-bad-response', 502);
    expect(provider.calls.get(path)).toBe(2);
  });

  test('that is demanded for pushed requests again and again is sent only once, and the log has the reason', async () => {
    provider.lie = { ...honest(), pushedRequest: () => demand() };
    await expectProblem(await desk.get('/auth/login'), 'idp-bad-response', 502);
    expect(provider.calls.get('/par')).toBe(2);
    expect(desk.logged.join('')).toContain('refused a DPoP proof with the nonce that it had just given');
  });

  test('that is demanded but never given fails the sign-in at once', async () => {
    const token = () => Response.json({ error: 'use_dpop_nonce' }, { status: 400 });
    await expectProblem(await signIn({ token }), 'idp-configuration', 502);
    expect(provider.calls.get('/token')).toBe(1);
  });

  test('that is demanded for a renewal again and again does not end the session, and neither does a bearer token', async () => {
    const cookie = cookieIn(await signIn());
    provider.lie = { ...honest(), token: () => demand() };
    await expectProblem(await renewBy(cookie, desk), 'idp-bad-response', 502);
    provider.lie = { ...honest(), tokenType: 'Bearer' };
    await expectProblem(await renewBy(cookie, desk), 'idp-bad-response', 502);
    provider.lie = honest();
    expect((await renewBy(cookie, desk)).status).toBe(200);
  });
});
