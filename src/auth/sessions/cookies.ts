/** Sent to every path, and not readable by scripts. */
export function cookieAttributes(sameSite: 'Lax' | 'Strict', secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}

export function expiredCookie(name: string, attributes: string): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}

/** If two cookies have the same name, the first counts: browsers send the one with the longer path first. */
export function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}
