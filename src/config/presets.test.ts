import { afterAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './config.ts';

const env = {
  OIDC_ISSUER: 'https://idp.example/',
  OIDC_CLIENT_ID: 'desk',
  OIDC_PROFILE: 'fapi2',
  PUBLIC_URL: 'https://desk.example',
};

test('OIDC_PROFILE=fapi2 turns on all its settings, and overrides the algorithm and audience of a preset', () => {
  for (const preset of ['generic', 'keycloak']) {
    const { provider, requireBoundLogin } = readConfig({ ...env, OIDC_PRESET: preset });
    expect([provider, requireBoundLogin]).toEqual([
      {
        issuer: 'https://idp.example/',
        clientId: 'desk',
        clientSecret: undefined,
        clientAuth: 'private_key_jwt',
        assertion: {
          key: undefined,
          audience: undefined,
          usual: undefined,
          algs: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
        },
        pushesRequests: true,
        usesDpop: true,
        profile: 'fapi2',
        allowHttp: false,
        signingAlg: undefined,
      },
      true,
    ]);
  }
});

test('settings of the profile may also be set explicitly, and an empty variable counts as unset', () => {
  const settings = {
    OIDC_CLIENT_AUTH: 'private_key_jwt',
    OIDC_PAR: 'true',
    OIDC_DPOP: '',
    REQUIRE_BOUND_LOGIN: 'true',
  };
  expect(readConfig({ ...env, ...settings })).toEqual(readConfig(env));
  expect(readConfig({ ...env, OIDC_SIGNING_ALG: 'PS256' }).provider?.signingAlg).toBe('PS256');
});

describe('a setting that contradicts the profile is a fault:', () => {
  const within = 'with OIDC_PROFILE=fapi2';
  test.each<[Record<string, string>, string]>([
    [{ OIDC_CLIENT_AUTH: 'none' }, `OIDC_CLIENT_AUTH: must be private_key_jwt ${within}`],
    [{ OIDC_CLIENT_AUTH: 'basic', OIDC_CLIENT_SECRET: 's' }, `OIDC_CLIENT_AUTH: must be private_key_jwt ${within}`],
    [{ OIDC_PAR: 'false' }, `OIDC_PAR: must be true ${within}`],
    [{ OIDC_DPOP: 'false' }, `OIDC_DPOP: must be true ${within}`],
    [{ REQUIRE_BOUND_LOGIN: 'false' }, `REQUIRE_BOUND_LOGIN: must be true ${within}`],
    [
      { OIDC_CLIENT_ASSERTION_FILE: '/assertion' },
      `OIDC_CLIENT_ASSERTION_FILE: must not be set ${within}: Frontdesk has to sign assertions itself`,
    ],
    [
      { OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://idp.example/token' },
      `OIDC_CLIENT_ASSERTION_AUDIENCE: must not be set ${within}: the audience is the issuer`,
    ],
    [{ OIDC_SIGNING_ALG: 'RS256' }, `OIDC_SIGNING_ALG: must be one of PS256, ES256, EdDSA, Ed25519 ${within}`],
    [{ OIDC_ALLOW_HTTP: 'true' }, `OIDC_ALLOW_HTTP: must not be true ${within}`],
    [{ PUBLIC_URL: 'http://desk.example', ALLOW_PLAINTEXT: 'true' }, `PUBLIC_URL: must be https ${within}`],
    [{ OIDC_ISSUER: '' }, 'OIDC_PROFILE: needs OIDC_ISSUER'],
    [{ OIDC_PROFILE: 'fapi1' }, 'OIDC_PROFILE: must be one of fapi2'],
  ])('%j', (changes, fault) => {
    const settings = { ...env, ...changes };
    // The development provider does not run with a public address like this one.
    const local = changes.OIDC_ISSUER === '' ? { PUBLIC_URL: '' } : {};
    const other = changes.OIDC_PROFILE === undefined ? {} : { OIDC_CLIENT_SECRET: 's' };
    expect(() => readConfig({ ...settings, ...local, ...other })).toThrow(new Error(fault));
  });

  test('OIDC_DPOP with the development provider', () => {
    expect(() => readConfig({ OIDC_DPOP: 'true' })).toThrow(new Error('OIDC_DPOP: needs OIDC_ISSUER'));
  });
});

describe('a key from the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-profile-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (namedCurve: string) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve });
    const file = join(folder, namedCurve);
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return file;
  };

  test('may be for ES256', () => {
    const { provider } = readConfig({ ...env, OIDC_CLIENT_KEY_FILE: fileOf('P-256') });
    expect(provider?.assertion).toMatchObject({ key: expect.any(Function) });
  });

  test('for a different algorithm is a fault, and if it replaces a valid key, the valid key stays in use', () => {
    const [right, wrong] = [fileOf('P-256'), fileOf('P-384')];
    const fault = 'must hold a key for one of PS256, ES256, EdDSA, Ed25519';
    expect(() => readConfig({ ...env, OIDC_CLIENT_KEY_FILE: wrong })).toThrow(
      new Error(`OIDC_CLIENT_KEY_FILE: ${fault}`),
    );
    const { provider } = readConfig({ ...env, OIDC_CLIENT_KEY_FILE: right });
    writeFileSync(
      right,
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
    const key =
      provider?.assertion !== undefined && 'key' in provider.assertion ? provider.assertion.key?.() : undefined;
    expect([key?.algs, key?.fault]).toEqual([['ES256'], `OIDC_CLIENT_KEY_FILE ${fault}`]);
  });
});
