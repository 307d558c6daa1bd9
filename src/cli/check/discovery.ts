// Compares the provider's discovery document (OpenID Connect Discovery 1.0) with our configuration.
import { isConfigured, isUsable } from '../../auth/provider/endpoint.ts';
import type { AskProvider } from '../../auth/provider/fetch.ts';
import { acceptedAlgs, discoveryUrl, readList } from '../../auth/provider/identity-provider.ts';
import { isObject } from '../../base/guards.ts';
import type { ProviderSettings } from '../../config/config.ts';
import { type Finding, findingsAbout } from './finding.ts';

/** Not validated: every member may be missing, or of any type. */
export type Metadata = Readonly<Record<string, unknown>>;

const finding = findingsAbout('identity provider');

/** The document, or a text that says why there is none. */
export async function readDiscovery(settings: ProviderSettings, ask: AskProvider): Promise<Metadata | string> {
  const url = discoveryUrl(settings).href;
  const response = await ask('discovery', url, { headers: { Accept: 'application/json' } });
  if (response.status !== 200) {
    return `${url} answers ${response.status}: OIDC_ISSUER must be the issuer that the provider's discovery document names`;
  }
  const document: unknown = await response.json().catch(() => undefined);
  return isObject(document) ? document : `${url} is not a JSON object: check OIDC_ISSUER`;
}

export function judgeDiscovery(metadata: Metadata, settings: ProviderSettings): Finding[] {
  const failures = [...findIssuerFaults(metadata, settings), ...findEndpointFaults(metadata, settings)];
  const found = finding('ok', `${metadata.issuer} was found${describeOffers(metadata, settings)}`);
  return [
    ...(failures.length === 0 ? [found] : failures.map((text) => finding('FAILS', text))),
    ...(settings.profile === undefined ? findMethodFaults(metadata, settings) : []),
  ];
}

export function endpointOf(metadata: Metadata, name: string): string | undefined {
  const endpoint = metadata[name];
  return typeof endpoint === 'string' ? endpoint : undefined;
}

function findIssuerFaults({ issuer }: Metadata, settings: ProviderSettings): string[] {
  if (typeof issuer !== 'string') return ['the discovery document names no issuer: check OIDC_ISSUER'];
  if (isConfigured(issuer, settings)) return [];
  return [
    `the discovery document at OIDC_ISSUER names a different issuer: if that is the right one, set OIDC_ISSUER=${issuer}`,
  ];
}

function findEndpointFaults(metadata: Metadata, { allowHttp, pushesRequests }: ProviderSettings): string[] {
  const pushes = pushesRequests === true || metadata.require_pushed_authorization_requests === true;
  const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];
  if (pushes) needed.push('pushed_authorization_request_endpoint');
  const given = ['userinfo_endpoint', 'end_session_endpoint'].filter((name) => metadata[name] != null);
  const unusable = [...needed, ...given].filter((name) => !isUsable(endpointOf(metadata, name), allowHttp));
  if (unusable.length === 0) return [];
  const advice = 'check OIDC_ISSUER, and check that the provider is configured to publish its public https address';
  return [`the discovery document has no usable ${unusable.join(', ')}: ${advice}`];
}

/** Discovery does not say whether this client must use DPoP. Some providers say so only during a real sign-in. */
const dpopOffer =
  '; it offers DPoP: set OIDC_DPOP=true if you want to use it, or if the provider requires it for this client';

/** Names the features that are not announced. docs/identity-providers.md says what each missing one means. */
function describeOffers(metadata: Metadata, { usesDpop }: ProviderSettings): string {
  const offers: [boolean, string][] = [
    [metadata.userinfo_endpoint != null, 'userinfo'],
    [metadata.end_session_endpoint != null, 'sign-out page'],
    [metadata.revocation_endpoint != null, 'revocation'],
    [metadata.backchannel_logout_supported === true, 'back-channel logout'],
    [metadata.pushed_authorization_request_endpoint != null, 'pushed requests'],
  ];
  const missing = offers.filter(([isOffered]) => !isOffered).map(([, name]) => name);
  const dpop = usesDpop || metadata.dpop_signing_alg_values_supported === undefined ? '' : dpopOffer;
  return `${missing.length === 0 ? '' : `; it does not announce: ${missing.join(', ')}`}${dpop}`;
}

const methodNames = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
  none: 'none',
  private_key_jwt: 'private_key_jwt',
} satisfies Record<ProviderSettings['clientAuth'], string>;

/** A missing method is only a warning, because it may still work. A signing algorithm that we do not accept is a failure. */
function findMethodFaults(metadata: Metadata, settings: ProviderSettings): Finding[] {
  const warnings: string[] = [];
  const methods = readList(metadata.token_endpoint_auth_methods_supported);
  const method = methodNames[settings.clientAuth];
  if (methods?.includes(method) === false) {
    warnings.push(`it announces ${methods.join(', ')}, but not ${method}: see OIDC_CLIENT_AUTH`);
  }
  const challenges = readList(metadata.code_challenge_methods_supported);
  if (challenges?.includes('S256') === false) {
    warnings.push('it does not announce PKCE with S256, which every sign-in here uses: allow it for the client');
  }
  if (readList(metadata.response_types_supported)?.includes('code') === false) {
    warnings.push('it does not announce the response type code: allow the authorization code flow');
  }
  return [
    ...warnings.map((text) => finding('warns', text)),
    ...findAlgFaults(settings, readList(metadata.id_token_signing_alg_values_supported)),
  ];
}

function findAlgFaults(settings: ProviderSettings, announced: string[] | undefined): Finding[] {
  const accepted = acceptedAlgs(settings, announced).filter((alg) => announced?.includes(alg));
  if (announced !== undefined && accepted.length > 1) {
    const advice = 'set OIDC_SIGNING_ALG to the one that it uses';
    return [finding('warns', `it announces ID tokens signed with ${accepted.join(', ')}: ${advice}`)];
  }
  if (announced === undefined || accepted.length === 1) return [];
  const wanted = settings.signingAlg ?? 'an asymmetric algorithm';
  const found = `it announces ID tokens signed with ${announced.join(', ')}, but not with ${wanted}`;
  return [finding('FAILS', `${found}: set OIDC_SIGNING_ALG`)];
}
