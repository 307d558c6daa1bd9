// Which tokens are accepted: ours, unchanged, not expired, and only one in a request.

import { beforeAll, describe, expect, test } from 'bun:test';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { createSealer } from '../../src/storage/secret.ts';
import { Browser } from '../support/browser.ts';
import { bearer, codeFromProvider, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const secretKey = 'a test secret that is long enough!';
const desk = shared(() => startFrontdesk({ SECRET_KEY: secretKey }));
let token: string;
let publicJwk: JWK;
let privateKey: Awaited<ReturnType<typeof importJWK>>;
beforeAll(async () => {
  token = await desk.signIn();
  // The service's signing key, to make tokens with a single fault.
  const [row] = await desk.database.query<{ private_key: string; public_key: string }>('select * from signing_key');
  publicJwk = JSON.parse(row?.public_key ?? '');
  const opened = await (await createSealer(secretKey, 'signing keys')).open(row?.private_key ?? '');
  privateKey = await importJWK(JSON.parse(opened ?? ''), 'ES256');
});

const unauthorized = 'Bearer realm="frontdesk"';
const invalid = 'Bearer realm="frontdesk", error="invalid_token", error_description="The access token is invalid"';
const expired = 'Bearer realm="frontdesk", error="invalid_token", error_description="The access token expired"';
const ambiguous = 'Bearer realm="frontdesk", error="invalid_request"';

/** The first route uses the general router, the second the short path for lists. Both refuse in the same way. */
const paths = ['/auth/me', '/employee/position'];

async function expectRefusal(headers: Record<string, string>, challenge: string, query = ''): Promise<void> {
  for (const path of paths) {
    const response = await desk.get(path + query, headers);
    expect([path, response.headers.get('www-authenticate')]).toEqual([path, challenge]);
    if (challenge === unauthorized) await expectProblem(response, 'unauthorized', 401);
    else if (challenge === invalid) await expectProblem(response, 'invalid-token', 401);
    else if (challenge === expired) await expectProblem(response, 'token-expired', 401);
    else await expectProblem(response, 'invalid-request', 400);
  }
}

const seconds = () => Math.floor(Date.now() / 1000);

async function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = privateKey) {
  const honest = {
    iss: desk.url,
    aud: desk.url,
    sub: 'E-1001',
    client_id: 'frontdesk',
    iat: seconds(),
    exp: seconds() + 60,
    jti: 'j',
    sid: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid,
    roles: [],
    ...claims,
  };
  const fullHeader = { alg: 'ES256', typ: 'at+jwt', kid: publicJwk.kid ?? '', ...header };
  return new SignJWT(honest).setProtectedHeader(fullHeader).sign(key);
}

test('a token made as we make ours is accepted, so each of the following is refused only for its own fault', async () => {
  for (const path of paths) expect((await desk.get(path, bearer(await forge()))).status).toBe(200);
});

