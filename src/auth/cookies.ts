/** 256 random bits, as text that fits in a cookie and an address. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

export function readCookies(header: string | null): Map<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()] as const;
  });
  return new Map(pairs);
}
