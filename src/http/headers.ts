/** For answers that are one person's, or change with every request. */
export const noStore = { 'Cache-Control': 'no-store' };

const aYearInSeconds = 31_536_000;

/** On every answer of the service, whatever it is: the edge adds them, and prepared documents have them already. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // RFC 6797. For this host alone: its subdomains may be somebody else's.
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${aYearInSeconds}` }),
  };
}
