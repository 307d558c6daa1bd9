// The external identity provider: discovery, code exchange, and verified identities.
// The only file that uses openid-client.
import * as oidc from 'openid-client';
import { isObject } from '../../base/guards.ts';
import type { ClientKey } from '../../config/client-key.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { allowedAlgs } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import type { Claims } from './claims.ts';
import { adviceOnRefusal, authenticateByAssertion } from './client-authentication.ts';
import { isAt, isConfigured, isUsable, withoutSlash } from './endpoint.ts';
import { type AskProvider, problemIn } from './fetch.ts';
import { createProviderKeys, type ProviderKeys } from './keys.ts';
import { type RefusalMeanings, readUnlessRefused, useNonce } from './refusal.ts';
import {
  type LogoutToken,
  OtherSubject,
  type Trust,
  verifyIdToken,
  verifyLogoutToken,
  verifyUserinfo,
} from './tokens.ts';

/** A discovered provider. Its methods throw only Problems. */
export interface IdentityProvider {
  issuer: string;
  /** Whether its answers must name their issuer (RFC 9207). */
  namesIssuer: boolean;
  /** The values of `prompt` that it supports; undefined if it does not say. */
  prompts: readonly string[] | undefined;
  keys: ProviderKeys;
  /** Pushes the parameters if the provider (RFC 9126) or OIDC_PAR requires it. */
  authorizationUrl(parameters: Record<string, string>): Promise<URL>;
  redeem(parameters: Record<string, string>): Promise<ProviderTokens & { idToken: string }>;
  /** Throws `session-ended` if the provider refuses. If it returns no refresh token, the one that was sent stays valid. */
  refresh(refreshToken: string): Promise<ProviderTokens>;
  /** Undefined if the provider has no such endpoint. */
  revoke: ((refreshToken: string) => Promise<void>) | undefined;
  verifyIdToken(idToken: string, now: Date): Promise<Claims & { sub: string }>;
  verifyLogoutToken(logoutToken: string, now: Date): Promise<LogoutToken>;
  /** Undefined if the provider has no such page. */
  endSessionUrl(parameters: Record<string, string>): URL | undefined;
  /** Empty if the provider has no such endpoint. */
  fetchUserinfo(accessToken: string, subject: string): Promise<Claims>;
}

interface ProviderTokens {
  accessToken: string;
  /** Not verified yet. Undefined if a refresh returned none. */
  idToken: string | undefined;
  refreshToken: string | undefined;
}

interface DiscoveryOptions {
  /** The result of an earlier discovery. */
  known?: IdentityProvider | undefined;
  /** Returns the client key that Frontdesk itself generated. Used if the settings contain no key. */
  ownKey?: (() => ClientKey) | undefined;
  /** Signs the proofs of possession. By default, a new key is made. */
  proofKey?: ProofKey | undefined;
}

/** A key pair for ES256. */
export type ProofKey = Parameters<typeof oidc.getDPoPHandle>[1];

