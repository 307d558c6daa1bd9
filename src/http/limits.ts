// Limits how often an address may try to sign in, and how often a person may call. The counters are in memory, bounded,
// and separate in each process.
import { isIP } from 'node:net';
import { RecentMap } from '../base/recent-map.ts';
import type { Limit } from '../config/variables.ts';
import { Problem } from './problem.ts';

export interface Limiter {
  /** Counts one call at this time, in milliseconds since 1970. Throws `rate-limited` if it exceeds the quota. */
  take(key: string, at: number): void;
  /** The RateLimit and RateLimit-Policy headers of the IETF draft. */
  headers(key: string): Record<string, string>;
}

// Keeps the counters of at least the latest 25,000 keys, and of at most twice as many. Each takes about 150 bytes. Attacks
// from more addresses have to be stopped by a proxy.
const rememberedKeys = 25_000;

/** Undefined if there is no limit. */
export function createLimiter(name: string, { quota, windowSeconds }: Limit, clock: () => number): Limiter | undefined {
  if (quota === 0) return undefined;
  const windows = new RecentMap<{ count: number; endsAt: number }>(rememberedKeys);

  function headers(key: string): Record<string, string> {
    const { count, endsAt } = windows.get(key) ?? { count: 0, endsAt: clock() };
    const seconds = Math.max(0, Math.ceil((endsAt - clock()) / 1000));
    return {
      RateLimit: `"${name}";r=${Math.max(0, quota - count)};t=${seconds}`,
      'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
    };
  }

  return {
    headers,
    take(key, at) {
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= at) {
        window = { count: 0, endsAt: at + windowSeconds * 1000 };
        windows.set(key, window);
      }
      if (++window.count <= quota) return;
      const retryAfter = Math.ceil((window.endsAt - at) / 1000);
      throw new Problem('rate-limited', { headers: { 'Retry-After': String(retryAfter), ...headers(key) } });
    },
  };
}

/**
 * The client's address. Each proxy appends to X-Forwarded-For the address that called it. Entries before those of our own
 * proxies were sent by the client, and cannot be trusted.
 */
export function clientAddress(socketAddress: string | undefined, forwarded: string | null, proxies: number): string {
  const hops = (forwarded ?? '').split(',').map(plainAddress);
  const forwardedAddress = proxies > 0 ? hops.at(-proxies) : undefined;
  return forwardedAddress ?? plainAddress(socketAddress ?? '') ?? 'unknown';
}

/** Removes brackets and port, and turns an IPv4-mapped address into IPv4. Undefined if the text is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** The key that an address is counted under. For IPv6, it is the /64 network, because a single customer has all of it. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const full = address.includes('::')
    ? [...groups, ...Array(8 - groups.length - after.length).fill('0'), ...after]
    : groups;
  return `${full.slice(0, 4).join(':')}::/64`;
}
