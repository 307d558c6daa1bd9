// How Frontdesk handles a provider that lies, fails or is unavailable. It answers every lie with a problem and leaks
// nothing, and the next honest sign-in works.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { SignJWT } from 'jose';
import type { ProblemCode } from '../../src/http/problem-table.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { clientId, type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let provider: HostileProvider;
let desk: Frontdesk;
let codes = 0;

beforeAll(async () => {
  provider = await startHostileProvider();
  desk = await startFrontdesk(provider.env);
});
afterAll(async () => {
  await desk.stop();
  provider.stop();
});
afterEach(async () => {
  provider.lie = {};
  // Whatever happened, the next honest sign-in works.
  expect((await exchange()).status).toBe(200);
});

const exchange = (parameters = '', at = desk) => at.get(`/auth/login/callback?code=code-${++codes}${parameters}`);

const now = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const text = (body: string, status = 200, type = 'application/json') =>
  new Response(body, { status, headers: { 'content-type': type } });
const refusal = (error: string, status = 400, headers = {}) =>
  Response.json({ error, error_description: 'told-by-provider' }, { status, headers });

const lies: [string, Lie, ProblemCode, number][] = [
  ['no ID token', { idToken: null }, 'idp-invalid-token', 502],
  ['an ID token that is no token', { idToken: () => 'nonsense' }, 'idp-invalid-token', 502],
  [
    'an unsigned ID token (alg none)',
    { idToken: (honest) => `${base64url({ alg: 'none' })}.${honest.split('.')[1]}.` },
    'idp-invalid-token',
    502,
  ],
  [
    'an ID token signed with the public key as a secret',
    {
      idToken: (honest) =>
        new SignJWT(JSON.parse(Buffer.from(honest.split('.')[1] ?? '', 'base64url').toString()))
          .setProtectedHeader({ alg: 'HS256', kid: provider.publicJwk.kid ?? '' })
          .sign(new TextEncoder().encode(JSON.stringify(provider.publicJwk))),
    },
    'idp-invalid-token',
    502,
  ],
  ['a signature by another key', { signsWithAnotherKey: true }, 'idp-invalid-token', 502],
  ['a key id nobody published', { header: { kid: 'other' } }, 'idp-invalid-token', 502],
  ['the type of an access token', { header: { typ: 'at+jwt' } }, 'idp-invalid-token', 502],
  ['another issuer', { claims: { iss: 'https://evil.example' } }, 'idp-invalid-token', 502],
  ['another audience', { claims: { aud: 'other' } }, 'idp-invalid-token', 502],
  ['several audiences and no authorized party', { claims: { aud: [clientId, 'x'] } }, 'idp-invalid-token', 502],
  ['another authorized party', { claims: { azp: 'other' } }, 'idp-invalid-token', 502],
  ['an expired ID token', { claims: { exp: now() - 600 } }, 'idp-invalid-token', 502],
  ['no expiry', { claims: { exp: undefined } }, 'idp-invalid-token', 502],
  ['an ID token issued tomorrow', { claims: { iat: now() + 86_400 } }, 'idp-invalid-token', 502],
  ['no issue time', { claims: { iat: undefined } }, 'idp-invalid-token', 502],
  ['no subject', { claims: { sub: undefined } }, 'idp-invalid-token', 502],
  ['an empty subject', { claims: { sub: '' } }, 'idp-invalid-token', 502],
  ['a number as the subject', { claims: { sub: 7 } }, 'idp-invalid-token', 502],
  ['userinfo about somebody else', { userinfo: () => Response.json({ sub: 'E-2' }) }, 'idp-invalid-token', 502],
  [
    'signed userinfo with a wrong signature',
    {
      userinfo: async () => {
        const signed = await provider.sign({ iss: provider.issuer, aud: clientId, sub: 'E-1' });
        return text(`${signed.slice(0, -4)}AAAA`, 200, 'application/jwt');
      },
    },
    'idp-invalid-token',
    502,
  ],
  ['userinfo 500', { userinfo: () => text('oops', 500) }, 'idp-bad-response', 502],
  ['userinfo 401', { userinfo: () => refusal('invalid_token', 401) }, 'idp-bad-response', 502],
  ['userinfo in HTML', { userinfo: () => text('<html>', 200, 'text/html') }, 'idp-bad-response', 502],
  ['tokens: 500', { token: () => text('oops', 500) }, 'idp-bad-response', 502],
  ['tokens: HTML', { token: () => text('<html>', 200, 'text/html') }, 'idp-bad-response', 502],
  ['tokens: an array', { token: () => Response.json([]) }, 'idp-bad-response', 502],
  ['tokens: null', { token: () => Response.json(null) }, 'idp-bad-response', 502],
  ['tokens: no access token', { token: () => Response.json({ token_type: 'Bearer' }) }, 'idp-bad-response', 502],
  ['tokens: a redirect', { token: () => Response.redirect('http://localhost:1/') }, 'idp-bad-response', 502],
  ['tokens: 4xx without an error code', { token: () => text('no', 418, 'text/plain') }, 'idp-bad-response', 502],
  ['tokens: 429', { token: () => text('slow down', 429) }, 'idp-unavailable', 503],
  [
    'tokens: temporarily_unavailable, with 503',
    { token: () => refusal('temporarily_unavailable', 503) },
    'idp-unavailable',
    503,
  ],
  ['tokens: 503', { token: () => text('no', 503) }, 'idp-bad-response', 502],
  ['tokens: 401 without an error code', { token: () => text('no', 401) }, 'idp-configuration', 502],
  [
    'tokens: invalid_grant with a challenge',
    { token: () => refusal('invalid_grant', 401, { 'www-authenticate': 'Basic realm="x"' }) },
    'code-rejected',
    400,
  ],
  ['tokens: temporarily_unavailable', { token: () => refusal('temporarily_unavailable') }, 'idp-unavailable', 503],
  ['tokens: 30 MB', { token: () => text(`"${'x'.repeat(30_000_000)}"`) }, 'idp-bad-response', 502],
  ['tokens: invalid_grant', { token: () => refusal('invalid_grant') }, 'code-rejected', 400],
  ['tokens: a refusal of its own, with 403', { token: () => refusal('invalid_code', 403) }, 'code-rejected', 400],
  ['tokens: invalid_client', { token: () => refusal('invalid_client', 401) }, 'idp-configuration', 502],
  ['tokens: unauthorized_client', { token: () => refusal('unauthorized_client') }, 'idp-configuration', 502],
  [
    'tokens: invalid_client with a challenge',
    { token: () => refusal('invalid_client', 401, { 'www-authenticate': 'Basic realm="x"' }) },
    'idp-configuration',
    502,
  ],
];

