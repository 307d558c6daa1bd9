// Frontdesk authenticates to a real provider with its own key (private_key_jwt): for code exchanges, renewals and
// revocations.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { renewBy } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { keyClientId as clientId, startKeyClientProvider } from '../support/key-client-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const folder = makeFolder();
const tls = join(import.meta.dir, '../support/tls');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const certified = readFileSync(join(tls, 'localhost.key'), 'utf8');

function fileWith(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
const pemFile = (name: string, key: KeyObject) => fileWith(name, String(key.export({ type: 'pkcs8', format: 'pem' })));
const keyFiles = {
  rsa: pemFile('rsa.pem', rsa.privateKey),
  ed25519: fileWith('ed25519.json', JSON.stringify({ ...ed25519.privateKey.export({ format: 'jwk' }), kid: 'ed' })),
  certified: join(tls, 'localhost.key'),
  stranger: pemFile('stranger.pem', stranger.privateKey),
};

let provider: DevelopmentProvider;
let refreshes = 0;
let desk: Frontdesk;
/** Resolves with the client ID once the provider has authenticated a revocation. */
let revoked = Promise.withResolvers<string>();

beforeAll(async () => {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const publicKeys = [
    rsa.publicKey.export({ format: 'jwk' }),
    { ...ed25519.publicKey.export({ format: 'jwk' }), kid: 'ed' },
    createPublicKey(certified).export({ format: 'jwk' }),
  ];
  provider = await startKeyClientProvider(
    url,
    { jwks: { keys: publicKeys } },
    {
      // Called only after the client has been authenticated.
      rotateRefreshToken: () => {
        refreshes++;
        return true;
      },
      features: {
        devInteractions: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy: (_, client, token) => {
            revoked.resolve(client.clientId);
            return token.clientId === client.clientId;
          },
        },
      },
    },
  );
  desk = await startFrontdesk({
    PORT: String(port),
    SECRET_KEY: 'shared by all of them, long enough',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_AUTH: 'private_key_jwt',
    OIDC_CLIENT_KEY_FILE: keyFiles.rsa,
  });
});
afterAll(async () => {
  await desk.stop();
  await provider.close();
  rmSync(folder, { recursive: true });
});

async function signIn() {
  const browser = new Browser();
  const { response } = await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const session = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
  return { response, cookie: `frontdesk_session=${session?.value}` };
}

describe.each([
  ['an RSA key as PEM', { OIDC_CLIENT_KEY_FILE: keyFiles.rsa }],
  ['an RSA key, with pushed requests', { OIDC_CLIENT_KEY_FILE: keyFiles.rsa, OIDC_PAR: 'true' }],
  ['an Ed25519 key as JWK', { OIDC_CLIENT_KEY_FILE: keyFiles.ed25519 }],
  [
    'a key with a certificate',
    { OIDC_CLIENT_KEY_FILE: keyFiles.certified, OIDC_CLIENT_CERTIFICATE_FILE: join(tls, 'localhost.pem') },
  ],
])('%s', (_, env) => {
  beforeAll(async () => {
    desk = await desk.restart({ OIDC_CLIENT_CERTIFICATE_FILE: '', OIDC_PAR: '', ...env });
  });

  test('authenticates code exchanges, renewals and revocations', async () => {
    const { response, cookie } = await signIn();
    expect(response.status).toBe(200);
    const before = refreshes;
    const renewed = await renewBy(cookie, desk);
    expect(renewed.status).toBe(200);
    expect(refreshes).toBe(before + 1);
    const { accessToken } = (await renewed.json()) as { accessToken: string };
    revoked = Promise.withResolvers();
    const left = await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(accessToken) });
    expect(left.status).toBe(204);
    expect(await revoked.promise).toBe(clientId);
  });
});

