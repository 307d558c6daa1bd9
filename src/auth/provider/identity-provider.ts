// The external identity provider: discovery, the code exchange, and verified identities.
// The only file that knows openid-client.
import * as oidc from 'openid-client';
import type { ProviderSettings } from '../../config/config.ts';
import { signingAlgs } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import { isObject } from '../../telemetry/guards.ts';
import type { Claims } from './claims.ts';
import { type AskProvider, problemIn } from './fetch.ts';
import { createProviderKeys, type ProviderKeys } from './keys.ts';
import { oauthCode } from './oauth-code.ts';
import { type LogoutToken, type Trust, verifyIdToken, verifyLogoutToken, verifyUserinfo } from './tokens.ts';

/** A provider that was discovered. Every method throws a Problem and nothing else. */
export interface IdentityProvider {
  issuer: string;
  /** RFC 9207: its answers name their issuer. */
  namesIssuer: boolean;
  /** The values of `prompt` that it supports; undefined where it does not say. */
  prompts: readonly string[] | undefined;
  keys: ProviderKeys;
  authorizationUrl(parameters: Record<string, string>): URL;
  redeem(parameters: Record<string, string>): Promise<{ idToken: string; accessToken: string }>;
  verifyIdToken(idToken: string, now: Date): Promise<Claims & { sub: string }>;
  verifyLogoutToken(logoutToken: string, now: Date): Promise<LogoutToken>;
  /** Undefined where the provider has no such page. */
  endSessionUrl(parameters: Record<string, string>): URL | undefined;
  /** Empty where the provider has no such endpoint. */
  fetchUserinfo(accessToken: string, subject: string): Promise<Claims>;
}

export async function discoverProvider(
  settings: ProviderSettings,
  ask: AskProvider,
  now: () => Date,
  known?: IdentityProvider,
): Promise<IdentityProvider> {
  const configuration = await oidc.discovery(
    discoveryUrl(settings),
    settings.clientId,
    undefined,
    clientAuth(settings),
    {
      [oidc.customFetch]: (url, init) => ask('discovery', url, init),
      ...(settings.allowHttp && { execute: [oidc.allowInsecureRequests] }),
    },
  );
  const metadata = configuration.serverMetadata();
  if (withoutSlash(metadata.issuer) !== withoutSlash(settings.issuer)) {
    throw new Problem('idp-unavailable', { reason: 'discovery names another issuer than OIDC_ISSUER' });
  }
  const {
    authorization_endpoint,
    token_endpoint,
    jwks_uri: jwksUri,
    userinfo_endpoint,
    end_session_endpoint,
  } = metadata;
  const needed = [authorization_endpoint, token_endpoint, jwksUri];
  const optional = [userinfo_endpoint, end_session_endpoint].filter((endpoint) => endpoint != null);
  if (jwksUri === undefined || ![...needed, ...optional].every((endpoint) => isUsable(endpoint, settings.allowHttp))) {
    throw new Problem('idp-unavailable', {
      reason: 'discovery names an endpoint that cannot be used, or leaves one out',
    });
  }
  // Keys are kept through a new discovery: the provider may be away when they are needed next.
  const keys = known?.keys.uri === jwksUri ? known.keys : createProviderKeys(jwksUri, ask, now);
  const algs = acceptedAlgs(settings, metadata.id_token_signing_alg_values_supported);
  const trust: Trust = { keys, issuer: metadata.issuer, clientId: settings.clientId, algs };
  configuration[oidc.customFetch] = (url, init) =>
    url === metadata.token_endpoint
      ? fetchTokens(ask('token', url, init))
      : fetchClaims(ask('userinfo', url, init), trust);
  return {
    issuer: metadata.issuer,
    prompts: readList(metadata.prompt_values_supported),
    keys,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: (parameters) => oidc.buildAuthorizationUrl(configuration, parameters),
    redeem: (parameters) => redeemCode(configuration, parameters),
    verifyIdToken: (idToken, now) => verifyIdToken(idToken, trust, now),
    verifyLogoutToken: (logoutToken, now) => verifyLogoutToken(logoutToken, trust, now),
    endSessionUrl: (parameters) =>
      metadata.end_session_endpoint == null ? undefined : oidc.buildEndSessionUrl(configuration, parameters),
    fetchUserinfo: async (accessToken, subject) =>
      metadata.userinfo_endpoint == null ? {} : fetchUserinfo(configuration, accessToken, subject),
  };
}

