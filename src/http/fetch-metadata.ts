// Finds out why a browser sent a request, from its W3C Fetch Metadata headers. Pages cannot change these headers, and other
// clients do not send them.

import { namesByWeight } from './weighted-list.ts';

/** What may trigger the request: a person opening a page (`navigation`), or a `script` that can read the answer. */
export type OpenedBy = 'navigation' | 'navigation-or-script';

/** Whether a person opened the address in a browser. Scripts and other programs do not prefer HTML. */
export function isOpenedByPerson(headers: Headers): boolean {
  const mode = headers.get('sec-fetch-mode');
  return (mode === null || mode === 'navigate') && namesByWeight(headers.get('accept') ?? '')[0] === 'text/html';
}

/** Whether one of our own pages sent the request. Browsers send cookies no matter which page asks. */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const origin = headers.get('origin');
  if (origin === null || !isOwnOrigin(origin)) return false;
  // Older browsers do not send this header. From another site, our cookie is not sent anyway (SameSite=Strict).
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'same-site';
}

/**
 * Whether the address was opened by a page from another origin on the same site, such as another team's page. Browsers send
 * SameSite=Strict cookies in this case. Only the referrer identifies the page, and the page may have hidden the referrer.
 */
export function isFromNeighbour(
  site: string | null,
  referrer: string | null,
  isOwnOrigin: (origin: string) => boolean,
): boolean {
  if (site !== 'same-site') return false;
  return referrer === null || !URL.canParse(referrer) || !isOwnOrigin(new URL(referrer).origin);
}

/** Whether a page triggered the request in a way that is not allowed: as an image, in a frame, or from a foreign script. */
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
