// The external identity provider: discovery, the code exchange, and identities that were really verified.
// The only file that knows openid-client.
import { createRemoteJWKSet, errors, type JWTVerifyOptions, customFetch as joseFetch, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderSettings } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Claims } from './claims.ts';
import { fetchFromProvider } from './provider-fetch.ts';

/** A provider that was discovered. Every method throws a Problem and nothing else. */
export interface IdentityProvider {
  issuer: string;
  /** RFC 9207: its answers name their issuer. */
  namesIssuer: boolean;
  authorizationUrl(parameters: Record<string, string>): URL;
  redeem(parameters: Record<string, string>): Promise<{ idToken: string; accessToken: string }>;
  verifyIdToken(idToken: string, now: Date): Promise<Claims & { sub: string }>;
  /** Empty where the provider has no such endpoint. */
  fetchUserinfo(accessToken: string, subject: string): Promise<Claims>;
}

// Never what discovery announces: some announce "none", and a symmetric key would be one that we share.
const signatureAlgs = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const clockToleranceSeconds = 60;

export async function discoverProvider(settings: ProviderSettings): Promise<IdentityProvider> {
  const configuration = await oidc.discovery(
    new URL(settings.issuer),
    settings.clientId,
    undefined,
    clientAuth(settings),
    {
      [oidc.customFetch]: fetchFromProvider,
      ...(settings.allowHttp && { execute: [oidc.allowInsecureRequests] }),
    },
  );
  const metadata = configuration.serverMetadata();
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri];
  if (!endpoints.every((endpoint) => isUsable(endpoint, settings.allowHttp))) {
    throw new Problem('idp-unavailable', { reason: 'discovery names no usable authorization, token or keys endpoint' });
  }
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
    [joseFetch]: fetchFromProvider,
    cooldownDuration: 30_000,
    // The last good set serves through an outage; an unknown kid fetches anew.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    // The time limit is fetchFromProvider's.
    timeoutDuration: 60_000,
  });
  const trust: Trust = { keys, issuer: metadata.issuer, clientId: settings.clientId };
  configuration[oidc.customFetch] = (url, init) =>
    url === metadata.token_endpoint ? fetchTokens(url, init) : fetchClaims(url, init, trust);
  return {
    issuer: metadata.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: (parameters) => oidc.buildAuthorizationUrl(configuration, parameters),
    redeem: (parameters) => redeemCode(configuration, parameters),
    verifyIdToken: (idToken, now) => verifyIdToken(idToken, trust, now),
    fetchUserinfo: async (accessToken, subject) =>
      metadata.userinfo_endpoint === undefined ? {} : fetchUserinfo(configuration, accessToken, subject),
  };
}

/** What a token of the provider is held against. */
interface Trust {
  keys: ReturnType<typeof createRemoteJWKSet>;
  issuer: string;
  clientId: string;
}

function clientAuth({ clientAuth, clientSecret = '' }: ProviderSettings): oidc.ClientAuth {
  if (clientAuth === 'none') return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}

function isUsable(endpoint: string | undefined, allowHttp: boolean): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

// A member of ours in the token answer: see fetchTokens.
const heldBack = 'unverified_id_token';

/** Holds the ID token back from openid-client, which would judge parts of it: there is one judge, verifyIdToken. */
async function fetchTokens(url: string, init: RequestInit): Promise<Response> {
  const response = await fetchFromProvider(url, init);
  if (response.status !== 200) return response;
  const body: unknown = await response.json().catch((cause: unknown) => {
    throw new Problem('idp-bad-response', { cause });
  });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('idp-bad-response', { reason: 'the token answer is not an object' });
  }
  const { id_token: idToken, ...others } = body as Record<string, unknown>;
  return Response.json({ ...others, [heldBack]: idToken });
}