describe('how the token is sent', () => {
  test.each([
    ['nothing', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['a scheme with commas of its own', { authorization: 'Digest username="a", realm="b"' }],
    ['a scheme and no token', { authorization: 'Bearer' }],
    ['a scheme that only begins with Bearer', { authorization: 'Bearerx abc.def.ghi' }],
  ])('%s does not sign anybody in', (_, headers) => expectRefusal(headers, unauthorized));

  test('a token in the address does not sign anybody in', () =>
    expectRefusal({}, unauthorized, `?access_token=${token}`));

  test('a request with two credentials is refused', async () => {
    await expectRefusal({ authorization: `Bearer ${token}, Bearer ${token}` }, ambiguous);
    await expectRefusal({ authorization: `Basic dXNlcjpwYXNz, Bearer ${token}` }, ambiguous);
    await expectRefusal(bearer(token), ambiguous, `?access_token=${token}`);
  });

  test('the scheme may be written in any case', async () => {
    expect((await desk.get('/auth/me', { authorization: `bearer ${token}` })).status).toBe(200);
    expect((await desk.get('/auth/me', { authorization: `BEARER  ${token}` })).status).toBe(200);
  });

  test('a header over 16 KiB is refused by the server itself', async () => {
    expect((await desk.get('/auth/me', bearer('a'.repeat(17_000)))).status).toBe(431);
  });
});

describe('what the token contains', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const parts = () => token.split('.') as [string, string, string];
  const flip = (text: string) => text.slice(0, -2) + (text.at(-2) === 'A' ? 'B' : 'A') + text.at(-1);

  const wrong: [string, () => string | Promise<string>][] = [
    ['not a token', () => 'nonsense'],
    ['two parts', () => 'a.b'],
    ['five parts', () => 'a.b.c.d.e'],
    ['padding', () => `${token}=`],
    ['characters outside base64url', () => token.replace('.', '.+/')],
    ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt', kid: publicJwk.kid })}.${parts()[1]}.`],
    ['alg none with a signature', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${parts()[1]}.${parts()[2]}`],
    [
      'HS256 with our public key as the secret',
      () => forge({}, { alg: 'HS256' }, new TextEncoder().encode(JSON.stringify(publicJwk).padEnd(32))),
    ],
    ['another signature', () => `${parts()[0]}.${parts()[1]}.${flip(parts()[2])}`],
    ['another payload under the signature', () => `${parts()[0]}.${encode({ sub: 'E-1001', exp: 9e9 })}.${parts()[2]}`],
    ['no key id', () => forge({}, { kid: undefined })],
    ['a key id nobody has', () => forge({}, { kid: 'other' })],
    ['a key id that is a path', () => forge({}, { kid: '../../../dev/null' })],
    ['a key id that is a property of every object', () => forge({}, { kid: '__proto__' })],
    ['a type of another token', () => forge({}, { typ: 'JWT' })],
    ['no type', () => forge({}, { typ: undefined })],
    [
      'a critical extension',
      () =>
        parts()[0] &&
        `${encode({ alg: 'ES256', typ: 'at+jwt', kid: publicJwk.kid, crit: ['x'], x: 1 })}.${parts()[1]}.${parts()[2]}`,
    ],
    ['another issuer', () => forge({ iss: 'https://evil.example' })],
    ['another audience', () => forge({ aud: 'other' })],
    ['a time before which it is not valid', () => forge({ nbf: seconds() + 600 })],
    ['a longer lifetime than any of ours', () => forge({ exp: seconds() + 86_400 * 2 })],
    ['an issue time in the future', () => forge({ iat: seconds() + 600 })],
    ['an expiry that is text', () => forge({ exp: 'tomorrow' })],
    ['no expiry', () => forge({ exp: undefined })],
    ['a number as the subject', () => forge({ sub: 7 })],
    ['an empty subject', () => forge({ sub: '' })],
    ['no session', () => forge({ sid: undefined })],
    ['roles that are not a list', () => forge({ roles: 'LOOKUP_ADMIN' })],
    ...['iss', 'aud', 'sub', 'client_id', 'iat', 'jti', 'roles'].map((claim): [string, () => Promise<string>] => [
      `no ${claim}`,
      () => forge({ [claim]: undefined }),
    ]),
  ];
  test.each(wrong)('%s is refused', async (_, make) => expectRefusal(bearer(await make()), invalid));

  test.each(['jwk', 'jku', 'x5u', 'x5c'])('a key of its own in the header (%s) is not used', async (member) => {
    const own = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const value = { jwk, jku: 'http://localhost:1/', x5u: 'http://localhost:1/', x5c: ['AAAA'] }[member];
    await expectRefusal(bearer(await forge({}, { [member]: value }, own.privateKey)), invalid);
  });

  test("the provider's own ID token is refused", async () => {
    const { desk: own, provider, clientId, clientSecret } = await startWithProvider();
    const code = (await codeFromProvider(own)).searchParams.get('code') ?? '';
    const tokens = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: `${own.url}/auth/login/callback`,
      }),
    });
    const { id_token: idToken } = (await tokens.json()) as { id_token: string };
    const response = await own.get('/auth/me', bearer(idToken));
    await own.stop();
    await provider.close();
    expect(idToken).toMatch(/^eyJ/);
    await expectProblem(response, 'invalid-token', 401);
  });
});

describe('time', () => {
  test('an expired token is refused as expired, even if it was cached as valid', async () => {
    await expectRefusal(bearer(await forge({ exp: seconds() - 10 })), expired);
    const own = await startFrontdesk({ TOKEN_TTL_SECONDS: '60' });
    const mine = await own.signIn();
    expect((await own.get('/employee/position', bearer(mine))).status).toBe(200);
    own.advance(61);
    expect((await own.get('/employee/position', bearer(mine))).status).toBe(200);
    own.advance(5);
    const [list, me] = [await own.get('/employee/position', bearer(mine)), await own.get('/auth/me', bearer(mine))];
    await own.stop();
    expect(list.headers.get('www-authenticate')).toBe(expired);
    await expectProblem(list, 'token-expired', 401);
    await expectProblem(me, 'token-expired', 401);
  });

  test('TOKEN_TTL_SECONDS is the lifetime in the answer and in the token', async () => {
    const own = await startFrontdesk({ TOKEN_TTL_SECONDS: '120', TOKEN_AUDIENCE: 'https://api.example' });
    const { response } = await new Browser().follow(`${own.url}/auth/login?login_hint=E-1001`);
    await own.stop();
    const { accessToken, expirationInSeconds } = (await response.json()) as Record<string, string>;
    const claims = JSON.parse(Buffer.from(accessToken?.split('.')[1] ?? '', 'base64url').toString());
    expect([expirationInSeconds, claims.exp - claims.iat, claims.aud]).toEqual([120, 120, 'https://api.example']);
  });
});

describe('logout', () => {
  const logout = (at: Frontdesk, mine: string) =>
    fetch(`${at.url}/auth/logout`, { method: 'POST', headers: bearer(mine) });

  test('ends the session at once, may be repeated, and survives a restart', async () => {
    let own = await startFrontdesk();
    const [mine, other] = [await own.signIn('E-1001'), await own.signIn('E-1001')];
    expect((await own.get('/employee/position', bearer(mine))).status).toBe(200);
    expect([(await logout(own, mine)).status, (await logout(own, mine)).status]).toEqual([204, 204]);
    const after = await own.get('/employee/position', bearer(mine));
    expect(after.headers.get('www-authenticate')).toBe(invalid);
    await expectProblem(after, 'invalid-token', 401);
    await expectProblem(await own.get('/auth/me', bearer(mine)), 'invalid-token', 401);
    expect((await own.get('/auth/me', bearer(other))).status).toBe(200);

    own = await own.restart();
    const restarted = await own.get('/employee/position', bearer(mine));
    expect((await own.get('/auth/me', bearer(other))).status).toBe(200);
    await own.stop();
    await expectProblem(restarted, 'invalid-token', 401);
  });

  test('of an ended session is answered from memory: nothing is written, however often it is sent', async () => {
    const own = await startFrontdesk();
    const mine = await own.signIn();
    expect((await logout(own, mine)).status).toBe(204);
    const written = () =>
      own.database.query("select number, (select count(*) from audit) as rows from revision where topic = 'sessions'");
    const before = await written();
    // The logouts are sent while nobody can begin a write transaction.
    const unlock = await own.database.lock();
    const answers = await Promise.all(Array.from({ length: 20 }, () => logout(own, mine)));
    await unlock();
    const after = await written();
    await own.stop();
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 204));
    expect(after).toEqual(before);
  });

  test('with a token that is still accepted after its session, due to the clock tolerance, raises no revision', async () => {
    const own = await startFrontdesk({ TOKEN_TTL_SECONDS: '60', SESSION_MAX_SECONDS: '60' });
    const mine = await own.signIn();
    const revisions = () => own.database.query('select * from revision order by topic');
    const before = await revisions();
    own.advance(61);
    const { status } = await logout(own, mine);
    const after = await revisions();
    await own.stop();
    expect(status).toBe(204);
    expect(after).toEqual(before);
  });

  test('cannot be undone by writing the same token differently', async () => {
    const mine = await desk.signIn();
    await logout(desk, mine);
    // The last character of a 64-byte signature has four unused bits, so the next letter gives the same signature.
    const twin = mine.slice(0, -1) + String.fromCharCode(mine.charCodeAt(mine.length - 1) + 1);
    for (const each of [mine, twin]) await expectRefusal(bearer(each), invalid);
  });

  test('needs a token that is valid except for its session', async () => {
    await expectProblem(await fetch(`${desk.url}/auth/logout`, { method: 'POST' }), 'unauthorized', 401);
    await expectProblem(await logout(desk, 'nonsense'), 'invalid-token', 401);
    await expectProblem(await logout(desk, await forge({ exp: seconds() - 10 })), 'token-expired', 401);
  });
});

test('a deleted person is refused', async () => {
  const own = await startFrontdesk();
  const mine = await own.signIn();
  await own.database.query('delete from session');
  await own.database.query('delete from person');
  const response = await own.get('/auth/me', bearer(mine));
  await own.stop();
  await expectProblem(response, 'invalid-token', 401);
});

describe('keys', () => {
  test.each(['ES256', 'RS256', 'EdDSA'])('TOKEN_ALG=%s signs tokens that pass, with a published key', async (alg) => {
    const own = await startFrontdesk({ TOKEN_ALG: alg });
    const mine = await own.signIn();
    const status = (await own.get('/auth/me', bearer(mine))).status;
    const { keys } = (await (await own.get('/.well-known/jwks.json')).json()) as { keys: JWK[] };
    await own.stop();
    expect(status).toBe(200);
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ alg, use: 'sig', kid: expect.any(String) });
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(keys[0]).not.toHaveProperty(secret);
  });

  test('a changed TOKEN_ALG publishes a new key, signs with it ten minutes later, and old tokens stay valid', async () => {
    let own = await startFrontdesk({ SECRET_KEY: secretKey });
    const before = await own.signIn();
    own = await own.restart({ TOKEN_ALG: 'EdDSA' });
    const algs = async () => {
      const { keys } = (await (await own.get('/.well-known/jwks.json')).json()) as { keys: JWK[] };
      return keys.map(({ alg }) => alg).sort();
    };
    const algOf = (each: string) => JSON.parse(Buffer.from(each.split('.')[0] ?? '', 'base64url').toString()).alg;
    const published = await algs();
    const meanwhile = await own.signIn();
    own.advance(600);
    await own.runHousekeeping();
    own.advance(-600);
    const after = await own.signIn();
    const tokens = [before, meanwhile, after];
    const statuses = await Promise.all(tokens.map(async (each) => (await own.get('/auth/me', bearer(each))).status));
    await own.stop();
    expect(published).toEqual(['ES256', 'EdDSA']);
    expect(tokens.map(algOf)).toEqual(['ES256', 'ES256', 'EdDSA']);
    expect(statuses).toEqual([200, 200, 200]);
  });

  test('are encrypted in the database', async () => {
    const [row] = await desk.database.query<{ private_key: string }>('select private_key from signing_key');
    expect(row?.private_key).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(Buffer.from(row?.private_key.split('.')[0] ?? '', 'base64url').toString()).toBe(
      '{"alg":"dir","enc":"A256GCM"}',
    );
  });

  test('the metadata leads other services to them', async () => {
    const metadata = await (await desk.get('/.well-known/oauth-authorization-server')).json();
    expect(metadata).toMatchObject({ issuer: desk.url, jwks_uri: `${desk.url}/.well-known/jwks.json` });
  });
});
