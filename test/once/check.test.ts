// `frontdesk check` with identity providers: a real one, and one that gives wrong answers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { checkTls } from '../../src/cli/check/certificates.ts';
import { lineOf } from '../../src/cli/check/finding.ts';
import { checkProvider } from '../../src/cli/check/provider.ts';
import { readConfig } from '../../src/config/config.ts';
import { type DevelopmentProvider, startDevelopmentProvider } from '../../src/dev/development-provider.ts';
import { type HostileProvider, type Lie, startHostileProvider } from '../support/hostile-provider.ts';
import { startKeyClientProvider } from '../support/key-client-provider.ts';
import { freePort } from '../support/ports.ts';
import { root, runToEnd } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const folder = temporaryFolders();

/** Returns the lines that the check prints about this part. */
async function linesAbout(part: string, env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for await (const finding of checkProvider(readConfig(env))) {
    if (finding.part === part)
      lines.push(
        lineOf(finding)
          .trimEnd()
          .replace(` ${part.padEnd(18)}`, ''),
      );
  }
  return lines;
}

describe('at a real provider', () => {
  const port = freePort();
  const publicUrl = `http://localhost:${port}`;
  const secret = 's3cret & more';
  const features = { devInteractions: { enabled: false } };
  let pushing: DevelopmentProvider;
  let plain: DevelopmentProvider;

  beforeAll(async () => {
    const options = {
      portsToTry: 20,
      clientId: 'desk',
      clientSecret: secret,
      redirectUris: [`${publicUrl}/auth/login/callback`, `${publicUrl}/`],
      postLogoutUris: [],
      backchannelLogoutUri: '',
    };
    const without = { ...features, pushedAuthorizationRequests: { enabled: false } } as const;
    pushing = await startDevelopmentProvider({ ...options, port: freePort(), overrides: { features } });
    plain = await startDevelopmentProvider({ ...options, port: freePort(), overrides: { features: without } });
  });
  afterAll(async () => {
    await pushing.close();
    await plain.close();
  });

  const envFor = ({ issuer }: DevelopmentProvider, changes: Record<string, string> = {}) => ({
    PORT: String(port),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: secret,
    ...changes,
  });

  test('everything is tried, nothing is changed, and no secret is printed', async () => {
    const cwd = folder();
    const { exitCode, stdout, stderr } = await runToEnd(['check'], envFor(pushing), cwd);
    expect([exitCode, stderr, readdirSync(cwd)]).toEqual([0, '', []]);
    const { issuer } = pushing;
    expect(stdout.trim().split('\n')).toEqual([
      'ok     configuration      every variable is valid',
      'ok     audit              its rows are kept forever (AUDIT_RETENTION_DAYS)',
      'ok     database           ./data/frontdesk.db will be created when the service first starts',
      `ok     identity provider  ${issuer} was found; it does not announce: revocation, back-channel logout; it offers DPoP: set OIDC_DPOP=true if you want to use it, or if the provider requires it for this client`,
      `ok     TLS                ${issuer} is on this machine, without TLS`,
      `ok     provider's keys    1 at ${issuer}/jwks, for ES256`,
      'ok     client             the provider accepts OIDC_CLIENT_ID with our authentication, and refuses a wrong secret',
      `ok     redirect address   ${publicUrl}/auth/login/callback is registered at the provider, which accepted a pushed request of this client`,
      `ok     redirect address   ${publicUrl}/ is registered at the provider, which accepted a pushed request of this client`,
      "ok     clock              the provider's clock agrees with ours",
    ]);
    expect(stdout).not.toContain(secret);
  });

  test('a wrong secret is reported with what to check, and everything else is still tried', async () => {
    const { exitCode, stdout } = await runToEnd(['check'], envFor(plain, { OIDC_CLIENT_SECRET: 'wr0ng' }), folder());
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'FAILS  client             the provider refused: invalid_client: check OIDC_CLIENT_ID, OIDC_CLIENT_AUTH and OIDC_CLIENT_SECRET, which may have expired\n',
    );
    expect(stdout).toContain(`ok     redirect address   ${publicUrl}/auth/login/callback is registered`);
    expect(stdout).toContain('ok     clock');
    expect(stdout).not.toContain('wr0ng');
  });

  test.each([
    ['a client the provider does not know', { OIDC_CLIENT_ID: 'other' }],
    ['a wrong secret in the form', { OIDC_CLIENT_AUTH: 'post', OIDC_CLIENT_SECRET: 'x' }],
    ['no secret at all', { OIDC_CLIENT_AUTH: 'none' }],
  ])('%s is refused', async (_, changes) => {
    const lines = await linesAbout('client', envFor(plain, changes));
    expect(lines).toEqual([expect.stringMatching(/^FAILS {2}the provider refused: invalid_client: check /)]);
  });

  test('while the client is unknown, its addresses are not reported as wrong', async () => {
    const lines = await linesAbout('redirect address', envFor(plain, { OIDC_CLIENT_ID: 'other' }));
    expect(lines).toEqual([
      `warns  ${publicUrl}/auth/login/callback: could not be checked, since the client is refused`,
      `warns  ${publicUrl}/: could not be checked, since the client is refused`,
    ]);
  });

  test.each([
    ['tried on the sign-in page', () => envFor(plain), 'its sign-in page answers 400', ''],
    [
      'tried with a pushed request',
      () => envFor(pushing, { OIDC_PAR: 'true' }),
      'invalid_request',
      ', which accepted a pushed request of this client',
    ],
  ])('a redirect address that is not registered is reported, %s', async (_, env, how, accepted) => {
    const other = 'https://app.example.com/';
    const lines = await linesAbout('redirect address', {
      ...env(),
      OIDC_REDIRECT_URIS: other,
    });
    expect(lines).toEqual([
      `ok     ${publicUrl}/auth/login/callback is registered at the provider${accepted}`,
      `ok     ${publicUrl}/ is registered at the provider${accepted}`,
      `FAILS  ${other}: the provider refuses it (${how}). Register it there, character by character`,
    ]);
  });

  test('if pushed requests are supported but not required, the sign-in page decides after an ambiguous answer', async () => {
    const env = envFor(pushing, { OIDC_REDIRECT_URIS: 'https://app.example.com/' });
    expect((await linesAbout('redirect address', env)).at(-1)).toBe(
      'FAILS  https://app.example.com/: the provider refuses it (its sign-in page answers 400). Register it there, character by character',
    );
  });

  test('OIDC_PROFILE=fapi2 prints a line for each part of the profile, and the client is tried with proofs', async () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const client = { jwks: { keys: [key.publicKey.export({ format: 'jwk' })] }, dpop_bound_access_tokens: true };
    const fapi = await startKeyClientProvider(publicUrl, client, {
      enabledJWA: { clientAuthSigningAlgValues: ['PS256'] },
      features: {
        ...features,
        dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
        fapi: { enabled: true, profile: '2.0' },
        pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
      },
    });
    const keyFile = join(folder(), 'client-key.pem');
    writeFileSync(keyFile, key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const env = { OIDC_PROFILE: 'fapi2', OIDC_CLIENT_SECRET: '', OIDC_CLIENT_KEY_FILE: keyFile };
    expect(await linesAbout('FAPI 2.0', envFor(fapi, env))).toEqual([
      'ok     issuer: the same as OIDC_ISSUER, character by character',
      'ok     pushed requests: announced',
      'ok     issuer in answers: announced',
      'ok     client authentication: private_key_jwt',
      'ok     client assertions: PS256',
      'ok     response type: code',
      'ok     PKCE: S256',
      'ok     DPoP: ES256',
      'ok     ID tokens: ES256',
    ]);
    expect(await linesAbout('client', envFor(fapi, env))).toEqual([
      'ok     the provider accepts OIDC_CLIENT_ID with our authentication, and refuses a wrong secret',
    ]);
    expect(await linesAbout('redirect address', envFor(fapi, env))).toContain(
      `ok     ${publicUrl}/auth/login/callback is registered at the provider, which accepted a pushed request of this client`,
    );
    await fapi.close();
  });

  test('OIDC_DPOP=true prints a line of its own', async () => {
    const lines = await linesAbout('identity provider', envFor(plain, { OIDC_DPOP: 'true' }));
    expect(lines.slice(1)).toEqual(['ok     DPoP: ES256']);
    expect(lines[0]).not.toContain('it offers DPoP');
  });

  test('an unregistered address of the console causes only a warning', async () => {
    const env = envFor(plain, { PUBLIC_URL: 'http://127.0.0.1:1', OIDC_REDIRECT_URIS: `${publicUrl}/` });
    expect(await linesAbout('redirect address', env)).toEqual([
      'FAILS  http://127.0.0.1:1/auth/login/callback: the provider refuses it (its sign-in page answers 400). Register it there, character by character',
      'warns  http://127.0.0.1:1/, which the console and the API docs use: the provider refuses it (its sign-in page answers 400). Register it there, character by character',
      `ok     ${publicUrl}/ is registered at the provider`,
    ]);
  });
});