export async function discoverProvider(
  settings: ProviderSettings,
  ask: AskProvider,
  now: () => Date,
  { known, ownKey, proofKey }: DiscoveryOptions = {},
): Promise<IdentityProvider> {
  const configuration = await oidc.discovery(
    discoveryUrl(settings),
    settings.clientId,
    undefined,
    clientAuth(settings, now, ownKey),
    {
      [oidc.customFetch]: (url, init) => ask('discovery', url, init),
      ...(settings.allowHttp && { execute: [oidc.allowInsecureRequests] }),
    },
  );
  const metadata = configuration.serverMetadata();
  if (!isConfigured(metadata.issuer, settings)) {
    throw new Problem('idp-unavailable', { reason: 'discovery names an issuer other than OIDC_ISSUER' });
  }
  const {
    authorization_endpoint,
    token_endpoint,
    jwks_uri: jwksUri,
    userinfo_endpoint,
    end_session_endpoint,
    revocation_endpoint,
    pushed_authorization_request_endpoint,
  } = metadata;
  const needed = [authorization_endpoint, token_endpoint, jwksUri];
  const optional = [userinfo_endpoint, end_session_endpoint].filter((endpoint) => endpoint != null);
  if (jwksUri === undefined || ![...needed, ...optional].every((endpoint) => isUsable(endpoint, settings.allowHttp))) {
    throw new Problem('idp-unavailable', {
      reason: 'discovery names an endpoint that cannot be used, or leaves one out',
    });
  }
  const pushes = settings.pushesRequests || metadata.require_pushed_authorization_requests === true;
  if (pushes && !isUsable(pushed_authorization_request_endpoint, settings.allowHttp)) {
    const reason = 'discovery names no usable endpoint for pushed requests, which the provider or OIDC_PAR requires';
    throw new Problem('idp-unavailable', { reason });
  }
  // Keys are kept after a new discovery, because the provider may be unavailable when they are needed next.
  const keys = known?.keys.uri === jwksUri ? known.keys : createProviderKeys(jwksUri, ask, now);
  const algs = acceptedAlgs(settings, metadata.id_token_signing_alg_values_supported);
  const userinfoAlgs = allowedAlgs(settings.profile);
  const trust: Trust = { keys, issuer: metadata.issuer, clientId: settings.clientId, algs, userinfoAlgs };
  const usesDpop = settings.usesDpop === true;
  const proving: oidc.DPoPOptions = usesDpop
    ? { DPoP: oidc.getDPoPHandle(configuration, proofKey ?? (await oidc.randomDPoPKeyPair())) }
    : {};
  const meaning = (refusal: RefusalMeanings['refusal']): RefusalMeanings => ({
    refusal,
    adviceOnClient: () => adviceOnRefusal(settings, metadata, now()),
    usesDpop,
  });
  configuration[oidc.customFetch] = (url, init) => {
    if (isAt(url, userinfo_endpoint)) return fetchClaims(ask('userinfo', url, init), trust);
    if (isAt(url, revocation_endpoint)) return fetchNothing(ask('revocation', url, init), meaning('idp-bad-response'));
    if (isAt(url, pushed_authorization_request_endpoint)) {
      return followNonce(ask('pushed-request', url, init), meaning('login-failed'), readReference);
    }
    const isRefresh = init.body instanceof URLSearchParams && init.body.get('grant_type') === 'refresh_token';
    const asked = ask(isRefresh ? 'refresh' : 'token', url, init);
    return followNonce(asked, meaning(isRefresh ? 'session-ended' : 'code-rejected'), readTokens);
  };
  return {
    issuer: metadata.issuer,
    prompts: readList(metadata.prompt_values_supported),
    keys,
    namesIssuer: settings.profile === 'fapi2' || metadata.authorization_response_iss_parameter_supported === true,
    async authorizationUrl(given) {
      const parameters = await withThumbprint(given, proving);
      return pushes
        ? oidc.buildAuthorizationUrlWithPAR(configuration, parameters, proving).catch(throwProblem)
        : oidc.buildAuthorizationUrl(configuration, parameters);
    },
    redeem: (parameters) => redeemCode(configuration, parameters, proving),
    refresh: (refreshToken) => requestTokens(configuration, 'refresh_token', { refresh_token: refreshToken }, proving),
    // An unusable endpoint is ignored, because it must not keep anyone from signing in.
    revoke: isUsable(revocation_endpoint, settings.allowHttp)
      ? (refreshToken) =>
          // RFC 7009.
          oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }).catch(throwProblem)
      : undefined,
    verifyIdToken: (idToken, now) => verifyIdToken(idToken, trust, now),
    verifyLogoutToken: (logoutToken, now) => verifyLogoutToken(logoutToken, trust, now),
    endSessionUrl: (parameters) =>
      metadata.end_session_endpoint == null ? undefined : oidc.buildEndSessionUrl(configuration, parameters),
    fetchUserinfo: async (accessToken, subject) =>
      metadata.userinfo_endpoint == null ? {} : fetchUserinfo(configuration, accessToken, subject, proving),
  };
}

/** Returns the algorithms accepted for ID and logout tokens. Providers can only narrow our list; some announce "none". */
export function acceptedAlgs({ signingAlg, profile }: ProviderSettings, announced: unknown): readonly string[] {
  if (signingAlg !== undefined) return [signingAlg];
  const allowed = allowedAlgs(profile);
  const list = readList(announced);
  return list === undefined ? allowed : allowed.filter((alg) => list.includes(alg));
}

/** Reads a member of the discovery document, which may contain anything. */
export function readList(announced: unknown): string[] | undefined {
  return Array.isArray(announced) ? announced.filter((each) => typeof each === 'string') : undefined;
}

/**
 * Returns the whole URL. If openid-client were given only OIDC_ISSUER, it would refuse an issuer that differs by a trailing
 * slash.
 */
