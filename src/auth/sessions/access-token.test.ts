import { describe, expect, test } from 'bun:test';
import { base64url, CompactSign, exportJWK, generateKeyPair } from 'jose';
import { pino } from 'pino';
import type { TokenAlg } from '../../config/variables.ts';
import { signedIn } from '../../http/access.ts';
import { createEdge } from '../../http/edge.ts';
import { Problem } from '../../http/problem.ts';
import { directRoute, route } from '../../http/route.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { createSigner } from '../keys/signing-keys.ts';
import type { VerificationKey } from '../keys/stored-keys.ts';
import { createAccessTokens } from './access-token.ts';

const issuer = 'https://desk.example.com';
const seconds = () => Math.floor(Date.now() / 1000);

async function makeTokens(alg: TokenAlg, spoil: (key: VerificationKey) => VerificationKey = (key) => key) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const signClaims = await createSigner(await exportJWK(privateKey), alg, 'k');
  const keys: SigningKeys = {
    active: () => ({ alg, kid: 'k', sign: signClaims }),
    find: (kid) => (kid === 'k' ? spoil({ alg, publicKey, isOutdated: false }) : undefined),
    published: () => ({ keys: [] }),
    reload: async () => {},
  };
  const tokens = createAccessTokens({ issuer, audience: issuer, clientId: 'c', keys, clock: Date.now });
  const [from, until] = [new Date(), new Date(Date.now() + 60_000)];
  const token = await tokens.issue(
    {
      employeeId: 'E-1',
      sid: 's',
      roles: ['A'],
      authentication: { authTime: 1_700_000_000, acr: 'gold', amr: ['pwd', 'hwk'] },
    },
    { from, until },
  );
  /** Signs any payload and header with the right key. */
  const sign = (payload: Uint8Array, header: object) =>
    new CompactSign(payload).setProtectedHeader({ alg, kid: 'k', typ: 'at+jwt', ...header }).sign(privateKey);
  return { tokens, token, sign };
}