describe('each wrong answer from the provider gets its own problem', () => {
  test.each(lies)('%s', async (_, lie, code, status) => {
    provider.lie = lie;
    const response = await exchange();
    expect(response.headers.has('retry-after')).toBe(status === 503);
    const copy = await response.clone().text();
    for (const secret of ['told-by-provider', 'provider-access-token', 'oops', 'eyJ', `code-${codes}`]) {
      expect(copy).not.toContain(secret);
    }
    await expectProblem(response, code, status);
  });

  test('keys: 500, HTML or no key set', async () => {
    for (const keys of [() => text('oops', 500), () => text('<html>', 200, 'text/html'), () => Response.json({})]) {
      const fresh = await startFrontdesk(provider.env);
      provider.lie = { keys };
      const response = await exchange('', fresh);
      provider.lie = {};
      const next = await exchange('', fresh);
      await fresh.stop();
      await expectProblem(response, 'idp-bad-response', 502);
      expect(next.status).toBe(200);
    }
  });

  test('two keys and no key id', async () => {
    const fresh = await startFrontdesk(provider.env);
    const { publicJwk } = provider;
    provider.lie = {
      header: { kid: undefined },
      keys: () => Response.json({ keys: [publicJwk, { ...publicJwk, kid: 'b' }] }),
    };
    const response = await exchange('', fresh);
    await fresh.stop();
    await expectProblem(response, 'idp-invalid-token', 502);
  });

  test('the nonce of a sign-in, wrong or missing', async () => {
    provider.lie = { claims: { nonce: 'other' } };
    await expectProblem(await exchange('&nonce=mine'), 'login-mismatch', 400);
    provider.lie = {};
    await expectProblem(await exchange('&nonce=mine'), 'login-mismatch', 400);
    provider.lie = { claims: { nonce: 'mine' } };
    expect((await exchange('&nonce=mine')).status).toBe(200);
  });
});

