import { describe, expect, test } from 'bun:test';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { SigningSettings } from '../../config/client-assertion.ts';
import type { ClientKey } from '../../config/client-key.ts';
import { presets } from '../../config/presets.ts';
import { allowedAlgs } from '../../config/variables.ts';
import { authenticateByAssertion } from './client-authentication.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const issuer = 'https://idp.example';
const server = { issuer, token_endpoint: `${issuer}/token` };
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key: ClientKey = {
  jwk: privateKey.export({ format: 'jwk' }),
  kid: undefined,
  algs: ['RS256', 'PS256'],
  certificate: undefined,
};
const usual: SigningSettings = { key: () => key, audience: undefined, usual: undefined, algs: allowedAlgs(undefined) };

async function assertionBy(settings: SigningSettings, announced: object = {}): Promise<string> {
  const body = new URLSearchParams();
  await authenticateByAssertion(settings, () => now, undefined)(
    { ...server, ...announced },
    { client_id: 'desk' },
    body,
  );
  expect(body.get('client_id')).toBe('desk');
  expect(body.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
  return body.get('client_assertion') ?? '';
}

test('an assertion names us as its issuer and subject and the provider as its audience, and is valid for one minute and one call', async () => {
  const assertion = await assertionBy(usual);
  const { payload, protectedHeader } = await jwtVerify(
    assertion,
    createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    {
      currentDate: now,
    },
  );
  const iat = Math.floor(now.getTime() / 1000);
  expect(payload).toEqual({
    iss: 'desk',
    sub: 'desk',
    aud: issuer,
    iat,
    nbf: iat,
    exp: iat + 60,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT' });
  expect(decodeJwt(await assertionBy(usual)).jti).not.toBe(payload.jti);
});

test('for Entra, the audience is its token endpoint, the algorithm is PS256, and the thumbprint is sent', async () => {
  const certificate = { thumbprint: 'print', expiresAt: now };
  const entra = { ...usual, key: () => ({ ...key, certificate }), usual: presets.entra.assertion };
  const assertion = await assertionBy(entra);
  expect(decodeJwt(assertion).aud).toBe(server.token_endpoint);
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'PS256', typ: 'JWT', 'x5t#S256': 'print' });
});

test('a configured audience takes precedence over the issuer and over the token endpoint', async () => {
  const audience = 'https://other.example';
  expect(decodeJwt(await assertionBy({ ...usual, audience })).aud).toBe(audience);
  expect(decodeJwt(await assertionBy({ ...usual, audience, usual: presets.entra.assertion })).aud).toBe(audience);
});

test('the key ID is sent', async () => {
  expect(decodeProtectedHeader(await assertionBy({ ...usual, key: () => ({ ...key, kid: 'k-1' }) })).kid).toBe('k-1');
});

describe('the algorithm is the usual one, unless the provider announces only others', () => {
  test.each([
    [undefined, 'RS256'],
    [['PS256', 'RS256'], 'RS256'],
    [['ES256', 'PS256'], 'PS256'],
    [['ES256'], 'RS256'],
    ['RS256', 'RS256'],
  ])('%j', async (announced, alg) => {
    const assertion = await assertionBy(usual, { token_endpoint_auth_signing_alg_values_supported: announced });
    expect(decodeProtectedHeader(assertion).alg).toBe(alg);
  });
});

test.each([[undefined], [['RS256']], [['RS256', 'PS256']]])(
  'with OIDC_PROFILE=fapi2 the algorithm is never RS256, whatever the provider announces: %j',
  async (announced) => {
    const settings = { ...usual, algs: allowedAlgs('fapi2') };
    const assertion = await assertionBy(settings, { token_endpoint_auth_signing_alg_values_supported: announced });
    expect(decodeProtectedHeader(assertion).alg).toBe('PS256');
  },
);