async function codeFor(verification: Promise<unknown>): Promise<string> {
  try {
    await verification;
    return 'accepted';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

/** Returns the same numbers in each run, so that a failure can be repeated. */
function makeRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const text = (value: string) => new TextEncoder().encode(value);
const encode = (value: unknown) => base64url.encode(text(typeof value === 'string' ? value : JSON.stringify(value)));

describe.each(['ES256', 'RS256', 'EdDSA'] as const)('access tokens signed with %s', (alg) => {
  test('a token of ours is accepted', async () => {
    const { tokens, token } = await makeTokens(alg);
    expect(await tokens.verify(token)).toMatchObject({ employeeId: 'E-1', sessionId: 's', roles: ['A'] });
  });

  test('a token with anything wrong is refused, without an internal error', async () => {
    const { tokens, token } = await makeTokens(alg);
    const random = makeRandom(7);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \u00e9\u0000';
    const mutate = () => {
      const letters = [...token];
      for (let count = 0; count <= random(3); count++) {
        const at = random(letters.length);
        const letter = alphabet[random(alphabet.length)] ?? 'A';
        if (random(3) === 0) letters.splice(at, 1 + random(20));
        else if (random(2) === 0) letters.splice(at, 0, letter);
        else letters[at] = letter;
      }
      return letters.join('');
    };
    const signatureOf = (each: string) => Buffer.from(each.split('.')[2] ?? '', 'base64url').join();
    for (let count = 0; count < 1000; count++) {
      const wrong = mutate();
      // The last letter of a signature has unused bits, so this is the same token, encoded differently.
      const isSame = wrong.split('.').slice(0, 2).join() === token.split('.').slice(0, 2).join();
      if (isSame && /^[\w-]*$/.test(wrong.split('.')[2] ?? '') && signatureOf(wrong) === signatureOf(token)) continue;
      expect([wrong, await codeFor(tokens.verify(wrong))]).toEqual([wrong, 'invalid-token']);
    }
  });

  test('a token with a changed header is refused, whatever its shape', async () => {
    const { tokens, token } = await makeTokens(alg);
    const [, payload, signature] = token.split('.');
    const shapes = [null, 0, 1, '', 'x', true, [], [1], {}, { alg }, { a: 1 }];
    const members = ['alg', 'kid', 'typ', 'crit', 'b64', 'cty', 'jwk', 'jku', 'x5u', 'x5c', 'zip', 'enc', '__proto__'];
    const headers: unknown[] = [
      ...shapes,
      ...['{', '', ' ', '\u0000', '[', '{}{}', '{"alg":', '\ufffd', '{"kid":"k","kid":1}'],
      ...members.flatMap((name) => shapes.map((shape) => ({ alg, kid: 'k', typ: 'at+jwt', [name]: shape }))),
      { alg, kid: 'k', typ: 'at+jwt', crit: ['b64'], b64: false },
      { alg: 'none', kid: 'k', typ: 'at+jwt' },
      { alg: 'HS256', kid: 'k', typ: 'at+jwt' },
    ];
    for (const header of headers) {
      const wrong = `${encode(header)}.${payload}.${signature}`;
      const isOurs = wrong === token;
      expect([header, await codeFor(tokens.verify(wrong))]).toEqual([header, isOurs ? 'accepted' : 'invalid-token']);
    }
    for (const wrong of ['', '.', '..', 'a', 'a.b', 'a.b.c', 'a.b.c.d', `${token}.`, token.slice(0, -2), '-._.-']) {
      expect([wrong, await codeFor(tokens.verify(wrong))]).toEqual([wrong, 'invalid-token']);
    }
  });

  test('a token with a malformed payload is refused, even with our own signature', async () => {
    const { tokens, sign } = await makeTokens(alg);
    const claims = {
      iss: issuer,
      aud: issuer,
      sub: 'E-1',
      client_id: 'c',
      iat: seconds(),
      exp: seconds() + 60,
      jti: 'j',
      sid: 's',
      roles: [],
    };
    const shapes = [null, true, [], [1], {}, '', -1e300, [[]], { a: null }];
    const payloads = [
      ...['', '{', '[]', 'null', '1', '"x"', '\ufeff{}', '{"iss":'].map(text),
      new Uint8Array([0xff, 0xfe, 0x00]),
      ...(['iss', 'aud', 'sub', 'iat', 'exp', 'sid', 'roles'] as const).flatMap((name) =>
        shapes
          .filter((shape) => !(name === 'roles' && Array.isArray(shape) && shape.length === 0))
          .map((shape) => text(JSON.stringify({ ...claims, [name]: shape }))),
      ),
    ];
    expect(await codeFor(tokens.verify(await sign(text(JSON.stringify(claims)), {})))).toBe('accepted');
    for (const payload of payloads) {
      const code = await codeFor(tokens.verify(await sign(payload, {})));
      const shown = new TextDecoder().decode(payload);
      expect([shown, ['invalid-token', 'token-expired'].includes(code)]).toEqual([shown, true]);
    }
    const unencoded = await sign(text(JSON.stringify(claims)), { crit: ['exp'], exp: 1 }).catch(() => 'a.b.c');
    expect(await codeFor(tokens.verify(unencoded))).toBe('invalid-token');
  });
});

describe('a defect while a token is checked', () => {
  test.each([
    ['a key of another kind', (key: VerificationKey) => ({ ...key, publicKey: {} as VerificationKey['publicKey'] })],
    ['a key that cannot be looked up', () => Object.defineProperty({} as VerificationKey, 'alg', { get: breakDown })],
  ])('%s is answered with 500 and logged, on every kind of route', async (_, spoil) => {
    const { tokens, token } = await makeTokens('ES256', spoil);
    const logged: string[] = [];
    const declaration = {
      method: 'GET',
      operationId: undefined,
      access: signedIn,
      tag: 'Service',
      summary: '',
      answers: {},
      problems: [],
      handle: () => new Response('not reached'),
    } as const;
    const edge = createEdge(
      [directRoute({ ...declaration, path: '/direct' }), route({ ...declaration, path: '/general' })],
      {
        publicUrl: issuer,
        isOwnHost: undefined,
        everyAnswer: {},
        logAccess: undefined,
        authenticator: { ...tokens, hasEnded: () => false, isStale: () => false },
        isStorageAway: () => false,
        limits: { login: undefined, api: undefined },
        cors: undefined,
        trustedProxies: 0,
        telemetry: undefined,
        log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
        clock: Date.now,
      },
    );
    const request = (path: string) => new Request(issuer + path, { headers: { authorization: `Bearer ${token}` } });
    const ask = (path: string) => {
      const handle = edge.routes[path];
      return typeof handle === 'function' ? handle(request(path), { requestIP: () => null }) : undefined;
    };
    expect([(await ask('/direct'))?.status, (await ask('/general'))?.status]).toEqual([500, 500]);
    expect(logged).toHaveLength(2);
    for (const line of logged) {
      expect(line).toContain('internal-error');
      expect(line).not.toContain(token);
    }
    expect(tokens.checks().refused).toBe(0);
  });
});

function breakDown(): never {
  throw new RangeError('a defect');
}