test.each([
  ['one audience in an array', { aud: [clientId] }],
  ['several audiences and us as the authorized party', { aud: [clientId, 'other'], azp: clientId }],
  ['a clock that is half a minute ahead', { iat: now() + 30 }],
])('%s is accepted', async (_, claims) => {
  provider.lie = { claims };
  expect((await exchange()).status).toBe(200);
});

describe('slow answers', () => {
  test('a token endpoint that never answers times out, and so does a body that stalls', async () => {
    const stalling = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"access_token":')),
        }),
        { headers: { 'content-type': 'application/json' } },
      );
    let calls = 0;
    provider.lie = { token: () => (++calls === 1 ? new Promise(() => {}) : stalling()) };
    // Sent at the same time, because each waits for the whole time limit.
    for (const response of await Promise.all([exchange(), exchange()])) {
      await expectProblem(response, 'idp-timeout', 504);
    }
    expect(calls).toBe(2);
  });

  test('an answer that is cut off after its headers is a bad answer', async () => {
    const port = freePort();
    const raw = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"acc');
        setTimeout(() => socket.destroy(), 50);
      });
    }).listen(port, 'localhost');
    const cutting = await startHostileProvider();
    cutting.lie = { discovery: { token_endpoint: `http://localhost:${port}/token` } };
    const own = await startFrontdesk(cutting.env);
    const response = await exchange('', own);
    await own.stop();
    cutting.stop();
    raw.close();
    await expectProblem(response, 'idp-bad-response', 502);
  });
});