describe('with a provider that answers differently', () => {
  let provider: HostileProvider;
  let encrypting: object;
  beforeAll(async () => {
    provider = await startHostileProvider();
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    encrypting = { ...(await exportJWK(publicKey)), use: 'enc' };
  });
  afterAll(() => provider.stop());

  const refuse = (error: string, status = 400, headers = {}) =>
    Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } });
  const signInOnce = 'sign in once with frontdesk check --sign-in';
  const fix = 'synchronize both clocks with NTP';
  const dated = (seconds: number) => () =>
    refuse('invalid_grant', 400, { date: new Date(Date.now() + seconds * 1000).toUTCString() });
  const back = (error: string) => (url: URL) =>
    Response.redirect(`${url.searchParams.get('redirect_uri')}?error=${error}`);
  const callback = 'http://localhost:3000/auth/login/callback';
  const registerThis = 'Register exactly this address at the provider';

  const rows: [what: string, lie: () => Lie, part: string, line: string | RegExp][] = [
    [
      'another issuer',
      () => ({ discovery: { issuer: 'https://other.example' } }),
      'identity provider',
      'FAILS  the discovery document at OIDC_ISSUER names a different issuer: if that is the right one, set OIDC_ISSUER=https://other.example',
    ],
    [
      'no token endpoint, and keys at an address that is not http',
      () => ({ discovery: { token_endpoint: null, jwks_uri: 'ftp://keys.example' } }),
      'identity provider',
      /^FAILS {2}the discovery document has no usable token_endpoint, jwks_uri: check OIDC_ISSUER/,
    ],
    [
      'keys at an address that cannot be fetched',
      () => ({ discovery: { jwks_uri: 'ftp://keys.example' } }),
      "provider's keys",
      'skips  not tried without a usable jwks_uri',
    ],
    [
      'pushed requests required, but no endpoint for them',
      () => ({ discovery: { require_pushed_authorization_requests: true } }),
      'identity provider',
      /^FAILS {2}the discovery document has no usable pushed_authorization_request_endpoint: /,
    ],
    [
      'another algorithm',
      () => ({ discovery: { id_token_signing_alg_values_supported: ['none', 'HS256'] } }),
      'identity provider',
      'FAILS  it announces ID tokens signed with none, HS256, but not with an asymmetric algorithm: set OIDC_SIGNING_ALG',
    ],
    [
      'other methods of client authentication',
      () => ({ discovery: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } }),
      'identity provider',
      'warns  it announces private_key_jwt, but not client_secret_basic: see OIDC_CLIENT_AUTH',
    ],
    [
      'PKCE without S256',
      () => ({ discovery: { code_challenge_methods_supported: ['plain'] } }),
      'identity provider',
      'warns  it does not announce PKCE with S256, which every sign-in here uses: allow it for the client',
    ],
    [
      'control characters and 10,000 letters in a name',
      () => ({ discovery: { issuer: `https://\u001b[31m${'x'.repeat(10_000)}` } }),
      'identity provider',
      /^FAILS {2}the discovery document at OIDC_ISSUER names a different issuer: if that is the right one, set OIDC_ISSUER=https:\/\/\?\[31mx{400,560}$/,
    ],
    [
      'no key',
      () => ({ keys: () => Response.json({ keys: [] }) }),
      "provider's keys",
      /^FAILS {2}none of the 0 at .* is for RS256: set OIDC_SIGNING_ALG to the algorithm that the provider signs with/,
    ],
    [
      'an encryption key, and values that are not keys',
      () => ({ keys: () => Response.json({ keys: [encrypting, null, 'x', { kty: 'RSA' }] }) }),
      "provider's keys",
      /^FAILS {2}none of the 4 at /,
    ],
    [
      'no key set',
      () => ({ keys: () => new Response('gone', { status: 404 }) }),
      "provider's keys",
      /^FAILS {2}\S+ does not return the keys \(status 404\): nobody can sign in until it does$/,
    ],
    [
      'unauthorized_client, as Keycloak answers to a wrong secret',
      () => ({ token: () => refuse('unauthorized_client', 401) }),
      'client',
      /^FAILS {2}the provider refused: unauthorized_client: check OIDC_CLIENT_ID/,
    ],
    [
      '401 without a word',
      () => ({ token: () => new Response(null, { status: 401 }) }),
      'client',
      /^FAILS {2}the provider answered 401 without an error code: check OIDC_CLIENT_ID/,
    ],
    [
      'the code refused, even with a wrong secret',
      () => ({ token: () => refuse('invalid_grant') }),
      'client',
      `warns  could not be checked (the provider gives the same answer to a wrong secret): ${signInOnce}`,
    ],
    [
      'another refusal',
      () => ({ token: () => refuse('invalid_request') }),
      'client',
      `warns  could not be checked (the provider refused: invalid_request): ${signInOnce}`,
    ],
    [
      'tokens for any code',
      () => ({}),
      'client',
      `warns  could not be checked (the provider accepted an invalid code): ${signInOnce}`,
    ],
    [
      'an error that is not an error code',
      () => ({ token: () => refuse('Erin Moss, erin@example.com') }),
      'client',
      `warns  could not be checked (the provider refused: not an error code): ${signInOnce}`,
    ],
    [
      '500',
      () => ({ token: () => new Response(null, { status: 500 }) }),
      'client',
      `warns  could not be checked (the provider answered 500): ${signInOnce}`,
    ],
    [
      'nobody signed in',
      () => ({ authorization: back('login_required') }),
      'redirect address',
      `ok     ${callback} is registered at the provider`,
    ],
    [
      'scopes that it does not allow',
      () => ({ authorization: back('invalid_scope') }),
      'redirect address',
      `FAILS  ${callback} is registered, but sign-ins are refused (invalid_scope): set OIDC_SCOPES, or allow these scopes there`,
    ],
    [
      'browsers sent elsewhere',
      () => ({ authorization: () => Response.redirect('https://other.example/?error=login_required') }),
      'redirect address',
      `warns  ${callback}: could not be checked (the sign-in page sends browsers elsewhere). ${registerThis}`,
    ],
    [
      'an error page with status 200',
      () => ({ authorization: () => new Response('Something is wrong') }),
      'redirect address',
      `warns  ${callback}: could not be checked (the sign-in page answers 200). ${registerThis}`,
    ],
    [
      'a bot check before the sign-in page',
      () => ({ authorization: () => new Response('Are you a person?', { status: 403 }) }),
      'redirect address',
      `warns  ${callback}: could not be checked (the sign-in page answers 403). ${registerThis}`,
    ],
    [
      'a scope refused as by Keycloak: the pushed request without a reason, the sign-in page with one',
      () => ({
        discovery: { pushed_authorization_request_endpoint: `${provider.issuer}/par` },
        pushedRequest: () => refuse('invalid_request'),
        authorization: back('invalid_scope'),
      }),
      'redirect address',
      `FAILS  ${callback} is registered, but sign-ins are refused (invalid_scope): set OIDC_SCOPES, or allow these scopes there`,
    ],
    [
      'pushed requests required, and all of them refused',
      () => ({
        discovery: {
          pushed_authorization_request_endpoint: `${provider.issuer}/par`,
          require_pushed_authorization_requests: true,
        },
        pushedRequest: () => refuse('invalid_request'),
      }),
      'redirect address',
      `FAILS  ${callback}: the provider refuses it (invalid_request; OIDC_SCOPES may also be the reason). Register it there, character by character`,
    ],
    [
      'half a minute ahead',
      () => ({ token: dated(30) }),
      'clock',
      new RegExp(`^warns {2}.* [1-3]\\d s ahead of ours; 60 s are tolerated: ${fix}$`),
    ],
    [
      'half a minute behind',
      () => ({ token: dated(-30) }),
      'clock',
      new RegExp(`^warns {2}.* [2-5]\\d s behind ours; 60 s are tolerated: ${fix}$`),
    ],
    [
      'ahead by more than is tolerated',
      () => ({ token: dated(90) }),
      'clock',
      new RegExp(`^FAILS {2}.* [6-9]\\d s ahead of ours, so we refuse its ID tokens: ${fix}$`),
    ],
    [
      'an hour behind',
      () => ({ token: dated(-3600) }),
      'clock',
      new RegExp(
        `^FAILS {2}.* \\d+ s behind ours, so it refuses our assertions, and we refuse its older ID tokens: ${fix}$`,
      ),
    ],
    [
      'an answer that was in a cache for an hour',
      () => ({ token: () => refuse('invalid_grant', 400, { date: new Date(0).toUTCString(), age: '3600' }) }),
      'clock',
      "ok     the provider's clock agrees with ours",
    ],
  ];

  test.each(rows)('%s', async (_, lie, part, expected) => {
    provider.lie = lie();
    const lines = await linesAbout(part, provider.env);
    provider.lie = {};
    const line = lines.find((each) => (typeof expected === 'string' ? each === expected : expected.test(each)));
    expect(line ?? lines).toBeString();
  });

  test('an answer that never ends times out, and the other parts are still tried', async () => {
    provider.lie = {
      authorization: () => new Response(new ReadableStream({ pull: () => Promise.withResolvers<void>().promise })),
    };
    const lines = await linesAbout('redirect address', provider.env);
    provider.lie = {};
    expect(lines[0]).toBe(`warns  ${callback}: could not be checked (idp-timeout). ${registerThis}`);
  });

  test('OIDC_PROFILE=fapi2 reports every part of the profile that is missing', async () => {
    const env = { OIDC_ISSUER: `${provider.issuer}/`, OIDC_CLIENT_ID: 'desk', OIDC_PROFILE: 'fapi2' };
    provider.lie = {
      discovery: {
        dpop_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: [],
        code_challenge_methods_supported: 'S256',
      },
    };
    const [lines, about] = [await linesAbout('FAPI 2.0', env), await linesAbout('identity provider', env)];
    provider.lie = {};
    expect(lines).toEqual([
      `FAILS  issuer: the provider announces ${provider.issuer}: set OIDC_ISSUER to exactly this`,
      'FAILS  pushed requests: not announced (pushed_authorization_request_endpoint), and every sign-in uses it',
      'FAILS  issuer in answers: not announced (authorization_response_iss_parameter_supported), and sign-ins are refused if the authorization response has no iss',
      'FAILS  client authentication: it announces nothing (token_endpoint_auth_methods_supported); needed: private_key_jwt',
      'warns  client assertions: not announced (token_endpoint_auth_signing_alg_values_supported); needed: PS256',
      'warns  response type: not announced (response_types_supported); needed: code',
      'warns  PKCE: not announced (code_challenge_methods_supported); needed: S256',
      'FAILS  DPoP: it announces RS256 (dpop_signing_alg_values_supported); needed: ES256',
      'FAILS  ID tokens: it announces RS256, none, HS256 (id_token_signing_alg_values_supported); needed: PS256 or ES256 or EdDSA or Ed25519',
    ]);
    expect(about).toContain(
      `FAILS  the discovery document at OIDC_ISSUER names a different issuer: if that is the right one, set OIDC_ISSUER=${provider.issuer}`,
    );
  });

  test('several signature algorithms cause a warning until one is configured', async () => {
    provider.lie = { discovery: { id_token_signing_alg_values_supported: ['RS256', 'PS256', 'none'] } };
    const [open, pinned] = [
      await linesAbout('identity provider', provider.env),
      await linesAbout('identity provider', { ...provider.env, OIDC_SIGNING_ALG: 'RS256' }),
    ];
    provider.lie = {};
    const warning =
      'warns  it announces ID tokens signed with RS256, PS256: set OIDC_SIGNING_ALG to the one that it uses';
    expect([open.includes(warning), pinned.some((line) => line.startsWith('warns'))]).toEqual([true, false]);
  });

  test('an issuer without a discovery document is reported with the address that was tried', async () => {
    const env = { ...provider.env, OIDC_ISSUER: `${provider.issuer}/realms/other` };
    expect(await linesAbout('identity provider', env)).toEqual([
      `FAILS  ${provider.issuer}/realms/other/.well-known/openid-configuration answers 404: OIDC_ISSUER must be the issuer that the provider's discovery document names`,
    ]);
    const skipped = ['skips  not tried without the discovery document'];
    expect(await linesAbout('client', env)).toEqual(skipped);
    expect(await linesAbout('FAPI 2.0', { ...env, OIDC_PROFILE: 'fapi2' })).toEqual(skipped);
    expect(await linesAbout('FAPI 2.0', env)).toEqual([]);
  });
});

