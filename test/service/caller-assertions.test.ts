// Assertions that must be refused, and issuers that misbehave. Each refusal is a clear answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  base64url,
  CompactSign,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import {
  addCaller,
  addOwnKeyCaller,
  keyFile,
  makeSigner,
  ownClaims,
  requestToken,
  runCallers,
  type Signer,
} from '../support/callers.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { until } from '../support/waiting.ts';

const subject = 'system:serviceaccount:hr:payroll';
const now = () => Math.floor(Date.now() / 1000);
const day = 86_400;

let desk: Frontdesk;
/** A program is registered for `issuer`, and none for `stranger`. */
let issuer: HostileProvider;
let stranger: HostileProvider;
/** A program's own key. */
let own: Signer;
let otherKey: Signer;

beforeAll(async () => {
  // These tests send more requests per minute from one address than real programs do.
  desk = await startFrontdesk({ RATE_LIMIT_API: '0' });
  [issuer, stranger] = [await startHostileProvider(), await startHostileProvider()];
  [own, otherKey] = [await makeSigner('own'), await makeSigner('own')];
  await addCaller(desk, 'worker', '--issuer', issuer.issuer, '--subject', subject);
  await Promise.all([addOwnKeyCaller(desk, 'payroll', own), addOwnKeyCaller(desk, 'other', await makeSigner('other'))]);
  await until(async () => (await send(await issuer.sign(fromIssuer()))).status === 200);
});
afterAll(async () => {
  issuer.stop();
  stranger.stop();
  await desk.stop();
});

const send = (assertion: string) => requestToken(desk, assertion);
const fromIssuer = (changes: Record<string, unknown> = {}): JWTPayload => ({
  iss: issuer.issuer,
  sub: subject,
  aud: desk.url,
  iat: now(),
  exp: now() + 3600,
  ...changes,
});
const fromProgram = (changes: Record<string, unknown> = {}) => ownClaims('payroll', desk.url, changes);
const encode = (value: unknown) => base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));

/** RFC 6749 section 5.2: the same answer, whatever is wrong with the assertion. */
async function expectRefused(response: Response): Promise<void> {
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    error: 'invalid_grant',
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/),
    error_uri: `${desk.url}/problems/assertion-rejected`,
    code: 'assertion-rejected',
  });
}