export function discoveryUrl({ issuer }: ProviderSettings): URL {
  return new URL(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
}

function clientAuth(
  { clientAuth, clientSecret = '', assertion }: ProviderSettings,
  now: () => Date,
  ownKey: (() => ClientKey) | undefined,
): oidc.ClientAuth {
  if (assertion !== undefined) return authenticateByAssertion(assertion, now, ownKey);
  if (clientAuth === 'none') return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}

/** Fetches userinfo, which may be signed (OpenID Connect Core section 5.3.2). openid-client would not check the signature. */
async function fetchClaims(asked: Promise<Response>, trust: Trust): Promise<Response> {
  const response = await asked;
  const isSigned = response.headers.get('content-type')?.toLowerCase().startsWith('application/jwt') === true;
  if (response.status !== 200 || !isSigned) return response;
  return Response.json(await verifyUserinfo(await response.text(), trust), { headers: nonceIn(response) });
}

/** RFC 9449 section 10: the code works only together with a proof by the same key. */
async function withThumbprint(parameters: Record<string, string>, { DPoP }: oidc.DPoPOptions) {
  return DPoP === undefined ? parameters : { ...parameters, dpop_jkt: await DPoP.calculateThumbprint() };
}

/** RFC 9449 section 8.2: any answer may contain the nonce for the next proof. */
function nonceIn({ headers }: Response): { 'dpop-nonce'?: string } {
  const nonce = headers.get('dpop-nonce');
  return nonce === null ? {} : { 'dpop-nonce': nonce };
}

/**
 * If the provider demands a nonce, passes that answer on to openid-client, which repeats the call once. Any other answer is
 * read, and the result keeps its nonce.
 */
async function followNonce(
  asked: Promise<Response>,
  meanings: RefusalMeanings,
  read: (response: Response, meanings: RefusalMeanings) => Promise<unknown>,
): Promise<Response> {
  const response = await asked;
  const headers = nonceIn(response);
  if (meanings.usesDpop && 'dpop-nonce' in headers && response.status >= 400) {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    // The WWW-Authenticate header is left out, because openid-client ignores the body if there is one.
    if (isObject(body) && body.error === useNonce) return Response.json(body, { status: 400, headers });
  }
  return Response.json(await read(response, meanings), { status: response.status, headers });
}

/** Throws the Problem inside an error from openid-client, which wraps the Problems that our own functions throw. */
function throwProblem(cause: unknown): never {
  throw problemIn(cause) ?? badResponse(cause);
}

/** openid-client repeats a call only once. If the provider then demands a nonce again, the reason says so. */
function badResponse(cause: unknown): Problem {
  const demandsAnother = cause instanceof oidc.ResponseBodyError && cause.error === useNonce;
  const reason = demandsAnother ? 'the provider refused a DPoP proof with the nonce that it had just given' : undefined;
  return new Problem('idp-bad-response', { cause, ...(reason !== undefined && { reason }) });
}

async function redeemCode(
  configuration: oidc.Configuration,
  parameters: Record<string, string>,
  proving: oidc.DPoPOptions,
) {
  const { idToken, ...others } = await requestTokens(configuration, 'authorization_code', parameters, proving);
  if (idToken === undefined) throw new Problem('idp-invalid-token', { reason: 'the provider sent no ID token' });
  return { ...others, idToken };
}

async function requestTokens(
  configuration: oidc.Configuration,
  grantType: string,
  parameters: Record<string, string>,
  proving: oidc.DPoPOptions,
): Promise<ProviderTokens> {
  const answer = await oidc.genericGrantRequest(configuration, grantType, parameters, proving).catch(throwProblem);
  // RFC 9449 section 5: any other type means that the provider ignored the proof.
  if (proving.DPoP !== undefined && answer.token_type !== 'dpop') {
    throw new Problem('idp-bad-response', { reason: unbound });
  }
  const idToken = answer[unverifiedIdToken];
  return {
    accessToken: answer.access_token,
    idToken: typeof idToken === 'string' ? idToken : undefined,
    refreshToken: answer.refresh_token,
  };
}

const unbound = 'the provider issued a bearer token instead of one bound by DPoP: see OIDC_DPOP';

/** Only the status of the answer to a revocation counts (RFC 7009 section 2.2). */
async function fetchNothing(asked: Promise<Response>, meanings: RefusalMeanings): Promise<Response> {
  await readUnlessRefused(await asked, 200, meanings);
  return new Response();
}

async function fetchUserinfo(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
  proving: oidc.DPoPOptions,
): Promise<Claims> {
  return oidc.fetchUserInfo(configuration, accessToken, subject, proving).catch((cause: unknown) => {
    const isSomebodyElse = cause instanceof oidc.ClientError && cause.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
    if (isSomebodyElse && problemIn(cause) === undefined) throw new OtherSubject(cause);
    return throwProblem(cause);
  });
}

/** The reference becomes part of an address that browsers and proxies have to accept. */
const longestReference = 2000;

/** RFC 9126: the parameters of a sign-in go directly to the provider, and the browser carries only a reference to them. */
async function readReference(response: Response, meanings: RefusalMeanings): Promise<unknown> {
  const body = await readUnlessRefused(response, 201, meanings);
  const reference = isObject(body) ? body.request_uri : undefined;
  if (typeof reference !== 'string' || reference === '' || reference.length > longestReference) {
    throw new Problem('idp-bad-response', {
      reason: 'the answer to the pushed request contains no usable request_uri',
    });
  }
  return body;
}

/** The member in which readTokens puts the ID token. */
const unverifiedIdToken = 'unverified_id_token';

/** Renames the ID token, so that openid-client does not verify it by its own rules. Only verifyIdToken verifies it. */
async function readTokens(response: Response, meanings: RefusalMeanings): Promise<unknown> {
  const body = await readUnlessRefused(response, 200, meanings);
  if (!isObject(body) || Array.isArray(body)) {
    throw new Problem('idp-bad-response', { reason: 'the token response is not a JSON object' });
  }
  const { id_token: idToken, ...others } = body;
  return { ...others, [unverifiedIdToken]: idToken };
}
