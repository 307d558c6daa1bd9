// Programs: an operator registers them, and they sign in with an assertion. They have their own rights, and nothing that only
// people have.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLocalJWKSet, decodeJwt, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  addCaller,
  addOwnKeyCaller,
  jwtBearer,
  keyFile,
  makeSigner,
  ownClaims,
  postForm,
  requestToken,
  runCallers,
  type Signer,
  type TokenAnswer,
  tokenFrom,
} from '../support/callers.ts';
import { bearer, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let issuer: HostileProvider;
let signer: Signer;
/** Each call returns a new access token. */
let reader: () => Promise<string>;
let keeper: () => Promise<string>;

beforeAll(async () => {
  desk = await startFrontdesk({ KEEP_ACR_VALUES: 'urn:example:second-factor' });
  issuer = await startHostileProvider();
  signer = await makeSigner('first');
  reader = await addOwnKeyCaller(desk, 'payroll', signer);
  keeper = await addOwnKeyCaller(desk, 'pipeline', await makeSigner(), 'LOOKUP_ADMIN');
});
afterAll(async () => {
  issuer.stop();
  await desk.stop();
});

const audit = async (...filters: string[]) => {
  const { stdout } = await runToEnd(['audit', '--json', ...filters], desk.commandEnv, desk.folder);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

const rename = (token: string, version: number, label: string) =>
  fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
    method: 'PATCH',
    headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` },
    body: JSON.stringify({ label }),
  });

describe('the access token', () => {
  test('is one of RFC 9068 that names the program, lasts 15 minutes, and is never cached', async () => {
    const response = await requestToken(desk, await signer.sign(ownClaims('payroll', desk.url)));
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const answer = (await response.json()) as TokenAnswer;
    expect(answer).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900 });
    const keys = (await (await desk.get('/.well-known/jwks.json')).json()) as JSONWebKeySet;
    const { payload } = await jwtVerify(answer.access_token, createLocalJWKSet(keys), {
      issuer: desk.url,
      audience: desk.url,
      typ: 'at+jwt',
    });
    expect(payload).toEqual({
      iss: desk.url,
      aud: desk.url,
      sub: 'caller:payroll',
      client_id: 'payroll',
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jti: expect.any(String),
      roles: [],
      iat: expect.any(Number),
      exp: Number(payload.iat) + 900,
    });
  });

  test("lasts no longer than a person's", async () => {
    const short = await startFrontdesk({ TOKEN_TTL_SECONDS: '60' });
    const token = await (await addOwnKeyCaller(short, 'payroll', signer))();
    const { exp = 0, iat = 0 } = decodeJwt(token);
    expect(exp - iat).toBe(60);
    await short.stop();
  });

  test('opens the lists and the check of stored values', async () => {
    const token = await reader();
    expect((await desk.get('/employee/position', bearer(token))).status).toBe(200);
    const checked = await fetch(`${desk.url}/lookups/validate`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ position: 'ACCOUNTANT' }),
    });
    expect([checked.status, await checked.json()]).toEqual([200, expect.objectContaining({ valid: true })]);
  });

  test.each([
    ['GET', '/auth/me'],
    ['GET', '/auth/sessions'],
    ['DELETE', `/auth/sessions/${crypto.randomUUID()}`],
    ['POST', '/auth/logout'],
  ])('does not open %s %s, which is for people', async (method, path) => {
    const token = await reader();
    await expectProblem(await fetch(desk.url + path, { method, headers: bearer(token) }), 'not-a-person', 403);
    expect((await desk.get('/employee/position', bearer(token))).status).toBe(200);
  });

  test('opens what its roles open, and nothing else', async () => {
    await expectProblem(await desk.get('/admin/lookups', bearer(await reader())), 'forbidden', 403);
    expect((await desk.get('/admin/lookups', bearer(await keeper()))).status).toBe(200);
  });

  test('of a planner shows the lists as keepers see them and what a document would change, and changes nothing', async () => {
    const plan = await (await addOwnKeyCaller(desk, 'pull-request', await makeSigner(), 'LOOKUP_PLANNER'))();
    const send = (method: string, path: string, body?: unknown) =>
      fetch(desk.url + path, {
        method,
        headers: { ...bearer(plan), 'content-type': 'application/json', 'if-match': '"1"' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    for (const path of ['', '/position', '/position/history']) {
      expect([path, (await send('GET', `/admin/lookups${path}`)).status]).toEqual([path, 200]);
    }
    const document = { lists: { position: { items: [{ value: 'ACCOUNTANT', label: 'Changed' }] } } };
    const planned = await send('POST', '/admin/lookups/plan', document);
    expect([planned.status, await planned.json()]).toEqual([
      200,
      expect.objectContaining({ changes: [expect.anything()] }),
    ]);
    for (const [method, path, body] of [
      ['POST', '/admin/lookups/apply', document],
      ['POST', '/admin/lookups', { list: 'other', title: 'Other' }],
      ['POST', '/admin/lookups/position/items', { value: 'NEW', label: 'New' }],
      ['PATCH', '/admin/lookups/position/items/ACCOUNTANT', { label: 'Changed' }],
      ['POST', '/admin/lookups/position/items/ACCOUNTANT/retire', {}],
      ['POST', '/admin/lookups/position/items/ACCOUNTANT/restore', {}],
      ['PUT', '/admin/lookups/position/order', { values: [] }],
      ['POST', '/admin/lookups/position/undo', { version: 1 }],
      ['GET', '/admin/audit', undefined],
    ] as const) {
      await expectProblem(await send(method, path, body), 'forbidden', 403);
    }
  });

  test('needs no stronger sign-in for a change, and the history and the audit have the change under its name', async () => {
    const token = await keeper();
    expect((await rename(await desk.signIn('E-1001'), 1, 'Chief')).status).toBe(401);
    expect((await rename(token, 1, 'Chief')).status).toBe(200);
    const history = await desk.get('/admin/lookups/employee-level/history', bearer(token));
    expect((await history.json()) as unknown[]).toContainEqual(
      expect.objectContaining({ version: 2, by: 'caller:pipeline' }),
    );
    const rows = await audit('--person', 'caller:pipeline', '--type', 'list-changed');
    expect(rows).toEqual([expect.objectContaining({ session: decodeJwt(token).sid })]);
  });
});

describe('a program signs in with tokens from an issuer', () => {
  const subject = 'system:serviceaccount:payroll:worker';
  const claims = (changes: Record<string, unknown> = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: issuer.issuer, sub: subject, aud: desk.url, iat: now, exp: now + 3600, ...changes };
  };
  const known = async () => (await requestToken(desk, await issuer.sign(claims()))).status === 200;

  test('whose keys are found by discovery; a token works as often as it is sent', async () => {
    await addCaller(desk, 'worker', '--issuer', issuer.issuer, '--subject', subject, '--roles', 'LOOKUP_ADMIN');
    await until(known);
    const assertion = await issuer.sign(claims());
    for (let round = 0; round < 2; round++) {
      const token = await tokenFrom(await requestToken(desk, assertion));
      expect(decodeJwt(token)).toMatchObject({ sub: 'caller:worker', client_id: 'worker', roles: ['LOOKUP_ADMIN'] });
    }
  });

  test('whose keys are at an address that was registered', async () => {
    const other = await startHostileProvider();
    other.lie = { discovery: { jwks_uri: 'http://localhost:1/wrong' } };
    const named = { iss: other.issuer, sub: 'x' };
    await addCaller(desk, 'by-address', '--issuer', other.issuer, '--subject', 'x', '--jwks', `${other.issuer}/keys`);
    await until(async () => (await requestToken(desk, await other.sign(claims(named)))).status === 200);
    expect(other.calls.get('/.well-known/openid-configuration')).toBeUndefined();
    other.stop();
  });

  test('whose keys are in a file, with its own audience; the issuer is never called', async () => {
    const { signer: cluster, issuer: iss } = {
      signer: await makeSigner('c', 'RS256'),
      issuer: 'https://cluster.invalid',
    };
    const file = keyFile(desk, { keys: [cluster.publicJwk, { ...cluster.publicJwk, kid: 'e', use: 'enc' }] });
    const named = ['--issuer', iss, '--subject', subject, '--jwks', file, '--audience', 'frontdesk'];
    await addCaller(desk, 'pod', ...named);
    const send = async (aud: unknown) => (await requestToken(desk, await cluster.sign(claims({ iss, aud })))).status;
    await until(async () => (await send('frontdesk')) === 200);
    expect(await send(['other', 'frontdesk'])).toBe(200);
    expect(await send(desk.url)).toBe(400);
  });
});

describe('POST /auth/token', () => {
  const send = (form: Record<string, string> | string, headers?: Record<string, string>) =>
    postForm(`${desk.url}/auth/token`, form, headers);

  /** RFC 6749 section 5.2, with the service's problem code as an extra member. */
  async function expectOAuthError(response: Response, status: number, error: string, code: string): Promise<void> {
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as Record<string, string>;
    expect(body).toMatchObject({ error, code, error_uri: `${desk.url}/problems/${code}` });
    expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  }

  const rows: [name: string, status: number, error: string, code: string, ask: () => Promise<Response>][] = [
    ['nothing', 400, 'invalid_request', 'invalid-request', () => send({})],
    ['no grant', 400, 'invalid_request', 'invalid-request', () => send({ assertion: 'x' })],
    ['no assertion', 400, 'invalid_request', 'invalid-request', () => send({ grant_type: jwtBearer })],
    [
      'an empty assertion',
      400,
      'invalid_request',
      'invalid-request',
      () => send({ grant_type: jwtBearer, assertion: '' }),
    ],
    [
      'a long assertion',
      400,
      'invalid_request',
      'invalid-request',
      () => send({ grant_type: jwtBearer, assertion: 'x'.repeat(16 * 1024 + 1) }),
    ],
    [
      'two assertions',
      400,
      'invalid_request',
      'invalid-request',
      () => send(`grant_type=${jwtBearer}&assertion=a.b.c&assertion=a.b.c`),
    ],
    [
      'an unknown parameter twice',
      400,
      'invalid_request',
      'invalid-request',
      () => send(`grant_type=${jwtBearer}&assertion=a.b.c&scope=a&scope=b`),
    ],
    [
      'another grant',
      400,
      'unsupported_grant_type',
      'unsupported-grant',
      () => send({ grant_type: 'client_credentials' }),
    ],
    [
      'another grant with a secret',
      400,
      'unsupported_grant_type',
      'unsupported-grant',
      () => send({ grant_type: 'password', username: 'a', password: 'b' }),
    ],
    [
      'no JWT',
      400,
      'invalid_grant',
      'assertion-rejected',
      () => send({ grant_type: jwtBearer, assertion: 'nonsense' }),
    ],
    [
      'JSON',
      415,
      'invalid_request',
      'unsupported-type',
      () =>
        fetch(`${desk.url}/auth/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ grant_type: jwtBearer, assertion: 'a.b.c' }),
        }),
    ],
    [
      'a body over 256 KiB',
      413,
      'invalid_request',
      'body-too-large',
      () => send({ grant_type: jwtBearer, assertion: 'x'.repeat(256 * 1024) }),
    ],
  ];
  test.each(rows)('with %s: %i %s', async (_, status, error, code, ask) =>
    expectOAuthError(await ask(), status, error, code),
  );

  test('with a different method: 405', async () => {
    await expectProblem(await desk.get('/auth/token'), 'method-not-allowed', 405);
  });

  test('is limited by address before the assertion is verified, and by caller afterwards', async () => {
    const assertion = () => signer.sign(ownClaims('payroll', desk.url));
    const limited = await startFrontdesk({ RATE_LIMIT_API: '3/1m', PUBLIC_URL: desk.url }, makeFolder(), desk.database);
    for (let round = 0; round < 3; round++) expect((await requestToken(limited, 'nonsense')).status).toBe(400);
    const refused = await requestToken(limited, await assertion());
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectOAuthError(refused, 429, 'temporarily_unavailable', 'rate-limited');
    await limited.stop();
    for (let round = 0; round < 3; round++) expect((await requestToken(desk, await assertion())).status).toBe(200);
  });

  test('is limited by caller only for valid assertions: strangers cannot use up the quota', async () => {
    const [eager, forger] = [await makeSigner(), await makeSigner()];
    await addOwnKeyCaller(desk, 'eager', eager);
    const send = async (from: Signer) => requestToken(desk, await from.sign(ownClaims('eager', desk.url)));
    for (let count = 0; count < 130; count++) expect((await send(forger)).status).toBe(400);
    // Starts at 1, because `addOwnKeyCaller` already requested one token, to wait until the program is registered.
    for (let count = 1; count < 120; count++) expect((await send(eager)).status).toBe(200);
    const refused = await send(eager);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectOAuthError(refused, 429, 'temporarily_unavailable', 'rate-limited');
    expect((await requestToken(desk, await signer.sign(ownClaims('payroll', desk.url)))).status).toBe(200);
  });

  test('is audited when it issues a token, while a refused assertion is only logged', async () => {
    const before = (await audit('--limit', '1000')).length;
    const refused = await requestToken(desk, await signer.sign(ownClaims('payroll', 'https://elsewhere.example')));
    expect(refused.status).toBe(400);
    const response = await requestToken(desk, await signer.sign(ownClaims('payroll', desk.url)));
    const requestIdOfToken = response.headers.get('x-request-id');
    const token = await tokenFrom(response);
    expect((await audit('--limit', '1000')).slice(before)).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        type: 'token-issued',
        person: 'caller:payroll',
        actor: 'caller:payroll',
        session: decodeJwt(token).sid,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        requestId: requestIdOfToken,
        detail: null,
      },
    ]);
    const requestId = refused.headers.get('x-request-id') ?? '';
    expect(desk.logged.filter((line) => line.includes(requestId)).join()).toContain('caller payroll');
    expect(desk.logged.join('')).not.toContain(token.split('.')[2] ?? '');
  });
});

