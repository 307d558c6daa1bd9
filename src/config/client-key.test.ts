import { afterAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientKey } from './client-key.ts';
import { type Config, readConfig } from './config.ts';
import { signingAlgs } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-client-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function fileWith(content: string): string {
  const file = join(folder, `file-${count++}`);
  writeFileSync(file, content);
  return file;
}

const { privateKey: ec, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey: p384 } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const { privateKey: ed25519 } = generateKeyPairSync('ed25519');
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: shortRsa } = generateKeyPairSync('rsa', { modulusLength: 1024 });
type PrivateKey = typeof ec;

const pem = (key: PrivateKey) => String(key.export({ type: 'pkcs8', format: 'pem' }));
const jwk = (key: PrivateKey, more = {}) => JSON.stringify({ ...key.export({ format: 'jwk' }), ...more });

const tls = join(import.meta.dir, '../../test/support/tls');
const provider = {
  OIDC_ISSUER: 'https://idp.example',
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_AUTH: 'private_key_jwt',
};
const keyOf = (content: string) => assertionKey(readConfig({ ...provider, OIDC_CLIENT_KEY_FILE: fileWith(content) }));

function assertionKey({ provider }: Config) {
  return provider?.assertion !== undefined && 'key' in provider.assertion ? provider.assertion.key?.() : undefined;
}

test.each([
  ['PEM of EC P-256', pem(ec), 'ES256'],
  ['PEM of EC P-384', pem(p384), 'ES384'],
  ['PEM of RSA', pem(rsa), 'RS256'],
  ['PEM of Ed25519', pem(ed25519), 'EdDSA'],
  ['JWK of EC', jwk(ec), 'ES256'],
  ['JWK of RSA', jwk(rsa), 'RS256'],
  ['JWK of Ed25519', jwk(ed25519), 'EdDSA'],
  ['JWK of RSA that names its algorithm', jwk(rsa, { alg: 'PS384' }), 'PS384'],
])('a %s is read, with its algorithm', (_, content, alg) => {
  expect(keyOf(content)?.algs[0]).toBe(alg);
});

test('a key whose file was replaced is read again, and the previous key is used until the new one can be used', () => {
  const [keyFile, certificateFile] = [fileWith(pem(ec)), fileWith('')];
  const config = readConfig({ ...provider, OIDC_CLIENT_KEY_FILE: keyFile });
  writeFileSync(keyFile, pem(p384));
  expect(assertionKey(config)?.algs).toEqual(['ES384']);

  copyFileSync(join(tls, 'localhost.key'), keyFile);
  copyFileSync(join(tls, 'localhost.pem'), certificateFile);
  const env = { ...provider, OIDC_CLIENT_KEY_FILE: keyFile, OIDC_CLIENT_CERTIFICATE_FILE: certificateFile };
  const certified = readConfig(env);
  const before = assertionKey(certified);
  const other = 'OIDC_CLIENT_CERTIFICATE_FILE must hold the certificate of the key in OIDC_CLIENT_KEY_FILE';
  writeFileSync(keyFile, pem(p384));
  expect(assertionKey(certified)).toEqual({ ...before, fault: other } as ClientKey);
  rmSync(keyFile);
  const gone = 'OIDC_CLIENT_KEY_FILE names a file that cannot be read (ENOENT)';
  expect(assertionKey(certified)).toEqual({ ...before, fault: gone } as ClientKey);
  copyFileSync(join(tls, 'localhost.key'), keyFile);
  expect(assertionKey(certified)).toEqual(before);
});

test('only a JWK has a key ID', () => {
  expect(keyOf(jwk(ec, { kid: 'k-1' }))?.kid).toBe('k-1');
  expect(keyOf(pem(ec))?.kid).toBeUndefined();
});

const wantedKey = 'must hold one private key without a passphrase, as PEM (PKCS#8) or JWK';
const wantedType = 'must hold an RSA (2048 bits or more), EC (P-256, P-384 or P-521) or Ed25519 key';
describe('a single fault that does not quote the file is reported for', () => {
  test.each([
    ['a text that is not a key', 'hunter2', wantedKey],
    ['JSON that is not a key', '{"kty":"hunter2"}', wantedKey],
    ['JSON that does not end', '{"d":"hunter2', wantedKey],
    ['a public key', String(publicKey.export({ type: 'spki', format: 'pem' })), wantedKey],
    ['a public JWK', JSON.stringify(publicKey.export({ format: 'jwk' })), wantedKey],
    [
      'a key with a passphrase',
      String(ec.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })),
      wantedKey,
    ],
    ['a short RSA key', pem(shortRsa), wantedType],
    [
      'an algorithm for a different type of key',
      jwk(rsa, { alg: 'ES256' }),
      'must hold a key whose "alg" matches its type',
    ],
    ['a symmetric algorithm', jwk(rsa, { alg: 'HS256' }), 'must hold a key whose "alg" matches its type'],
  ])('%s', (_, content, fault) => {
    const env = { ...provider, OIDC_CLIENT_KEY_FILE: fileWith(content) };
    expect(() => readConfig(env)).toThrow(new Error(`OIDC_CLIENT_KEY_FILE: ${fault}`));
  });

  test('a missing file', () => {
    const env = { ...provider, OIDC_CLIENT_KEY_FILE: join(folder, 'none') };
    expect(() => readConfig(env)).toThrow(new Error('OIDC_CLIENT_KEY_FILE: names a file that cannot be read (ENOENT)'));
  });

  test.each([
    ['OIDC_CLIENT_KEY_FILE', '/key', 'needs OIDC_CLIENT_AUTH=private_key_jwt'],
    ['OIDC_CLIENT_ASSERTION_FILE', '/assertion', 'needs OIDC_CLIENT_AUTH=private_key_jwt'],
    ['OIDC_CLIENT_CERTIFICATE_FILE', '/certificate', 'needs OIDC_CLIENT_KEY_FILE'],
    ['OIDC_CLIENT_ASSERTION_AUDIENCE', 'https://idp.example', 'needs OIDC_CLIENT_AUTH=private_key_jwt'],
  ])('%s with a different method of authentication', (variable, value, fault) => {
    const env = { ...provider, OIDC_CLIENT_AUTH: 'basic', OIDC_CLIENT_SECRET: 's', [variable]: value };
    expect(() => readConfig(env)).toThrow(new Error(`${variable}: ${fault}`));
  });

  test('a key together with an assertion from another program', () => {
    const env = { ...provider, OIDC_CLIENT_KEY_FILE: fileWith(pem(ec)), OIDC_CLIENT_ASSERTION_FILE: '/assertion' };
    expect(() => readConfig(env)).toThrow(
      new Error('OIDC_CLIENT_ASSERTION_FILE: must not be set together with OIDC_CLIENT_KEY_FILE'),
    );
  });
});

