// Proofs of possession (RFC 9449) and the FAPI 2.0 Security Profile, at a real provider that demands both, with nonces.
import { afterEach, expect, test } from 'bun:test';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose';
import type { ClientMetadata, Configuration } from 'oidc-provider';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { renewBy } from '../support/bound-sign-in.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { keyClientId as clientId, startKeyClientProvider } from '../support/key-client-provider.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';

interface Proof {
  path: string;
  alg: string | undefined;
  thumbprint: string;
  hasNonce: boolean;
}

let proofs: Proof[] = [];
/** The algorithms of the assertions that the provider has accepted. */
let assertionAlgs: unknown[] = [];
let provider: DevelopmentProvider;
let desks: Frontdesk[] = [];

afterEach(async () => {
  for (const desk of desks.reverse()) await desk.stop();
  await provider.close();
  [desks, proofs, assertionAlgs] = [[], [], []];
});

const clientSecret = 's3cret & more';
const secretClient = { token_endpoint_auth_method: 'client_secret_basic', client_secret: clientSecret } as const;
const byOwnKey = (url: string): Partial<ClientMetadata> => ({ jwks_uri: `${url}/.well-known/client-jwks.json` });

/** Starts a Frontdesk, and a provider that demands proofs with nonces. */
async function start(
  env: Record<string, string>,
  client: (url: string) => Partial<ClientMetadata>,
  features: Configuration['features'] = {},
) {
  const port = freePort();
  const url = `http://localhost:${port}`;
  provider = await startKeyClientProvider(
    url,
    { dpop_bound_access_tokens: true, id_token_signed_response_alg: 'ES256', ...client(url) },
    {
      features: {
        devInteractions: { enabled: false },
        dPoP: {
          enabled: true,
          nonceSecret: Buffer.alloc(32, 7),
          requireNonce(ctx) {
            record(ctx.path, ctx.get('DPoP'));
            return true;
          },
        },
        ...features,
      },
      assertJwtClientAuthClaimsAndHeader: async (_, __, { alg }) => void assertionAlgs.push(alg),
    },
  );
  const settings = {
    SECRET_KEY: 'shared by all replicas, long enough',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    PUBLIC_URL: url,
    ...env,
  };
  const desk = await startFrontdesk({ PORT: String(port), ...settings });
  desks.push(desk);
  const startReplica = async () => {
    const replica = await startFrontdesk(settings, desk.folder, desk.database);
    desks.push(replica);
    return replica;
  };
  const restart = async () => {
    const again = await desk.restart();
    desks[0] = again;
    return again;
  };
  return { desk, startReplica, restart };
}

function record(path: string, proof: string): void {
  const { alg, jwk } = decodeProtectedHeader(proof);
  const entry = { path, alg, thumbprint: '', hasNonce: decodeJwt(proof).nonce !== undefined };
  proofs.push(entry);
  void calculateJwkThumbprint(jwk ?? {}).then((thumbprint) => {
    entry.thumbprint = thumbprint;
  });
}

const pathsWith = (hasNonce: boolean) => proofs.filter((proof) => proof.hasNonce === hasNonce).map(({ path }) => path);
const thumbprints = () => [...new Set(proofs.map(({ thumbprint }) => thumbprint))];

/** Begins a sign-in at one Frontdesk and finishes it at another. */
async function signIn(from: Frontdesk, to = from) {
  const browser = new Browser();
  const { url } = await browser.follow(
    `${from.url}/auth/login?login_hint=E-1001`,
    ({ pathname }) => pathname === '/auth/login/callback',
  );
  const response = await browser.request(`${to.url}${url.pathname}${url.search}`);
  const session = [...browser.cookies.values()].find(({ name }) => name === 'frontdesk_session');
  return { response, cookie: `frontdesk_session=${session?.value}` };
}