/** userinfo, which may come signed (OpenID Connect Core section 5.3.2): openid-client would not check the signature. */
async function fetchClaims(url: string, init: RequestInit, trust: Trust): Promise<Response> {
  const response = await fetchFromProvider(url, init);
  const isSigned = response.headers.get('content-type')?.toLowerCase().startsWith('application/jwt') === true;
  if (response.status !== 200 || !isSigned) return response;
  return Response.json(await verifySigned(await response.text(), trust));
}

async function redeemCode(configuration: oidc.Configuration, parameters: Record<string, string>) {
  try {
    const answer = await oidc.genericGrantRequest(configuration, 'authorization_code', parameters);
    const idToken = answer[heldBack];
    if (typeof idToken !== 'string')
      throw new Problem('idp-invalid-token', { reason: 'the provider sent no ID token' });
    return { idToken, accessToken: answer.access_token };
  } catch (error) {
    throw problemIn(error) ?? nameRefusal(error);
  }
}

/** What a refused exchange means: is it about the code, about us, or about nothing we know? */
function nameRefusal(cause: unknown): Problem {
  if (cause instanceof oidc.WWWAuthenticateChallengeError) return new Problem('idp-configuration', { cause });
  if (!(cause instanceof oidc.ResponseBodyError)) return new Problem('idp-bad-response', { cause });
  // OAuth's error codes are plain words; anything else it may have put there stays out of the log.
  const reason = `the provider refused: ${/^[a-z_]{1,40}$/.test(cause.error) ? cause.error : 'in words of its own'}`;
  switch (cause.error) {
    case 'invalid_client':
    case 'unauthorized_client':
      return new Problem('idp-configuration', { reason });
    case 'temporarily_unavailable':
      return new Problem('idp-unavailable', { reason });
    default:
      return new Problem('code-rejected', { reason });
  }
}

async function fetchUserinfo(configuration: oidc.Configuration, accessToken: string, subject: string): Promise<Claims> {
  try {
    return await oidc.fetchUserInfo(configuration, accessToken, subject);
  } catch (cause) {
    const isSomebodyElse = cause instanceof oidc.ClientError && cause.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    throw problemIn(cause) ?? new Problem(isSomebodyElse ? 'idp-invalid-token' : 'idp-bad-response', { cause });
  }
}

/** OpenID Connect Core section 3.1.3.7. The nonce is the sign-in's own business. */
async function verifyIdToken(idToken: string, trust: Trust, now: Date): Promise<Claims & { sub: string }> {
  const claims = await verifySigned(idToken, trust, { currentDate: now, requiredClaims: ['exp', 'iat'] });
  const { sub, aud, azp, iat } = claims;
  const fault = (reason: string) => new Problem('idp-invalid-token', { reason });
  if (typeof sub !== 'string' || sub === '') throw fault('the ID token has no subject');
  if (azp !== undefined && azp !== trust.clientId) throw fault('the ID token was made for another party');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) throw fault('the ID token names no authorized party');
  if (typeof iat !== 'number' || iat > now.getTime() / 1000 + clockToleranceSeconds) {
    throw fault('the ID token is from the future');
  }
  return { ...claims, sub };
}

async function verifySigned(token: string, trust: Trust, checks: JWTVerifyOptions = {}): Promise<Claims> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, trust.keys, {
      ...checks,
      issuer: trust.issuer,
      audience: trust.clientId,
      algorithms: signatureAlgs,
      clockTolerance: clockToleranceSeconds,
    });
    // Access and logout tokens of the same provider are signed with the same keys: RFC 8725 section 3.11.
    if (!['jwt', undefined].includes(protectedHeader.typ?.toLowerCase())) {
      throw new Problem('idp-invalid-token', { reason: 'the token is of another type' });
    }
    return payload;
  } catch (cause) {
    const aboutKeys =
      cause instanceof errors.JOSEError && ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'].includes(cause.code);
    throw problemIn(cause) ?? new Problem(aboutKeys ? 'idp-bad-response' : 'idp-invalid-token', { cause });
  }
}

/** A Problem thrown by fetchFromProvider comes back wrapped by the library that called it. */
function problemIn(error: unknown): Problem | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof Problem) return each;
  return undefined;
}
