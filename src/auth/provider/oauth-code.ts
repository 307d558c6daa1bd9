/** An OAuth error code for the log. Anything else that a provider sends in its place is not logged. */
export function oauthCode(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'not an error code';
}

const longestDescription = 300;

/** The provider's own explanation (RFC 6749 section 5.2), for the log alone: Entra ID has its AADSTS codes there. */
export function errorDescription(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  // Cut first: it may be as long as an answer may be.
  const clean = text
    .slice(0, 4 * longestDescription)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return clean === '' ? undefined : clean.slice(0, longestDescription);
}
