/** For answers that are one person's, or change with every request. */
export const noStore = { 'Cache-Control': 'no-store' };

const aYearInSeconds = 31_536_000;

/** On every answer of the service, whatever it is: the edge adds them, and prepared documents have them already. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // No page that opened one of ours, or was opened by it, keeps a reference to it.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // RFC 6797. For this host alone: its subdomains may be somebody else's.
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${aYearInSeconds}` }),
  };
}
