/** Headers of answers that belong to one person or change with every request. */
export const noStore = { 'Cache-Control': 'no-store' };

const aYearInSeconds = 31_536_000;

/** The headers of every answer. Prepared documents already have them; the edge adds them to other answers. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // RFC 6797. Only for this host, because its subdomains may belong to someone else.
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${aYearInSeconds}` }),
  };
}
