// Addresses that the discovery document names.

/** openid-client normalizes addresses. */
export function isAt(url: string, endpoint: string | null | undefined): boolean {
  return endpoint != null && URL.canParse(endpoint) && new URL(endpoint).href === url;
}

export function isUsable(endpoint: string | null | undefined, allowHttp: boolean): boolean {
  if (endpoint == null || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (allowHttp && protocol === 'http:');
}

/** Issuers are compared, and discovered, without the trailing slash. */
export const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '');
