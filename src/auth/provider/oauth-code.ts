/** An OAuth error code for the log. Anything else that a provider sends in its place is not logged. */
export function oauthCode(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'not an error code';
}