const refusals: [string, Record<string, string>, () => string][] = [
  [
    'a key that the provider does not know',
    { OIDC_CLIENT_KEY_FILE: keyFiles.stranger },
    () =>
      `check that the public key of OIDC_CLIENT_KEY_FILE is registered at the provider for OIDC_CLIENT_ID, that the provider accepts ${provider.issuer} as the audience (otherwise set OIDC_CLIENT_ASSERTION_AUDIENCE), and that the clocks of Frontdesk and the provider are right`,
  ],
  [
    'an audience that it does not accept',
    { OIDC_CLIENT_KEY_FILE: keyFiles.rsa, OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example' },
    () =>
      'check that the public key of OIDC_CLIENT_KEY_FILE is registered at the provider for OIDC_CLIENT_ID, that the provider accepts https://other.example as the audience (otherwise set OIDC_CLIENT_ASSERTION_AUDIENCE), and that the clocks of Frontdesk and the provider are right',
  ],
  [
    'an expired certificate, at a provider that refuses it',
    {
      OIDC_CLIENT_KEY_FILE: keyFiles.certified,
      OIDC_CLIENT_CERTIFICATE_FILE: join(tls, 'expired.pem'),
      OIDC_CLIENT_ASSERTION_AUDIENCE: 'https://other.example',
    },
    () => 'the certificate in OIDC_CLIENT_CERTIFICATE_FILE has expired: register a new one at the provider',
  ],
];

describe('the provider refuses, and the operator is told the reason:', () => {
  test.each(refusals)('%s', async (_, env, advice) => {
    desk = await desk.restart({ OIDC_CLIENT_CERTIFICATE_FILE: '', OIDC_CLIENT_ASSERTION_AUDIENCE: '', ...env });
    await expectProblem((await signIn()).response, 'idp-configuration', 502);
    const log = desk.logged.join('');
    expect(log).toContain(`the provider refused: invalid_client: ${advice()}`);
    // The log contains neither a key nor an assertion.
    expect(log).not.toContain('PRIVATE KEY');
    expect(log).not.toContain('eyJ');
  });
});

test('a replaced key file is read again, and an unusable one is reported when the provider refuses', async () => {
  const keyFile = join(folder, 'replaced.pem');
  copyFileSync(keyFiles.stranger, keyFile);
  desk = await desk.restart({
    OIDC_CLIENT_KEY_FILE: keyFile,
    OIDC_CLIENT_CERTIFICATE_FILE: '',
    OIDC_CLIENT_ASSERTION_AUDIENCE: '',
  });
  await expectProblem((await signIn()).response, 'idp-configuration', 502);
  writeFileSync(keyFile, 'no key');
  await expectProblem((await signIn()).response, 'idp-configuration', 502);
  expect(desk.logged.join('')).toContain(
    'the provider refused: invalid_client: OIDC_CLIENT_KEY_FILE must hold one private key without a passphrase, as PEM (PKCS#8) or JWK: the previous key is still in use',
  );
  copyFileSync(keyFiles.rsa, keyFile);
  expect((await signIn()).response.status).toBe(200);
});

test('frontdesk check reports an expired certificate', async () => {
  const env = {
    ...desk.commandEnv,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_AUTH: 'private_key_jwt',
    OIDC_CLIENT_KEY_FILE: keyFiles.certified,
    OIDC_CLIENT_CERTIFICATE_FILE: join(tls, 'expired.pem'),
  };
  const { stdout } = await runToEnd(['check'], env, desk.folder);
  expect(stdout).toMatch(
    /^warns +configuration +OIDC_CLIENT_CERTIFICATE_FILE: the certificate expired on 2025-02-01: register a new one at the provider$/m,
  );
});

describe('an assertion written by another program', () => {
  const file = join(folder, 'assertion');
  const write = async (audience = provider.issuer) =>
    writeFileSync(
      file,
      await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'RS256' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(audience)
        .setExpirationTime('1m')
        .sign(rsa.privateKey),
    );

  beforeAll(async () => {
    await write();
    desk = await desk.restart({
      OIDC_CLIENT_KEY_FILE: '',
      OIDC_CLIENT_CERTIFICATE_FILE: '',
      OIDC_CLIENT_ASSERTION_AUDIENCE: '',
      OIDC_CLIENT_ASSERTION_FILE: file,
    });
  });

  test('is read again for each call', async () => {
    await write();
    const { response, cookie } = await signIn();
    expect(response.status).toBe(200);
    // The file still has the same assertion, and this provider accepts each assertion only once.
    await expectProblem(await renewBy(cookie, desk), 'idp-configuration', 502);
    await write();
    const renewed = await renewBy(cookie, desk);
    expect(renewed.status).toBe(200);
    const { accessToken } = (await renewed.json()) as { accessToken: string };
    await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(accessToken) });
    const findRevocation = () => desk.logged.find((line) => line.includes('refresh token not revoked'));
    await until(async () => findRevocation() !== undefined);
    expect(JSON.parse(findRevocation() ?? '')).toMatchObject({
      code: 'idp-configuration',
      reason: expect.stringContaining('the provider refused: invalid_client: check that the assertion'),
    });
  });

  test.each<[string, () => Promise<void> | void, string]>([
    ['is not there', () => rmSync(file), 'OIDC_CLIENT_ASSERTION_FILE names a file that cannot be read (ENOENT)'],
    ['is empty', () => writeFileSync(file, ''), 'OIDC_CLIENT_ASSERTION_FILE names an empty file'],
    [
      'is not a JWT',
      () => writeFileSync(file, 'hunter2 eyJ'),
      'OIDC_CLIENT_ASSERTION_FILE names a file that does not hold a JWT',
    ],
    [
      'is too long',
      () => writeFileSync(file, 'x'.repeat(70_000)),
      'OIDC_CLIENT_ASSERTION_FILE must name a file of at most 65536 bytes',
    ],
    [
      'is for somebody else',
      () => write('https://other.example'),
      'the provider refused: invalid_client: check that the assertion in OIDC_CLIENT_ASSERTION_FILE is replaced before',
    ],
  ])('and %s is reported as a wrong configuration, with the reason', async (_, change, reason) => {
    await change();
    desk.logged.length = 0;
    await expectProblem((await signIn()).response, 'idp-configuration', 502);
    const log = desk.logged.join('');
    expect(log).toContain(reason);
    expect(log).not.toContain('eyJ');
    await write();
    expect((await signIn()).response.status).toBe(200);
  });
});