/** Of ID and logout tokens. What the provider announces can only narrow our list: some announce "none". */
function acceptedAlgs({ signingAlg }: ProviderSettings, announced: unknown): readonly string[] {
  if (signingAlg !== undefined) return [signingAlg];
  const list = readList(announced);
  return list === undefined ? signingAlgs : signingAlgs.filter((alg) => list.includes(alg));
}

/** A member of the discovery document, which may hold anything. */
function readList(announced: unknown): string[] | undefined {
  return Array.isArray(announced) ? announced.filter((each) => typeof each === 'string') : undefined;
}

/** The whole URL: given only the issuer, openid-client would refuse one that differs by a slash at its end. */
function discoveryUrl({ issuer }: ProviderSettings): URL {
  return new URL(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
}

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '');

function clientAuth({ clientAuth, clientSecret = '' }: ProviderSettings): oidc.ClientAuth {
  if (clientAuth === 'none') return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}

function isUsable(endpoint: string | undefined, allowHttp: boolean): boolean {
  if (endpoint === undefined || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

// Where fetchTokens puts the ID token.
const unverifiedIdToken = 'unverified_id_token';

/**
 * Renames the ID token, so that openid-client does not verify it by its own rules: only verifyIdToken does. Refusals
 * are read here too, since openid-client ignores the body of one that has a WWW-Authenticate header.
 */
async function fetchTokens(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  const body: unknown = await response.json().catch(() => undefined);
  const { error, id_token: idToken, ...others } = isObject(body) ? body : {};
  if (response.status !== 200) throw nameRefusal(response.status, error);
  if (!isObject(body) || Array.isArray(body)) {
    throw new Problem('idp-bad-response', { reason: 'the token answer is not a JSON object' });
  }
  return Response.json({ ...others, [unverifiedIdToken]: idToken });
}

/** Whether a refused exchange is about the code, our client configuration, or the provider. */
function nameRefusal(status: number, error: unknown): Problem {
  if (typeof error !== 'string') {
    const reason = `the token endpoint answered ${status} without an error code`;
    return new Problem(status === 401 ? 'idp-configuration' : 'idp-bad-response', { reason });
  }
  const reason = `the provider refused: ${oauthCode(error)}`;
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return new Problem('idp-configuration', { reason });
  return new Problem(error === 'temporarily_unavailable' ? 'idp-unavailable' : 'code-rejected', { reason });
}

/** userinfo, which may come signed (OpenID Connect Core section 5.3.2): openid-client would not check the signature. */
async function fetchClaims(asked: Promise<Response>, trust: Trust): Promise<Response> {
  const response = await asked;
  const isSigned = response.headers.get('content-type')?.toLowerCase().startsWith('application/jwt') === true;
  if (response.status !== 200 || !isSigned) return response;
  return Response.json(await verifyUserinfo(await response.text(), trust));
}

async function redeemCode(configuration: oidc.Configuration, parameters: Record<string, string>) {
  try {
    const answer = await oidc.genericGrantRequest(configuration, 'authorization_code', parameters);
    const idToken = answer[unverifiedIdToken];
    if (typeof idToken !== 'string')
      throw new Problem('idp-invalid-token', { reason: 'the provider sent no ID token' });
    return { idToken, accessToken: answer.access_token };
  } catch (cause) {
    throw problemIn(cause) ?? new Problem('idp-bad-response', { cause });
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
