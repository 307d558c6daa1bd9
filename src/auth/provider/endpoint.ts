// Addresses that the discovery document names.
import type { ProviderSettings } from '../../config/config.ts';

/** openid-client normalizes addresses. */
export function isAt(url: string, endpoint: string | null | undefined): boolean {
  return endpoint != null && URL.canParse(endpoint) && new URL(endpoint).href === url;
}

export function isUsable(endpoint: string | null | undefined, allowHttp: boolean): boolean {
  if (endpoint == null || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

/** Whether the discovery document is that of OIDC_ISSUER. */
export function isConfigured(issuer: string, settings: ProviderSettings): boolean {
  if (settings.profile === 'fapi2') return issuer === settings.issuer;
  return withoutSlash(issuer) === withoutSlash(settings.issuer);
}

/** Issuers are compared, and discovered, without the trailing slash. */
export const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '');
