/** 256 random bits, as text that fits in a cookie and an address. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** Whether it has the form of one. */
export function isRandomText(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

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
