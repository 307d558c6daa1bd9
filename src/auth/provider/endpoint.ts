// Addresses that the discovery document names.
import type { ProviderSettings } from '../../config/config.ts';

/** Whether a call goes to this endpoint. Addresses are compared in normalized form, because openid-client normalizes them. */
export function isAt(url: string, endpoint: string | null | undefined): boolean {
  return endpoint != null && URL.canParse(endpoint) && new URL(endpoint).href === url;
}

export function isUsable(endpoint: string | null | undefined, allowHttp: boolean): boolean {
  if (endpoint == null || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

/** Whether this issuer, from the discovery document, is OIDC_ISSUER. */
export function isConfigured(issuer: string, settings: ProviderSettings): boolean {
  if (settings.profile === 'fapi2') return issuer === settings.issuer;
  return withoutSlash(issuer) === withoutSlash(settings.issuer);
}

/** Removes a trailing slash. Issuers are discovered without it and, except in the profile fapi2, compared without it. */
export const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '');
