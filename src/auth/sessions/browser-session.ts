// The cookie that identifies a session without an access token: it renews the session (POST /auth/renew) and
// ends it (GET /auth/logout). No other route reads it.
import { isRandomText, randomText } from '../../storage/secret.ts';
import { cookieAttributes, expiredCookie, readCookies } from './cookies.ts';

export interface BrowserSessions {
  /** A new cookie at every sign-in, never one that a request sent: an attacker could have set it (session fixation). */
  open(): { cookie: string; cookieHash: string };
  /** The SHA-256 of the session cookie in this header, in hex, if there is one. */
  hashIn(cookieHeader: string | null): string | undefined;
  /** The Set-Cookie value that deletes the cookie. */
  expired: string;
}

export function createBrowserSessions(secure: boolean): BrowserSessions {
  const name = secure ? '__Host-frontdesk_session' : 'frontdesk_session';
  // Strict: a link on another site must not sign anyone out. Without Max-Age, the cookie ends with the browser.
  const attributes = cookieAttributes('Strict', secure);
  return {
    open() {
      const value = randomText();
      return { cookieHash: Bun.SHA256.hash(value, 'hex'), cookie: `${name}=${value}; ${attributes}` };
    },
    hashIn(cookieHeader) {
      const value = readCookies(cookieHeader).get(name) ?? '';
      return isRandomText(value) ? Bun.SHA256.hash(value, 'hex') : undefined;
    },
    expired: expiredCookie(name, attributes),
  };
}
