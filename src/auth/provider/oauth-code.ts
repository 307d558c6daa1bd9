/** An OAuth error code for the log. They are plain words; anything else that stands in its place stays out. */
export function oauthCode(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'something that is no error code';
}