describe('without a key or an assertion, Frontdesk makes its own key', () => {
  const settings = { ...provider, PUBLIC_URL: 'https://desk.example' };

  test('and uses the configured audience', () => {
    const { provider, warnings } = readConfig({ ...settings, OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example' });
    expect(provider?.assertion).toEqual({
      key: undefined,
      audience: 'https://other.example',
      usual: undefined,
      algs: signingAlgs,
    });
    expect(warnings).toEqual([]);
  });

  test.each([
    [
      'a provider that does not fetch keys',
      { OIDC_PRESET: 'entra' },
      'OIDC_CLIENT_KEY_FILE: or OIDC_CLIENT_ASSERTION_FILE is required for private_key_jwt with OIDC_PRESET=entra',
    ],
    [
      'a certificate without its key',
      { OIDC_CLIENT_CERTIFICATE_FILE: '/certificate' },
      'OIDC_CLIENT_CERTIFICATE_FILE: needs OIDC_CLIENT_KEY_FILE',
    ],
    [
      'an audience for an assertion from another program',
      { OIDC_CLIENT_ASSERTION_FILE: '/assertion', OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example' },
      'OIDC_CLIENT_ASSERTION_AUDIENCE: must not be set together with OIDC_CLIENT_ASSERTION_FILE',
    ],
  ])('%s is a fault', (_, env, fault) => {
    expect(() => readConfig({ ...settings, ...env })).toThrow(new Error(fault));
  });

  test('an address that the provider cannot reach is reported as a warning', () => {
    const warned = {
      variable: 'PUBLIC_URL',
      fault: 'is on this machine, where the provider cannot read our client key',
    };
    expect(readConfig({ ...settings, PUBLIC_URL: '' }).warnings).toEqual([warned]);
    expect(readConfig({ ...settings, PUBLIC_URL: '', OIDC_ISSUER: 'http://localhost:9' }).warnings).toEqual([]);
  });
});

test('an assertion file that does not exist yet is a warning, not a fault', () => {
  const warningsOf = (file: string) => readConfig({ ...provider, OIDC_CLIENT_ASSERTION_FILE: file }).warnings;
  expect(warningsOf(fileWith('a.b.c'))).toEqual([]);
  expect(warningsOf(join(folder, 'none'))).toEqual([
    { variable: 'OIDC_CLIENT_ASSERTION_FILE', fault: 'names a file that cannot be read (ENOENT)' },
  ]);
});

describe('a certificate', () => {
  const withCertificate = (name: string, key = join(tls, 'localhost.key')) => ({
    ...provider,
    OIDC_CLIENT_KEY_FILE: key,
    OIDC_CLIENT_CERTIFICATE_FILE: join(tls, name),
  });

  test('is sent as its thumbprint', () => {
    const config = readConfig(withCertificate('localhost.pem'));
    // openssl x509 -in localhost.pem -outform DER | openssl dgst -sha256 -binary | basenc --base64url, without padding
    expect(assertionKey(config)?.certificate?.thumbprint).toBe('_IuFeEnu3gijT6GDk5kiu1vQGhdppiLIsFGJpIUr3pI');
    expect(config.warnings).toEqual([]);
  });

  test.each([
    [
      'of another key',
      withCertificate('localhost.pem', fileWith(pem(ec))),
      'must hold the certificate of the key in OIDC_CLIENT_KEY_FILE',
    ],
    ['that is not a certificate', withCertificate('README.md'), 'must hold a certificate as PEM'],
    ['that is missing', withCertificate('none.pem'), 'names a file that cannot be read (ENOENT)'],
  ])('%s is a fault', (_, env, fault) => {
    expect(() => readConfig(env)).toThrow(new Error(`OIDC_CLIENT_CERTIFICATE_FILE: ${fault}`));
  });

  const warnedOn = (day: string) =>
    readConfig(withCertificate('expired.pem'), false, new Date(day)).warnings.map(({ fault }) => fault);

  test('causes a warning if it expires within a month or has expired', () => {
    expect(warnedOn('2025-01-01')).toEqual([]);
    expect(warnedOn('2025-01-03')).toEqual([
      'the certificate expires on 2025-02-01: register a new one at the provider',
    ]);
    expect(warnedOn('2025-02-01')).toEqual([
      'the certificate expired on 2025-02-01: register a new one at the provider',
    ]);
  });
});