describe('the provider is unavailable', () => {
  test('Frontdesk starts without it, says 503, and finds it without a restart', async () => {
    const late = await startHostileProvider();
    late.stop();
    const own = await startFrontdesk(late.env);
    const login = await own.get('/auth/login');
    expect(login.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectProblem(login, 'idp-unavailable', 503);
    await expectProblem(await exchange('', own), 'idp-unavailable', 503);
    expect((await own.get('/health/ready')).status).toBe(200);
    late.start();
    let status = 503;
    await until(async () => {
      ({ status } = await exchange('', own));
      return status !== 503;
    });
    await own.stop();
    late.stop();
    expect(status).toBe(200);
  });

  test('a code that could not be sent still works later', async () => {
    const away = await startHostileProvider();
    const own = await startFrontdesk(away.env);
    expect((await exchange('', own)).status).toBe(200);
    away.stop();
    const path = '/auth/login/callback?code=met-the-outage';
    const during = await own.get(path);
    away.start();
    const after = await own.get(path);
    const replay = await own.get(path);
    await own.stop();
    away.stop();
    await expectProblem(during, 'idp-unavailable', 503);
    expect(after.status).toBe(200);
    await expectProblem(replay, 'code-rejected', 400);
  });

  test('a code that the provider may have seen is not sent to it again', async () => {
    const path = `/auth/login/callback?code=code-${++codes}`;
    provider.lie = { token: () => text('', 500) };
    await expectProblem(await desk.get(path), 'idp-bad-response', 502);
    provider.lie = {};
    const calls = provider.calls.get('/token');
    await expectProblem(await desk.get(path), 'code-rejected', 400);
    expect(provider.calls.get('/token')).toBe(calls);
  });

  test('lists, tokens and /auth/me work without it', async () => {
    const away = await startHostileProvider();
    const own = await startFrontdesk(away.env);
    const { accessToken } = (await (await exchange('', own)).json()) as { accessToken: string };
    away.stop();
    const answers = await Promise.all(
      ['/employee/position', '/auth/me', '/health/ready'].map((path) => own.get(path, bearer(accessToken))),
    );
    await own.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['no keys', { jwks_uri: undefined }],
    ['a userinfo endpoint that is not http', { userinfo_endpoint: 'ftp://localhost/' }],
    ['an endpoint that is not http', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('a provider whose discovery has %s counts as unavailable, and the log has an error', async (_, discovery) => {
    const wrong = await startHostileProvider();
    wrong.lie = { discovery };
    const own = await startFrontdesk(wrong.env);
    const response = await own.get('/auth/login');
    const lines = own.logged.map((line) => JSON.parse(line) as { level: number; msg: string });
    await own.stop();
    wrong.stop();
    await expectProblem(response, 'idp-unavailable', 503);
    expect(lines.some(({ level, msg }) => level === 50 && msg.includes('discovery of the provider failed'))).toBe(true);
  });
});

describe('the provider changes', () => {
  test('userinfo that is signed is verified and used', async () => {
    provider.lie = {
      userinfo: async () => {
        const claims = { iss: provider.issuer, aud: clientId, sub: 'E-1', name: 'Signed Name' };
        return text(await provider.sign(claims), 200, 'application/jwt');
      },
    };
    const { accessToken } = (await (await exchange()).json()) as { accessToken: string };
    const me = (await (await desk.get('/auth/me', bearer(accessToken))).json()) as { name: string };
    expect(me.name).toBe('Signed Name');
  });

  test.each<[string, { iss?: true; aud?: string | string[] }]>([
    ['neither issuer nor audience', {}],
    ['no audience', { iss: true }],
    ['no issuer', { aud: clientId }],
    ['us among its audiences', { iss: true, aud: ['other', clientId] }],
  ])('signed userinfo with %s is used: OpenID Connect Core 5.3.2 says SHOULD', async (_, { iss, aud }) => {
    provider.lie = {
      userinfo: async () => {
        const claims = { sub: 'E-1', name: 'Signed Name', ...(iss && { iss: provider.issuer }), ...(aud && { aud }) };
        return text(await provider.sign(claims), 200, 'application/jwt');
      },
    };
    const { accessToken } = (await (await exchange()).json()) as { accessToken: string };
    const me = (await (await desk.get('/auth/me', bearer(accessToken))).json()) as { name: string };
    expect(me.name).toBe('Signed Name');
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['an empty issuer', { iss: '' }],
    ['another audience', { aud: 'other' }],
    ['other audiences', { aud: ['other', 'more'] }],
    ['no audience in a list', { aud: [] }],
  ])('signed userinfo with %s is refused', async (_, wrong) => {
    provider.lie = {
      userinfo: async () => text(await provider.sign({ sub: 'E-1', ...wrong }), 200, 'application/jwt'),
    };
    await expectProblem(await exchange(), 'idp-invalid-token', 502);
  });

  test('sign-ins work at a provider without userinfo', async () => {
    const plain = await startHostileProvider();
    plain.lie = { discovery: { userinfo_endpoint: undefined }, claims: { name: 'From Token' } };
    const own = await startFrontdesk(plain.env);
    const { accessToken } = (await (await exchange('', own)).json()) as { accessToken: string };
    const me = (await (await own.get('/auth/me', bearer(accessToken))).json()) as { name: string };
    await own.stop();
    plain.stop();
    expect(me.name).toBe('From Token');
  });

  test('a key changed between two sign-ins is fetched at once, however soon the next one follows', async () => {
    const rotating = await startHostileProvider();
    const own = await startFrontdesk(rotating.env);
    const statuses = [(await exchange('', own)).status];
    for (let rotations = 0; rotations < 3; rotations++) {
      await rotating.rotate();
      statuses.push((await exchange('', own)).status);
    }
    const fetches = rotating.calls.get('/keys');
    await own.stop();
    rotating.stop();
    expect([statuses, fetches]).toEqual([[200, 200, 200, 200], 4]);
  });

  test('an unknown key is fetched at most once in 5 s, and found once it is published', async () => {
    const late = await startHostileProvider();
    const own = await startFrontdesk(late.env);
    const statuses = [(await exchange('', own)).status];
    const [old] = [late.publicJwk];
    await late.rotate();
    late.lie = { keys: () => Response.json({ keys: [old] }) };
    for (let tries = 0; tries < 3; tries++) statuses.push((await exchange('', own)).status);
    const fetches = late.calls.get('/keys');
    late.lie = {};
    statuses.push((await exchange('', own)).status);
    own.advance(5);
    statuses.push((await exchange('', own)).status);
    await own.stop();
    late.stop();
    expect(statuses).toEqual([200, 502, 502, 502, 502, 200]);
    expect([fetches, late.calls.get('/keys')]).toEqual([2, 3]);
  });

  test('keys that could not be fetched are requested again 5 s later', async () => {
    const failing = await startHostileProvider();
    const own = await startFrontdesk(failing.env);
    const statuses = [(await exchange('', own)).status];
    await failing.rotate();
    failing.lie = { keys: () => text('down', 500) };
    statuses.push((await exchange('', own)).status);
    failing.lie = {};
    own.advance(5);
    statuses.push((await exchange('', own)).status);
    await own.stop();
    failing.stop();
    expect(statuses).toEqual([200, 502, 200]);
  });

  test('a discovery that is repeated because of invalid answers is retried until it succeeds', async () => {
    const moving = await startHostileProvider();
    const own = await startFrontdesk(moving.env);
    expect((await exchange('', own)).status).toBe(200);
    own.advance(31);
    const later = { claims: { iat: now() + 31, exp: now() + 331 } };
    const discoveries = () => own.logged.filter((line) => line.includes('identity provider found')).length;
    const before = discoveries();
    moving.lie = { ...later, token: () => text('moved', 500), discovery: { issuer: 'https://evil.example' } };
    const during = (await exchange('', own)).status;
    await until(async () => own.logged.some((line) => line.includes('discovery of the provider failed')));
    moving.lie = { ...later, discovery: { token_endpoint: `${moving.issuer}/token2` } };
    // The provider is discovered again without another sign-in.
    await until(async () => discoveries() > before);
    const after = (await exchange('', own)).status;
    await own.stop();
    moving.stop();
    expect([during, after, moving.calls.get('/token2')]).toEqual([502, 200, 1]);
  });

  test('all sign-ins succeed while a new key is fetched', async () => {
    const rotating = await startHostileProvider();
    const own = await startFrontdesk(rotating.env);
    await exchange('', own);
    await rotating.rotate();
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange('', own)));
    await own.stop();
    rotating.stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  test('a key that the provider has withdrawn is no longer accepted after a while', async () => {
    const withdrawing = await startHostileProvider();
    const own = await startFrontdesk(withdrawing.env);
    expect((await exchange('', own)).status).toBe(200);
    const [old] = [withdrawing.publicJwk];
    withdrawing.lie = { keys: () => Response.json({ keys: [{ ...old, kid: 'another' }] }) };
    const meanwhile = (await exchange('', own)).status;
    own.advance(601);
    withdrawing.lie = { ...withdrawing.lie, claims: { iat: now() + 601, exp: now() + 901 } };
    await exchange('', own);
    let status = 200;
    for (let tries = 0; status === 200 && tries < 50; tries++) ({ status } = await exchange('', own));
    await own.stop();
    withdrawing.stop();
    expect([meanwhile, status]).toEqual([200, 502]);
  });

  test('a provider that moved is discovered again, and its last valid keys are kept', async () => {
    const moving = await startHostileProvider();
    const own = await startFrontdesk(moving.env);
    expect((await exchange('', own)).status).toBe(200);
    own.advance(31);
    const later = { claims: { iat: now() + 31, exp: now() + 331 }, keys: () => text('down', 500) };
    moving.lie = {
      ...later,
      token: () => text('moved', 500),
      discovery: { token_endpoint: `${moving.issuer}/token2` },
    };
    const during = (await exchange('', own)).status;
    await until(async () => moving.calls.get('/.well-known/openid-configuration') === 2);
    moving.lie = later;
    // The answer to the second discovery request may not have arrived yet.
    let after = 0;
    await until(async () => {
      ({ status: after } = await exchange('', own));
      return moving.calls.get('/token2') !== undefined;
    });
    const asked = moving.calls.get('/token2');
    await own.stop();
    moving.stop();
    expect([during, after, asked]).toEqual([502, 200, 1]);
  });

  test.each(['', '/', '/realms/acme', '/realms/acme/'])(
    'an issuer ending in %p is found with and without a slash',
    async (path) => {
      const slashed = await startHostileProvider(undefined, path);
      const results: number[] = [];
      for (const issuer of [slashed.issuer.replace(/\/$/, ''), `${slashed.issuer.replace(/\/$/, '')}/`]) {
        const own = await startFrontdesk({ ...slashed.env, OIDC_ISSUER: issuer });
        results.push((await exchange('', own)).status);
        await own.stop();
      }
      slashed.stop();
      expect(results).toEqual([200, 200]);
    },
  );

  test('the last good keys serve while the key endpoint is down', async () => {
    expect((await exchange()).status).toBe(200);
    provider.lie = { keys: () => text('down', 500) };
    expect((await exchange()).status).toBe(200);
  });

  test('the client authenticates in the form if OIDC_CLIENT_AUTH says so', async () => {
    const forms: string[] = [];
    const headers: (string | null)[] = [];
    const recording = async (request: Request) => {
      forms.push(await request.text());
      headers.push(request.headers.get('authorization'));
      return refusal('invalid_grant');
    };
    for (const auth of ['basic', 'post', 'none']) {
      const own = await startFrontdesk({ ...provider.env, OIDC_CLIENT_AUTH: auth });
      provider.lie = { token: recording };
      await exchange('', own);
      await own.stop();
    }
    expect(headers).toEqual([`Basic ${btoa('desk:a+secret')}`, null, null]);
    expect(forms.map((form) => new URLSearchParams(form).get('client_secret'))).toEqual([null, 'a secret', null]);
    expect(forms.map((form) => new URLSearchParams(form).get('client_id'))).toEqual([null, 'desk', 'desk']);
  });
});

describe('the algorithm of its tokens', () => {
  const announcing = (...algs: string[]) => ({ id_token_signing_alg_values_supported: algs });

  test.each([
    ['generic accepts what discovery announces', {}, 'ES256', announcing('RS256', 'ES256'), 200],
    ['generic accepts every asymmetric algorithm if nothing is announced', {}, 'PS256', announcing(), 200],
    ['generic refuses what is not announced', {}, 'ES256', announcing('RS256'), 502],
    [
      'generic refuses everything if only "none" and symmetric algorithms are announced',
      {},
      'RS256',
      announcing('none', 'HS256'),
      502,
    ],
    ['a product preset accepts RS256', { OIDC_PRESET: 'okta' }, 'RS256', announcing('RS256', 'ES256'), 200],
    ['a product preset refuses the others', { OIDC_PRESET: 'okta' }, 'ES256', announcing('RS256', 'ES256'), 502],
    [
      'OIDC_SIGNING_ALG takes precedence over the preset',
      { OIDC_PRESET: 'okta', OIDC_SIGNING_ALG: 'ES256' },
      'ES256',
      {},
      200,
    ],
    [
      'OIDC_SIGNING_ALG excludes every other algorithm',
      { OIDC_SIGNING_ALG: 'ES256' },
      'RS256',
      announcing('RS256', 'ES256'),
      502,
    ],
  ] as const)('%s', async (_, env, alg, discovery, expected) => {
    const signing = await startHostileProvider();
    const { id_token_signing_alg_values_supported: algs } = discovery as { id_token_signing_alg_values_supported?: [] };
    signing.lie = { discovery: { id_token_signing_alg_values_supported: algs?.length === 0 ? undefined : algs } };
    await signing.rotate(alg);
    const own = await startFrontdesk({ ...signing.env, ...env });
    const signIn = await exchange('', own);
    const claims = { iss: signing.issuer, aud: clientId, iat: now(), exp: now() + 60, jti: 'x', sid: 'S' };
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const logout = await fetch(`${own.url}/auth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: await signing.sign({ ...claims, events }) }),
    });
    const reasons = own.logged.map((line) => (JSON.parse(line) as { reason?: string }).reason);
    await own.stop();
    signing.stop();
    expect([signIn.status, logout.status]).toEqual([expected, expected === 200 ? 200 : 400]);
    expect(reasons.some((reason) => reason?.includes('OIDC_SIGNING_ALG'))).toBe(expected !== 200);
  });

  test('signed userinfo may use a different one', async () => {
    const signing = await startHostileProvider();
    const own = await startFrontdesk({ ...signing.env, OIDC_PRESET: 'keycloak' });
    const [idTokenKey, sign] = [signing.publicJwk, signing.sign];
    const idToken = await sign({ iss: signing.issuer, aud: clientId, sub: 'E-1', iat: now(), exp: now() + 300 });
    await signing.rotate('ES256');
    const keys = () => Response.json({ keys: [idTokenKey, signing.publicJwk] });
    const userinfo = async () => text(await signing.sign({ sub: 'E-1' }), 200, 'application/jwt');
    signing.lie = { keys, userinfo, idToken: () => idToken };
    const { status } = await exchange('', own);
    await own.stop();
    signing.stop();
    expect(status).toBe(200);
  });
});

describe('the identity of a person', () => {
  test.each([
    ['no employee ID', { EMPLOYEE_ID_CLAIM: 'employee_number' }, {}],
    ['an employee ID with a space at its end', { EMPLOYEE_ID_CLAIM: 'emp' }, { emp: 'E-9 ' }],
    ['more roles than fit in a token', {}, { roles: Array.from({ length: 500 }, (_, i) => `CN=Group ${i},OU=Groups`) }],
    ['groups that were left out', {}, { _claim_names: { groups: 'src1' } }],
  ])('%s is refused, and the log says why', async (_, env, claims) => {
    const own = await startFrontdesk({ ...provider.env, ...env });
    provider.lie = { claims };
    const response = await exchange('', own);
    const lines = own.logged.map((line) => JSON.parse(line) as { code?: string; reason?: string });
    await own.stop();
    await expectProblem(response, 'account-not-permitted', 403);
    expect(lines.find(({ code }) => code === 'account-not-permitted')?.reason).toBeString();
  });

  test("with a new employee ID, a person's sessions under the old one end", async () => {
    const own = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'emp' });
    const as = async (sub: string, emp: string) => {
      provider.lie = { claims: { sub, emp }, userinfo: () => Response.json({ sub }) };
      const { accessToken } = (await (await exchange('', own)).json()) as { accessToken: string };
      return accessToken;
    };
    const [old, renamed, successor] = [
      await as('alice', 'E-OLD'),
      await as('alice', 'E-NEW'),
      await as('bob', 'E-OLD'),
    ];
    const statusOf = async (token: string) => (await own.get('/auth/me', bearer(token))).status;
    await until(async () => (await statusOf(old)) === 401);
    const statuses = [await statusOf(renamed), await statusOf(successor)];
    await own.stop();
    expect(statuses).toEqual([200, 200]);
  });

  test('five hundred roles of the usual length fit, and the token works', async () => {
    const roles = Array.from({ length: 500 }, (_, index) => `ROLE_${index}`);
    provider.lie = { claims: { roles } };
    const { accessToken } = (await (await exchange()).json()) as { accessToken: string };
    const me = (await (await desk.get('/auth/me', bearer(accessToken))).json()) as { roles: string[] };
    expect(me.roles).toEqual(roles);
  });

  test('an employee ID belongs to one account: another that claims it is refused', async () => {
    const own = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'emp' });
    const claiming = async (sub: string) => {
      provider.lie = {
        claims: { sub, emp: 'E-77', email: 'same@example.com' },
        userinfo: () => Response.json({ sub }),
      };
      return exchange('', own);
    };
    const [first, other, again] = [await claiming('one'), await claiming('two'), await claiming('one')];
    await own.stop();
    expect(first.status).toBe(200);
    await expectProblem(other, 'account-not-permitted', 403);
    expect(again.status).toBe(200);
  });
});

test('the log has nothing from the provider, except its explanations of errors', () => {
  const lines = desk.logged.join('');
  expect(lines).toContain('idp-configuration');
  expect(lines).toContain('"providerText":"told-by-provider"');
  for (const secret of ['provider-access-token', 'eyJ', 'a secret', 'Erin', 'erin@']) {
    expect(lines).not.toContain(secret);
  }
});
