// What GET /auth/logout needs, where a browser sends no access token: a cookie that names the session, and the ID token
// to send to the provider as id_token_hint.

import { createSealer, isRandomText, randomText, type Sealer } from '../storage/secret.ts';
import { cookieAttributes, expiredCookie, readCookies } from './cookies.ts';

export interface BrowserSession {
  /** SHA-256 of the cookie, in hex. */
  cookieHash: string;
  /** The ID token, where it is short enough to be part of a URL later. */
  sealedIdToken: string | undefined;
}

export interface BrowserSessions {
  /** A new cookie at every sign-in, never one that a request sent: an attacker could have set it (session fixation). */
  open(idToken: string): Promise<BrowserSession & { cookie: string }>;
  /** The hash of the session cookie in this header, if there is one. */
  hashIn(cookieHeader: string | null): string | undefined;
  /** Undefined for one that was sealed under another secret. */
  openIdToken(sealed: string): Promise<string | undefined>;
  /** The Set-Cookie value that deletes the cookie. */
  expired: string;
}

/** A longer one would not fit in the URL that every provider accepts. */
const longestIdToken = 8 * 1024;

export const idTokenSealer = (secretKey: string) => createSealer(secretKey, 'ID tokens');

export function createBrowserSessions(sealer: Sealer, secure: boolean): BrowserSessions {
  const name = secure ? '__Host-frontdesk_session' : 'frontdesk_session';
  // Strict: a link on another site must not sign anybody out. Without Max-Age it ends with the browser.
  const attributes = cookieAttributes('Strict', secure);
  return {
    async open(idToken) {
      const value = randomText();
      return {
        cookieHash: Bun.SHA256.hash(value, 'hex'),
        sealedIdToken: idToken.length > longestIdToken ? undefined : await sealer.seal(idToken),
        cookie: `${name}=${value}; ${attributes}`,
      };
    },
    hashIn(cookieHeader) {
      const value = readCookies(cookieHeader).get(name) ?? '';
      return isRandomText(value) ? Bun.SHA256.hash(value, 'hex') : undefined;
    },
    openIdToken: sealer.open,
    expired: expiredCookie(name, attributes),
  };
}
