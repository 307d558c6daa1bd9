// Reading and writing cookies, and the cookie of a session.
import { isRandomText, randomText } from '../../storage/secret.ts';

/** Sent to every path, and not readable by scripts. */
export function cookieAttributes(sameSite: 'Lax' | 'Strict', secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}

export function expiredCookie(name: string, attributes: string): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}

/** If two cookies have the same name, the first counts, because browsers send the one with the longer path first. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/**
 * The cookie that identifies a session without an access token. It renews the session (POST /auth/renew) and ends it (GET
 * /auth/logout). No other route reads it.
 */
export function createBrowserSessions(secure: boolean) {
  const name = secure ? '__Host-frontdesk_session' : 'frontdesk_session';
  // Strict, because a link on another site must not sign anyone out. Without Max-Age, the cookie ends with the browser.
  const attributes = cookieAttributes('Strict', secure);
  return {
    /** Makes a new cookie for every sign-in. A cookie from the request is never reused, because an attacker could have set it. */
    open() {
      const value = randomText();
      return { cookieHash: Bun.SHA256.hash(value, 'hex'), cookie: `${name}=${value}; ${attributes}` };
    },
    /** The SHA-256 of the session cookie in this header, in hex, if there is one. */
    hashIn(cookieHeader: string | null): string | undefined {
      const value = readCookies(cookieHeader).get(name) ?? '';
      return isRandomText(value) ? Bun.SHA256.hash(value, 'hex') : undefined;
    },
    /** The Set-Cookie value that deletes the cookie. */
    expired: expiredCookie(name, attributes),
  };
}