async function hmac(secret: string | Uint8Array, claims: JWTPayload, header: Record<string, unknown> = {}) {
  const key = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...header }).sign(key);
}
const asKey = async (jwk: JWK) => {
  const key = await importJWK(jwk, jwk.alg ?? 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('a symmetric key');
  return key;
};

type Row = [what: string, make: () => string | Promise<string>];

describe('an assertion by an issuer', () => {
  const rows: Row[] = [
    ['alg none', () => new UnsecuredJWT(fromIssuer()).encode()],
    ['alg none with a signature', async () => `${encode({ alg: 'none' })}.${encode(fromIssuer())}.${encode('x')}`],
    ['alg NONE', async () => `${encode({ alg: 'NONE' })}.${encode(fromIssuer())}.${encode('x')}`],
    [
      'HS256 with the public key as PEM',
      async () =>
        hmac(await exportSPKI(await asKey(issuer.publicJwk)), fromIssuer(), { kid: issuer.publicJwk.kid ?? '' }),
    ],
    [
      'HS256 with the public key as JSON',
      () => hmac(JSON.stringify(issuer.publicJwk), fromIssuer(), { kid: issuer.publicJwk.kid ?? '' }),
    ],
    [
      'HS256 with the modulus',
      () => hmac(base64url.decode(issuer.publicJwk.n ?? ''), fromIssuer(), { kid: issuer.publicJwk.kid ?? '' }),
    ],
    ["another issuer's signature", () => otherKey.sign(fromIssuer(), { kid: issuer.publicJwk.kid })],
    ['an issuer that is not registered', () => stranger.sign(fromIssuer({ iss: stranger.issuer }))],
    ['the issuer with a slash at its end', () => issuer.sign(fromIssuer({ iss: `${issuer.issuer}/` }))],
    ['the issuer in capitals', () => issuer.sign(fromIssuer({ iss: issuer.issuer.toUpperCase() }))],
    ['several issuers', () => issuer.sign({ ...fromIssuer(), iss: [issuer.issuer] as never })],
    ['no issuer', () => issuer.sign(fromIssuer({ iss: undefined }))],
    ['another subject', () => issuer.sign(fromIssuer({ sub: 'system:serviceaccount:hr:other' }))],
    ['a subject that begins the same', () => issuer.sign(fromIssuer({ sub: `${subject}x` }))],
    ['a subject with other capitals', () => issuer.sign(fromIssuer({ sub: subject.toUpperCase() }))],
    ['a subject with a space', () => issuer.sign(fromIssuer({ sub: `${subject} ` }))],
    ['no subject', () => issuer.sign(fromIssuer({ sub: undefined }))],
    ['another audience', () => issuer.sign(fromIssuer({ aud: 'https://elsewhere.example' }))],
    ['an audience that begins the same', () => issuer.sign(fromIssuer({ aud: `${desk.url}/auth/token` }))],
    ['no audience', () => issuer.sign(fromIssuer({ aud: undefined }))],
    ['an empty list of audiences', () => issuer.sign(fromIssuer({ aud: [] }))],
    ['no expiry', () => issuer.sign(fromIssuer({ exp: undefined }))],
    ['an expiry that is text', () => issuer.sign(fromIssuer({ exp: String(now() + 300) }))],
    ['an expiry in ten years', () => issuer.sign(fromIssuer({ exp: now() + 3650 * day }))],
    ['an expiry beyond 24 hours', () => issuer.sign(fromIssuer({ exp: now() + day + 120 }))],
    ['an expiry in the past', () => issuer.sign(fromIssuer({ exp: now() - 61 }))],
    ['a not-before time in the future', () => issuer.sign(fromIssuer({ nbf: now() + 120 }))],
    ['an issue time in the future', () => issuer.sign(fromIssuer({ iat: now() + 120 }))],
    ['an issue time that is text', () => issuer.sign(fromIssuer({ iat: 'now' }))],
    [
      'a critical header that is not known',
      async () =>
        `${encode({ alg: 'RS256', kid: issuer.publicJwk.kid, crit: ['exp'], exp: 1 })}.${encode(fromIssuer())}.${encode('x')}`,
    ],
    [
      'a payload that is not encoded',
      async () => {
        const header = { alg: 'RS256', kid: issuer.publicJwk.kid, crit: ['b64'], b64: false };
        return `${encode(header)}.${encode(fromIssuer())}.${encode('x')}`;
      },
    ],
    ['a logout token', () => issuer.sign(fromIssuer(), { typ: 'logout+jwt' })],
    ['a proof of possession', () => issuer.sign(fromIssuer(), { typ: 'dpop+jwt' })],
    [
      'a JWT in a JWT',
      async () =>
        new CompactSign(new TextEncoder().encode(await issuer.sign(fromIssuer())))
          .setProtectedHeader({ alg: 'ES256', cty: 'JWT', kid: 'own' })
          .sign(await asKey(own.privateJwk)),
    ],
    ['a key of its own in the header', () => otherKey.sign(fromIssuer(), { jwk: otherKey.publicJwk, kid: undefined })],
    [
      'the address of its keys in the header',
      () => otherKey.sign(fromIssuer(), { jku: `${stranger.issuer}/keys`, kid: stranger.publicJwk.kid }),
    ],
    [
      'the address of a certificate in the header',
      () => otherKey.sign(fromIssuer(), { x5u: `${stranger.issuer}/x5u`, kid: issuer.publicJwk.kid }),
    ],
    ['a key that is a path', () => otherKey.sign(fromIssuer(), { kid: '../../dev/null' })],
    ['padding', async () => `${await issuer.sign(fromIssuer())}=`],
    ['a line break at its end', async () => `${await issuer.sign(fromIssuer())}\n`],
    ['a space before it', async () => ` ${await issuer.sign(fromIssuer())}`],
    ['a fourth part', async () => `${await issuer.sign(fromIssuer())}.x`],
    ['five parts, as an encrypted one', async () => `${await issuer.sign(fromIssuer())}.x.y`],
    ['no signature', async () => (await issuer.sign(fromIssuer())).replace(/\.[^.]+$/, '.')],
    ['a payload that is not an object', async () => `${encode({ alg: 'RS256' })}.${encode([])}.${encode('x')}`],
    ['a header that is not JSON', async () => `${encode('x')}.${encode(fromIssuer())}.${encode('x')}`],
    ['JSON', async () => JSON.stringify({ payload: encode(fromIssuer()), signatures: [] })],
    ["a person's access token", () => desk.signIn('E-1001')],
  ];
  test.each(rows)('refused: %s', async (_, make) => expectRefused(await send(await make())));

  test('without the fault, the same assertion is accepted', async () => {
    for (const changes of [
      {},
      { exp: now() + day },
      { exp: now() - 30 },
      { nbf: now() + 30, iat: now() + 30 },
      { iat: undefined },
      { aud: ['https://elsewhere.example', desk.url] },
      { jti: 'the same' },
      { jti: 'the same' },
    ]) {
      expect([changes, (await send(await issuer.sign(fromIssuer(changes)))).status]).toEqual([changes, 200]);
    }
    for (const header of [{ typ: 'JWT' }, { typ: 'at+jwt' }, { typ: 'application/at+jwt' }, { jku: stranger.issuer }]) {
      expect([header, (await send(await issuer.sign(fromIssuer(), header))).status]).toEqual([header, 200]);
    }
    // The issuer has only one key, so an assertion need not name it.
    expect((await send(await issuer.sign(fromIssuer(), { kid: undefined }))).status).toBe(200);
  });

  test('no assertion makes the service call an address that its header names', () => {
    expect(Object.fromEntries(stranger.calls)).toEqual({});
  });
});

describe("an assertion signed with a program's own key", () => {
  const rows: Row[] = [
    ['alg none', () => new UnsecuredJWT(fromProgram()).encode()],
    [
      'HS256 with the public key',
      async () => hmac(await exportSPKI(await asKey(own.publicJwk)), fromProgram(), { kid: 'own' }),
    ],
    ['another key with the same name', () => otherKey.sign(fromProgram())],
    ['a key that is not registered', () => otherKey.sign(fromProgram(), { kid: 'new' })],
    ['the name of another program', () => own.sign(fromProgram({ iss: 'other', sub: 'other' }))],
    ['another subject', () => own.sign(fromProgram({ sub: 'other' }))],
    ['another issuer', () => own.sign(fromProgram({ iss: 'other' }))],
    ['the name that its tokens have', () => own.sign(fromProgram({ iss: 'caller:payroll', sub: 'caller:payroll' }))],
    ['the name of a program that has an issuer', () => own.sign(fromProgram({ iss: 'worker', sub: 'worker' }))],
    ['another audience', () => own.sign(fromProgram({ aud: 'https://elsewhere.example' }))],
    ['no audience', () => own.sign(fromProgram({ aud: undefined }))],
    ['no expiry', () => own.sign(fromProgram({ exp: undefined }))],
    ['an expiry in ten years', () => own.sign(fromProgram({ exp: now() + 3650 * day }))],
    ['an expiry beyond ten minutes', () => own.sign(fromProgram({ exp: now() + 600 + 120 }))],
    ['an expiry in the past', () => own.sign(fromProgram({ exp: now() - 61 }))],
    ['an issue time in the future', () => own.sign(fromProgram({ iat: now() + 120 }))],
    ['no jti', () => own.sign(fromProgram({ jti: undefined }))],
    ['an empty jti', () => own.sign(fromProgram({ jti: '' }))],
    ['a jti that is a number', () => own.sign(fromProgram({ jti: 7 }))],
    ['a long jti', () => own.sign(fromProgram({ jti: 'x'.repeat(256) }))],
    ["a program's access token", async () => (await addOwnKeyCaller(desk, 'with-token', own))()],
  ];
  test.each(rows)('refused: %s', async (_, make) => expectRefused(await send(await make())));

  test('without the fault, the same assertion is accepted', async () => {
    for (const changes of [
      {},
      { exp: now() + 600 },
      { jti: 'x'.repeat(255) },
      { iat: undefined },
      { nbf: now() + 30 },
    ]) {
      expect([changes, (await send(await own.sign(fromProgram(changes)))).status]).toEqual([changes, 200]);
    }
    expect((await send(await own.sign(fromProgram(), { kid: undefined }))).status).toBe(200);
  });

  const reasons: [string, () => Promise<string>][] = [
    ['the claim aud is missing or not as expected', () => own.sign(fromProgram({ aud: 'https://elsewhere.example' }))],
    ['the claim jti is missing or not as expected', () => own.sign(fromProgram({ jti: undefined }))],
    ['the assertion has expired', () => own.sign(fromProgram({ exp: now() - 61 }))],
    ['the signature is not from a registered key', () => otherKey.sign(fromProgram())],
  ];
  test.each(reasons)('the log has the reason: %s', async (reason, make) => {
    const answer = await send(await make());
    const id = answer.headers.get('X-Request-Id') ?? '';
    await expectRefused(answer);
    const line = desk.logged.find((each) => each.includes(id)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ code: 'assertion-rejected', reason: `caller payroll: ${reason}` });
  });

  test('a jti works once, even in a different assertion, and separately for each program', async () => {
    const jti = crypto.randomUUID();
    const assertion = await own.sign(fromProgram({ jti }));
    expect((await send(assertion)).status).toBe(200);
    await expectRefused(await send(assertion));
    await expectRefused(await send(await own.sign(fromProgram({ jti, exp: now() + 400 }))));
    const [neighbour, file] = [await makeSigner(), keyFile(desk, '')];
    await Bun.write(file, JSON.stringify(neighbour.publicJwk));
    await addCaller(desk, 'neighbour', '--key', file);
    const claims = () => ownClaims('neighbour', desk.url);
    await until(async () => (await send(await neighbour.sign(claims()))).status === 200);
    expect((await send(await neighbour.sign({ ...claims(), jti }))).status).toBe(200);
  });

  test('a jti works once, however the signature is written', async () => {
    const assertion = await own.sign(fromProgram());
    const [header, payload, signature = ''] = assertion.split('.');
    // If (r, s) is a signature, so is (r, n - s): FIPS 186-5 section 6.4.
    const bytes = Buffer.from(signature, 'base64url');
    const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const s = (n - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0');
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex')]).toString('base64url');
    expect((await send(`${header}.${payload}.${other}`)).status).toBe(200);
    await expectRefused(await send(assertion));
  });

  test('a used assertion that is sent again and again does not keep its program from getting tokens', async () => {
    const limited = await startFrontdesk({ RATE_LIMIT_API: '1000/1m' });
    const get = await addOwnKeyCaller(limited, 'payroll', own);
    const used = await own.sign(ownClaims('payroll', limited.url));
    expect((await requestToken(limited, used)).status).toBe(200);
    const sent = await Promise.all(Array.from({ length: 130 }, () => requestToken(limited, used)));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([400]));
    expect(await get()).toBeString();
    await limited.stop();
  });

  test('an assertion that is refused for another reason does not use up its jti', async () => {
    const jti = crypto.randomUUID();
    await expectRefused(await send(await own.sign(fromProgram({ jti, aud: 'https://elsewhere.example' }))));
    await expectRefused(await send(await otherKey.sign(fromProgram({ jti }))));
    expect((await send(await own.sign(fromProgram({ jti })))).status).toBe(200);
  });

  test('registering the program again with the same key does not make a used jti work again', async () => {
    const signer = await makeSigner();
    await addOwnKeyCaller(desk, 'again', signer);
    const assertion = await signer.sign(ownClaims('again', desk.url));
    expect((await send(assertion)).status).toBe(200);
    expect(await runCallers(desk, 'remove', 'again')).toMatchObject({ exitCode: 0 });
    await addOwnKeyCaller(desk, 'again', signer);
    await expectRefused(await send(assertion));
  });

  test('a jti is remembered longer than an assertion can be valid, and then forgotten', async () => {
    const count = async () => (await desk.database.query('select code_hash from used_code')).length;
    await send(await own.sign(fromProgram()));
    await desk.runHousekeeping();
    expect(await count()).toBeGreaterThan(0);
    desk.advance(3700);
    await desk.runHousekeeping();
    expect(await count()).toBe(0);
    desk.advance(-3700);
  });
});

