/** Sent to every path, and not readable by scripts. */
export function cookieAttributes(sameSite: 'Lax' | 'Strict', secure: boolean): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}

export function expiredCookie(name: string, attributes: string): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}

export function readCookies(header: string | null): Map<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const;
  });
  return new Map(pairs);
}