describe('TLS', () => {
  const material = (name: string) => join(root, 'test/support/tls', name);
  const read = (name: string) => readFileSync(material(name), 'utf8');
  const started: HostileProvider[] = [];
  afterAll(() => {
    for (const provider of started) provider.stop();
  });

  async function check(certificate: string, env: Record<string, string>, host = 'localhost'): Promise<string[]> {
    const provider = await startHostileProvider(undefined, '', { cert: read(certificate), key: read('localhost.key') });
    started.push(provider);
    const issuer = provider.issuer.replace('localhost', host);
    const { stdout } = await runToEnd(['check'], { ...provider.env, OIDC_ISSUER: issuer, ...env }, folder());
    return stdout
      .split('\n')
      .filter((line) => / (TLS|identity provider) /.test(line))
      .map((line) => line.replaceAll(issuer, 'ISSUER'));
  }

  test('an unknown CA is reported with what to do, and following that advice works', async () => {
    const advice =
      'its certificate is from a CA that is not trusted here: set NODE_EXTRA_CA_CERTS to a PEM file with that CA, or check which server answers';
    expect(await check('localhost.pem', {})).toEqual([
      `FAILS  identity provider  ${advice}`,
      `FAILS  TLS                ISSUER: ${advice}`,
    ]);
    expect(await check('localhost.pem', { NODE_EXTRA_CA_CERTS: material('ca.pem') })).toEqual([
      expect.stringContaining('ok     identity provider  ISSUER was found'),
      'ok     TLS                ISSUER: TLSv1.3, certificate valid until 2126-10-22',
    ]);
  });

  test.each([
    ['that has expired', 'expired.pem', 'localhost', 'its certificate has expired and must be renewed'],
    [
      'for another name',
      'localhost.pem',
      '127.0.0.1',
      'its certificate is for another name: check the host in the address',
    ],
  ])('a certificate %s', async (_, certificate, host, text) => {
    const lines = await check(certificate, { NODE_EXTRA_CA_CERTS: material('ca.pem') }, host);
    expect(lines).toEqual([`FAILS  identity provider  ${text}`, `FAILS  TLS                ISSUER: ${text}`]);
  });

  test('a certificate that expires within three weeks causes a warning', async () => {
    const provider = await startHostileProvider(undefined, '', {
      cert: read('localhost.pem'),
      key: read('localhost.key'),
    });
    started.push(provider);
    const script = `
      import { checkTls } from '${root}/src/cli/check/certificates.ts';
      for (const day of ['2126-09-30', '2126-10-02'])
        for (const { level, text } of await checkTls(['${provider.issuer}'], new Date(day))) console.log(level, text);`;
    const child = Bun.spawn(['bun', '--no-env-file', '-e', script], {
      env: { PATH: `${root}/node_modules/.bin:${process.env.PATH}`, NODE_EXTRA_CA_CERTS: material('ca.pem') },
    });
    const found = `${provider.issuer}: TLSv1.3, certificate valid until 2126-10-22`;
    expect(await new Response(child.stdout).text()).toBe(
      `ok ${found}\nwarns ${found}: it must be renewed before that day\n`,
    );
  });

  test('a server that accepts the connection but never answers times out', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, 'localhost', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await checkTls([`https://localhost:${port}`], new Date())).toEqual([
      {
        level: 'warns',
        part: 'TLS',
        text: `https://localhost:${port}: could not be checked: it did not answer in time: check the address, and the network of this machine`,
      },
    ]);
    silent.close();
  });
});