describe('an issuer that fails', () => {
  const rows: [what: string, status: number, code: string, lie: Lie | 'away'][] = [
    ['is away', 503, 'issuer-unavailable', 'away'],
    ['says it is busy', 503, 'issuer-unavailable', { keys: () => new Response(null, { status: 429 }) }],
    ['never finishes its answer', 504, 'issuer-timeout', { keys: () => new Response(new ReadableStream({})) }],
    ['answers 500', 502, 'issuer-bad-response', { keys: () => new Response(null, { status: 500 }) }],
    ['answers 404', 502, 'issuer-bad-response', { keys: () => new Response(null, { status: 404 }) }],
    ['answers with a page', 502, 'issuer-bad-response', { keys: () => new Response('<html>') }],
    ['answers with no keys', 502, 'issuer-bad-response', { keys: () => Response.json({}) }],
    [
      'answers with keys that are not objects',
      502,
      'issuer-bad-response',
      { keys: () => Response.json({ keys: [1] }) },
    ],
    [
      'answers with 2 MiB',
      502,
      'issuer-bad-response',
      { keys: () => Response.json({ keys: [{ kty: 'x'.repeat(2 ** 21) }] }) },
    ],
    [
      'answers with thousands of keys',
      502,
      'issuer-bad-response',
      { keys: () => Response.json({ keys: Array(3000).fill({ kty: 'RSA' }) }) },
    ],
    ['redirects', 502, 'issuer-bad-response', { keys: () => Response.redirect('http://localhost:1/keys') }],
    [
      'names another issuer in its discovery',
      502,
      'issuer-bad-response',
      { discovery: { issuer: 'https://elsewhere.example' } },
    ],
    ['names no address for its keys', 502, 'issuer-bad-response', { discovery: { jwks_uri: undefined } }],
    [
      'names a file as the address of its keys',
      502,
      'issuer-bad-response',
      { discovery: { jwks_uri: 'file:///etc/passwd' } },
    ],
  ];
  const issuers = new Map<string, HostileProvider>();
  const named = ({ issuer: iss }: HostileProvider) => fromIssuer({ iss });
  let spare: HostileProvider;
  beforeAll(async () => {
    for (const [index, [what]] of rows.entries()) {
      const each = await startHostileProvider();
      issuers.set(what, each);
      await addCaller(desk, `failing-${index}`, '--issuer', each.issuer, '--subject', subject);
    }
    spare = await startHostileProvider();
    await addCaller(desk, 'spare', '--issuer', spare.issuer, '--subject', subject);
    await until(async () => (await send(await spare.sign(named(spare)))).status === 200);
  });
  afterAll(() => {
    spare.stop();
    for (const each of issuers.values()) each.stop();
  });
  const issuerThat = (what: string) => {
    const found = issuers.get(what);
    if (found === undefined) throw new Error(what);
    return found;
  };

  test.each(rows)(
    'one that %s: %i, and it is asked again once it may have recovered',
    async (what, status, code, lie) => {
      const failing = issuerThat(what);
      if (lie === 'away') failing.stop();
      else failing.lie = lie;
      const response = await send(await failing.sign(named(failing)));
      expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json']);
      expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable', code });
      expect(response.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
      // For a moment the failure is cached, and the issuer gets no requests.
      const before = new Map(failing.calls);
      expect((await send(await failing.sign(named(failing)))).status).toBe(status);
      expect(failing.calls).toEqual(before);
      failing.lie = {};
      if (lie === 'away') failing.start();
      desk.advance(6);
      expect((await send(await failing.sign(named(failing)))).status).toBe(200);
    },
  );

  test('a weak, a symmetric and an encryption key of an issuer verify nothing', async () => {
    const weak = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    const encryption = await generateKeyPair('ES256', { extractable: true });
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const jwk = async (key: CryptoKey) => crypto.subtle.exportKey('jwk', key) as Promise<JWK>;
    const { ext: _, key_ops: __, ...weakJwk } = await jwk(weak.publicKey);
    const { ext: ___, key_ops: ____, ...encryptionJwk } = await jwk(encryption.publicKey);
    spare.lie = {
      keys: () =>
        Response.json({
          keys: [
            { ...weakJwk, kid: 'weak' },
            { kty: 'oct', k: base64url.encode(secret), kid: 'secret', alg: 'HS256' },
            { ...encryptionJwk, kid: 'encryption', use: 'enc' },
          ],
        }),
    };
    desk.advance(20);
    const input = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode(named(spare))}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', weak.privateKey, Buffer.from(input));
    await expectRefused(await send(`${input}.${base64url.encode(new Uint8Array(signature))}`));
    await expectRefused(await send(await hmac(secret, named(spare), { kid: 'secret' })));
    const header = { alg: 'ES256', kid: 'encryption' };
    const signed = new SignJWT(named(spare)).setProtectedHeader(header).sign(encryption.privateKey);
    await expectRefused(await send(await signed));
    spare.lie = {};
  });

  test('an assertion that names no key is refused if the issuer has several', async () => {
    const [one, two] = [
      { ...spare.publicJwk, kid: 'one' },
      { ...spare.publicJwk, kid: 'two' },
    ];
    spare.lie = { keys: () => Response.json({ keys: [one, two] }) };
    desk.advance(20);
    expect((await send(await spare.sign(named(spare), { kid: 'two' }))).status).toBe(200);
    await expectRefused(await send(await spare.sign(named(spare), { kid: undefined })));
    spare.lie = {};
  });

  test('a rotated key works at once; unknown keys are searched for at most once in ten seconds', async () => {
    desk.advance(20);
    await spare.rotate('ES256');
    expect((await send(await spare.sign(named(spare)))).status).toBe(200);
    const before = spare.calls.get('/keys') ?? 0;
    for (let round = 0; round < 5; round++) {
      await expectRefused(await send(await otherKey.sign(named(spare), { kid: `unknown-${round}` })));
    }
    expect((spare.calls.get('/keys') ?? 0) - before).toBeLessThanOrEqual(1);
  });

  test('many assertions that need its keys at the same moment cause one call for each step', async () => {
    const fresh = await startHostileProvider();
    await addCaller(desk, 'crowd', '--issuer', fresh.issuer, '--subject', subject);
    await addOwnKeyCaller(desk, 'after-crowd', own);
    const assertion = await fresh.sign(named(fresh));
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => send(assertion)))).map(({ status }) => status);
    expect(statuses).toEqual(Array(30).fill(200));
    expect(Object.fromEntries(fresh.calls)).toEqual({ '/.well-known/openid-configuration': 1, '/keys': 1 });
    fresh.stop();
  });

  test('if the address of its keys changes, the new one is used within an hour', async () => {
    const [before, after] = [await startHostileProvider(), await startHostileProvider()];
    await after.rotate();
    await addCaller(desk, 'moving', '--issuer', before.issuer, '--subject', subject);
    const lasting = { ...named(before), exp: now() + 3 * 3600 };
    await until(async () => (await send(await before.sign(lasting))).status === 200);
    before.lie = { discovery: { jwks_uri: `${after.issuer}/keys` } };
    await expectRefused(await send(await after.sign(lasting)));
    desk.advance(3600);
    await until(async () => (await send(await after.sign(lasting))).status === 200);
    desk.advance(-3600);
    before.stop();
    after.stop();
  });

  test('while it is unavailable, its known keys still verify', async () => {
    const assertion = await spare.sign(named(spare));
    spare.stop();
    expect((await send(assertion)).status).toBe(200);
    desk.advance(20);
    // While the issuer cannot be reached, the service cannot know whether the key is a new one, so it does not answer 400.
    for (const secondsLater of [0, 1, 6]) {
      desk.advance(secondsLater);
      expect((await send(await otherKey.sign(named(spare), { kid: 'unknown' }))).status).toBe(503);
    }
    expect((await send(assertion)).status).toBe(200);
    spare.start();
  });
});

