// A provider that can give wrong answers, which no certified provider would give. Its answers are correct unless `lie` is set.
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { freePort } from './ports.ts';

/** What to do differently in the next exchange. Whatever is omitted stays correct. */
export interface Lie {
  /** Changes to the correct claims; undefined removes a claim. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Replaces the whole ID token; null sends none. */
  idToken?: ((honest: string) => string | Promise<string>) | null;
  token?: (request: Request) => Response | Promise<Response>;
  /** Replaces `Bearer`. */
  tokenType?: string;
  /** The refresh token to send with the other tokens. Called again for each refresh. */
  refreshToken?: () => string | undefined;
  /** Replaces the answer to a refresh. */
  refresh?: (form: URLSearchParams) => Response | Promise<Response>;
  /** Answers requests for the sign-in page. By default, there is no such page. */
  authorization?: (url: URL) => Response;
  /** Answers pushed requests. Needs a discovery document that names /par. */
  pushedRequest?: (form: URLSearchParams, request: Request) => Response | Promise<Response>;
  revocation?: () => Response | Promise<Response>;
  userinfo?: (request: Request) => Response | Promise<Response>;
  keys?: () => Response;
  /** Signs with an unpublished key. */
  signsWithAnotherKey?: boolean;
  discovery?: Record<string, unknown>;
}

export interface HostileProvider {
  issuer: string;
  lie: Lie;
  /** How many seconds its clock is ahead. */
  lead: number;
  /** The environment for a Frontdesk that uses it. */
  env: Record<string, string>;
  publicJwk: JWK;
  /** How often each path was called. */
  calls: Map<string, number>;
  /** The forms of all refreshes and revocations. */
  refreshes: URLSearchParams[];
  revocations: URLSearchParams[];
  /** The correct answer of the token endpoint. */
  tokens(): Promise<Response>;
  /** Creates a new signing key with a new kid. */
  rotate(alg?: string): Promise<void>;
  /** Signs anything with the published key. */
  sign(payload: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  stop(): void;
  start(): void;
}

export const clientId = 'desk';

const makeKeys = (alg: string) => generateKeyPair(alg, { extractable: true });
/** Created once, because creating a key takes a tenth of a second. */
const firstKeys = makeKeys('RS256');
const otherKeys = makeKeys('RS256');

export async function startHostileProvider(
  port = freePort(),
  path = '',
  tls?: { cert: string; key: string },
): Promise<HostileProvider> {
  const issuer = `${tls === undefined ? 'http' : 'https'}://localhost:${port}${path}`;
  const base = issuer.replace(/\/$/, '');
  let keyNumber = 0;
  let privateKey: CryptoKey;
  let server: Bun.Server<undefined> | undefined;
  const calls = new Map<string, number>();

  const provider: HostileProvider = {
    issuer,
    lie: {},
    lead: 0,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: 'a secret' },
    publicJwk: {},
    calls,
    refreshes: [],
    revocations: [],
    tokens: () => honestTokens(provider.lie),
    rotate: (alg = 'RS256') => use(makeKeys(alg), alg),
    sign: async (payload, header = {}) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: provider.publicJwk.alg ?? '', kid: provider.publicJwk.kid ?? '', ...header })
        .sign(provider.lie.signsWithAnotherKey ? (await otherKeys).privateKey : privateKey),
    stop() {
      server?.stop(true);
    },
    start() {
      server = Bun.serve({ hostname: 'localhost', port, fetch: answer, idleTimeout: 255, ...(tls && { tls }) });
    },
  };

  async function use(keys: ReturnType<typeof makeKeys>, alg: string): Promise<void> {
    const pair = await keys;
    privateKey = pair.privateKey;
    provider.publicJwk = { ...(await exportJWK(pair.publicKey)), kid: `key-${++keyNumber}`, alg, use: 'sig' };
  }

  async function answer(request: Request): Promise<Response> {
    const [pathname = ''] = request.url.slice(base.length).split('?');
    calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
    const { lie } = provider;
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer,
          authorization_endpoint: `${base}/auth`,
          token_endpoint: `${base}/token`,
          userinfo_endpoint: `${base}/userinfo`,
          jwks_uri: `${base}/keys`,
          // Offers algorithms that must not be accepted.
          id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
          ...lie.discovery,
        });
      case '/keys':
        return lie.keys?.() ?? Response.json({ keys: [provider.publicJwk] });
      case '/token2':
      case '/token':
        return lie.token?.(request) ?? answerGrant(new URLSearchParams(await request.text()));
      case '/auth':
        return lie.authorization?.(new URL(request.url)) ?? new Response(null, { status: 404 });
      case '/par':
        return (
          lie.pushedRequest?.(new URLSearchParams(await request.text()), request) ?? new Response(null, { status: 404 })
        );
      case '/revoke':
        provider.revocations.push(new URLSearchParams(await request.text()));
        return lie.revocation?.() ?? new Response();
      case '/userinfo':
        return lie.userinfo?.(request) ?? Response.json({ sub: 'E-1', name: 'Erin Moss', email: 'erin@example.com' });
      default:
        return new Response('nothing here', { status: 404 });
    }
  }

  function answerGrant(form: URLSearchParams): Response | Promise<Response> {
    const { lie } = provider;
    if (form.get('grant_type') !== 'refresh_token') return honestTokens(lie);
    provider.refreshes.push(form);
    return lie.refresh?.(form) ?? honestTokens(lie);
  }

  async function honestTokens(lie: Lie): Promise<Response> {
    const now = Math.floor(Date.now() / 1000) + provider.lead;
    const claims = { iss: issuer, aud: clientId, sub: 'E-1', iat: now, exp: now + 300, ...lie.claims };
    const honest = await provider.sign(claims as JWTPayload, lie.header);
    const idToken = lie.idToken === null ? undefined : ((await lie.idToken?.(honest)) ?? honest);
    return Response.json({
      access_token: 'provider-access-token',
      token_type: lie.tokenType ?? 'Bearer',
      id_token: idToken,
      refresh_token: lie.refreshToken?.(),
    });
  }

  await use(firstKeys, 'RS256');
  provider.start();
  return provider;
}
