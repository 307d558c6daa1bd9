// What a browser sends a request is for: W3C Fetch Metadata, which no page can change. Other clients do not send it.

/** Who may have a browser send a request: a person who opens a page, or a script too that can read the answer. */
export type OpenedBy = 'navigation' | 'navigation-or-script';

/** Whether a page of ours had the browser send it: browsers send cookies whichever page asks. */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const origin = headers.get('origin');
  if (origin === null || !isOwnOrigin(origin)) return false;
  // Older browsers do not say. A page of another site has no cookie of ours to begin with (SameSite=Strict).
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'same-site';
}

/**
 * Whether a page of another origin on the same site opened it, such as another team's: browsers send SameSite=Strict
 * cookies along. Only the referrer names the page, and the page may have hidden it.
 */
export function isFromNeighbour(
  site: string | null,
  referrer: string | null,
  isOwnOrigin: (origin: string) => boolean,
): boolean {
  if (site !== 'same-site') return false;
  return referrer === null || !URL.canParse(referrer) || !isOwnOrigin(new URL(referrer).origin);
}

/** Whether a page had the browser send it in another way: as an image, in a frame, by a script of a foreign origin. */
export function isForeignUse(
  headers: Headers,
  openedBy: OpenedBy,
  isNamedOrigin: (origin: string) => boolean,
): boolean {
  const destination = headers.get('sec-fetch-dest');
  if (destination === null || destination === 'document') return false;
  if (openedBy === 'navigation' || destination !== 'empty') return true;
  // "none": sent by the browser or an extension, not by a page.
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return false;
  const origin = headers.get('origin');
  return origin === null || !isNamedOrigin(origin);
}