test('the keys for sign-ins are fetched separately from those for callers, even at the same provider', async () => {
  const provider = await startHostileProvider();
  const shared = await startFrontdesk({ ...provider.env, RATE_LIMIT_API: '0' });
  await addCaller(shared, 'worker', '--issuer', provider.issuer, '--subject', subject);
  const claims = () => ({ ...fromIssuer(), iss: provider.issuer, aud: shared.url });
  await until(async () => (await requestToken(shared, await provider.sign(claims()))).status === 200);
  expect((await shared.get('/auth/login/callback?code=first')).status).toBe(200);
  // An attacker who knows the subject uses up the program's fetches for unknown keys.
  const unknown = await otherKey.sign(claims(), { kid: 'unknown' });
  expect((await requestToken(shared, unknown)).status).toBe(400);
  await provider.rotate();
  expect((await requestToken(shared, await provider.sign(claims()))).status).toBe(400);
  expect((await shared.get('/auth/login/callback?code=second')).status).toBe(200);
  provider.stop();
  await shared.stop();
});

test('an access token of this service is not an assertion, even if somebody registered the service as an issuer', async () => {
  // A command without PUBLIC_URL cannot know that this issuer is the service itself.
  const elsewhere = { ...desk, config: { ...desk.config, publicUrl: 'http://localhost:1' } };
  await addCaller(
    elsewhere,
    'self',
    '--issuer',
    desk.url,
    '--subject',
    'E-1001',
    '--jwks',
    `${desk.url}/.well-known/jwks.json`,
  );
  await addOwnKeyCaller(desk, 'after-self', own);
  const before = desk.logged.length;
  await expectRefused(await send(await desk.signIn('E-1001')));
  expect(desk.logged.slice(before).join('')).toContain('it is a token of this service');
});

test('no part of an assertion is in the log', async () => {
  const assertion = await issuer.sign(fromIssuer({ sub: 'NOBODY-KNOWS-ME', secret: 'PERSONAL-DETAIL' }));
  const { access_token: token } = (await (await send(await own.sign(fromProgram()))).json()) as {
    access_token: string;
  };
  await send(assertion);
  await send(`${await own.sign(fromProgram())}x`);
  expect((await desk.get('/lookups', bearer(token))).status).toBe(200);
  const log = desk.logged.join('');
  for (const part of [...assertion.split('.'), ...token.split('.').slice(1), 'NOBODY-KNOWS-ME', 'PERSONAL-DETAIL']) {
    expect(log).not.toContain(part);
  }
});