async function expectSignedIn(response: Response, at: Frontdesk) {
  expect(response.status).toBe(200);
  const { accessToken } = (await response.json()) as { accessToken: string };
  const me = await at.get('/auth/me', bearer(accessToken));
  // The name comes from userinfo.
  expect(await me.json()).toMatchObject({ sub: 'E-1001', name: 'Ada Park' });
}

test('each endpoint gets a proof, and its nonces are followed: only the first call is made twice', async () => {
  const { desk } = await start(
    { OIDC_CLIENT_SECRET: clientSecret, OIDC_DPOP: 'true', OIDC_PAR: 'true' },
    () => secretClient,
  );
  const { response, cookie } = await signIn(desk);
  await expectSignedIn(response, desk);
  expect(pathsWith(false)).toEqual(['/request']);
  expect(pathsWith(true)).toEqual(['/request', '/token', '/me']);
  proofs = [];
  await expectSignedIn(await renewBy(cookie, desk), desk);
  expect([pathsWith(false), pathsWith(true)]).toEqual([[], ['/token', '/me']]);
  expect(proofs.map(({ alg }) => alg)).toEqual(['ES256', 'ES256']);
});

test.each<[string, Record<string, string>, (url: string) => Partial<ClientMetadata>]>([
  ['a secret', { OIDC_CLIENT_SECRET: clientSecret }, () => secretClient],
  ['a key', { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_PAR: 'true' }, byOwnKey],
  // RFC 9449 section 5: the refresh token of a client that does not authenticate is bound to the key of its proofs.
  ['no secret', { OIDC_CLIENT_AUTH: 'none', OIDC_PAR: 'true' }, () => ({ token_endpoint_auth_method: 'none' })],
])(
  'a client with %s: another replica finishes a sign-in and renews it, and a restarted process renews it, too',
  async (_, env, client) => {
    const { desk, startReplica, restart } = await start({ ...env, OIDC_DPOP: 'true' }, client);
    const replica = await startReplica();
    const { response, cookie } = await signIn(desk, replica);
    await expectSignedIn(response, replica);
    await expectSignedIn(await renewBy(cookie, replica), replica);
    await expectSignedIn(await renewBy(cookie, desk), desk);
    const restarted = await restart();
    await expectSignedIn(await renewBy(cookie, restarted), restarted);
    expect(thumbprints()).toHaveLength(1);
  },
);

test('without pushed requests, the address of the sign-in page contains the thumbprint of the key', async () => {
  const { desk } = await start({ OIDC_CLIENT_SECRET: clientSecret, OIDC_DPOP: 'true' }, () => secretClient);
  const begun = await desk.get('/auth/login');
  const { response } = await signIn(desk);
  await expectSignedIn(response, desk);
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  expect(thumbprints()).toEqual([searchParams.get('dpop_jkt') ?? '']);
});

test('a client that needs proofs is refused without OIDC_DPOP', async () => {
  const { desk } = await start({ OIDC_CLIENT_SECRET: clientSecret }, () => secretClient);
  const { response } = await signIn(desk);
  await expectProblem(response, 'code-rejected', 400);
  expect(proofs).toEqual([]);
});

test('OIDC_PROFILE=fapi2 is all that a FAPI 2.0 provider needs', async () => {
  const { desk, startReplica, restart } = await start({ OIDC_PROFILE: 'fapi2' }, byOwnKey, {
    fapi: { enabled: true, profile: '2.0' },
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
  });
  const begun = await desk.get('/auth/login');
  const { searchParams } = new URL(begun.headers.get('location') ?? '');
  expect([...searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
  const replica = await startReplica();
  const { response, cookie } = await signIn(desk, replica);
  await expectSignedIn(response, replica);
  const restarted = await restart();
  await expectSignedIn(await renewBy(cookie, restarted), restarted);
  expect(new Set(assertionAlgs)).toEqual(new Set(['PS256']));
  expect([new Set(proofs.map(({ alg }) => alg)), thumbprints().length]).toEqual([new Set(['ES256']), 1]);
});