describe('frontdesk callers', () => {
  const run = (...words: string[]) => runCallers(desk, ...words);
  const own = (content: unknown) => ['--key', keyFile(desk, content)];
  const known = ['--issuer', 'https://login.example.com', '--subject', 'x'];

  const refused: [what: string, exitCode: number, told: string, words: () => string[] | Promise<string[]>][] = [
    ['a name with a capital', 64, 'lower-case words', () => ['Payroll', ...known]],
    ['a name with a space at its end', 64, 'lower-case words', () => ['payroll ', ...known]],
    ['a name that ends in a hyphen', 64, 'lower-case words', () => ['payroll-', ...known]],
    ['a long name', 64, 'lower-case words', () => ['x'.repeat(64), ...known]],
    ['the name of this service', 65, 'OIDC_CLIENT_ID', () => ['frontdesk', ...known]],
    ['no proof', 64, 'or --key', () => ['x']],
    ['an issuer without a subject', 64, 'or --key', () => ['x', '--issuer', 'https://login.example.com']],
    ['both proofs', 64, 'cannot be combined', () => ['x', ...known, ...own({ keys: [signer.publicJwk] })]],
    ['this service as issuer', 65, 'PUBLIC_URL', () => ['x', '--issuer', `${desk.url}/`, '--subject', 'x']],
    [
      'this service as issuer, in another spelling',
      65,
      'PUBLIC_URL',
      () => ['x', '--issuer', desk.url.toUpperCase(), '--subject', 'x'],
    ],
    ['an issuer without TLS', 65, 'https', () => ['x', '--issuer', 'http://login.example.com', '--subject', 'x']],
    ['an issuer that is not an address', 64, 'http', () => ['x', '--issuer', 'urn:x', '--subject', 'x']],
    ['keys without TLS', 65, 'https', () => ['x', ...known, '--jwks', 'http://login.example.com/keys']],
    ['a role that no setting names', 65, 'LOOKUP_ADMIN', () => ['x', ...known, '--roles', 'LOOKUP_ADMIN,ROOT']],
    ['a private key', 65, 'private', () => ['x', ...own({ keys: [signer.privateJwk] })]],
    [
      'a private key among the keys of an issuer',
      65,
      'private',
      () => ['x', ...known, '--jwks', own(signer.privateJwk)[1] ?? ''],
    ],
    [
      'a private key as PEM',
      65,
      'private',
      () => ['x', ...own('-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----')],
    ],
    ['a symmetric key', 65, 'symmetric', () => ['x', ...own({ keys: [{ kty: 'oct', k: 'c2VjcmV0' }] })]],
    ['a weak key', 65, '2048', async () => ['x', ...own({ keys: [await weakKey()] })]],
    ['a key of another algorithm', 65, 'alg', () => ['x', ...own({ keys: [{ ...signer.publicJwk, alg: 'RS256' }] })]],
    ['no keys', 65, '1 to 20', () => ['x', ...own({ keys: [] })]],
    ['too many keys', 65, '1 to 20', () => ['x', ...own({ keys: Array(21).fill(signer.publicJwk) })]],
    ['nonsense', 65, 'JSON Web Key Set', () => ['x', ...own('nonsense')]],
    ['no such file', 65, 'ENOENT', () => ['x', '--key', '/nowhere/public.jwks']],
    ['a name that is taken', 1, 'already registered', () => ['payroll', ...known]],
    ['an issuer and subject that are taken', 1, 'another name', () => ['twin', ...known]],
  ];
  test.each(refused)('add refuses %s', async (what, exitCode, told, words) => {
    if (what.startsWith('an issuer and subject')) await addCaller(desk, 'first-twin', ...known);
    const before = await desk.database.query('select * from caller');
    const result = await run('add', ...(await words()));
    expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
    expect(result.stderr).toContain(told);
    expect(await desk.database.query('select * from caller')).toEqual(before);
  });

  async function weakKey() {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    return crypto.subtle.exportKey('jwk', publicKey);
  }

  test('add takes PEM, and several keys for a rotation, named or not', async () => {
    const [old, next] = [await makeSigner(), await makeSigner()];
    await addCaller(desk, 'rotating', ...own({ keys: [old.publicJwk, next.publicJwk] }));
    const works = async (from: Signer) =>
      (await requestToken(desk, await from.sign(ownClaims('rotating', desk.url)))).status === 200;
    await until(() => works(old));
    expect(await works(next)).toBe(true);
    expect(await works(await makeSigner())).toBe(false);

    // With more than three keys, an assertion must name one.
    const many = await Promise.all(['a', 'b', 'c', 'd'].map((kid) => makeSigner(kid)));
    await addCaller(desk, 'with-many', ...own({ keys: many.map(({ publicJwk }) => publicJwk) }));
    const send = async (from: Signer, header = {}) =>
      (await requestToken(desk, await from.sign(ownClaims('with-many', desk.url), header))).status;
    const [first, , , last] = many as [Signer, Signer, Signer, Signer];
    await until(async () => (await send(first)) === 200);
    expect([await send(last), await send(last, { kid: undefined }), await send(last, { kid: 'a' })]).toEqual([
      200, 400, 400,
    ]);

    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64');
    await addCaller(desk, 'by-pem', ...own(`-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`));
    const { SignJWT } = await import('jose');
    await until(async () => {
      const assertion = new SignJWT(ownClaims('by-pem', desk.url)).setProtectedHeader({ alg: 'ES256', kid: 'any' });
      return (await requestToken(desk, await assertion.sign(privateKey))).status === 200;
    });
  });

  test('list shows each program with its way to sign in and its roles, but no key; add and remove are audited', async () => {
    await addCaller(desk, 'listed', ...own({ keys: [signer.publicJwk] }), '--roles', 'LOOKUP_ADMIN, LOOKUP_PLANNER');
    const { stdout } = await runToEnd(['callers', 'list'], desk.commandEnv, desk.folder);
    expect(stdout).toMatch(/^listed +its own key +- +LOOKUP_ADMIN, LOOKUP_PLANNER +\d{4}-/m);
    expect(stdout).not.toContain(signer.publicJwk.x ?? '');
    expect(await run('remove', 'listed')).toMatchObject({ exitCode: 0 });
    expect((await run('list')).stdout).not.toContain('listed');
    expect(await run('remove', 'listed')).toMatchObject({ exitCode: 1, stderr: 'There is no caller listed.' });
    expect(await audit('--person', 'caller:listed')).toEqual([
      expect.objectContaining({ type: 'caller-added', detail: 'its own key; roles: LOOKUP_ADMIN, LOOKUP_PLANNER' }),
      expect.objectContaining({ type: 'caller-removed' }),
    ]);
  });
});

test('a sign-in with an employee ID that only a program can have is refused', async () => {
  const provider = await startHostileProvider();
  const other = await startFrontdesk({ ...provider.env, EMPLOYEE_ID_CLAIM: 'employee' });
  provider.lie = { claims: { employee: 'caller:payroll' } };
  await expectProblem(await other.get('/auth/login/callback?code=x'), 'account-not-permitted', 403);
  provider.lie = { claims: { employee: 'caller' } };
  expect((await other.get('/auth/login/callback?code=y')).status).toBe(200);
  provider.stop();
  await other.stop();
});
