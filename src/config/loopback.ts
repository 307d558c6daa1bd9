// This machine's own addresses.
import { networkInterfaces } from 'node:os';

/** RFC 6761 for the name; the IPv4 block and the IPv6 address for the numbers. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}

const ownHost = /^(([a-z\d-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a Host header names this machine. Any page can give its own name the address 127.0.0.1 (DNS rebinding), and is
 * then of the same origin as whatever listens there. PUBLIC_URL is a loopback address wherever this is asked.
 */
export function isOwnHost(host: string | null | undefined): boolean {
  return host == null || ownHost.test(host);
}

/**
 * Where to listen for a host name. "localhost" stands for two addresses: a server on one of them would not notice that
 * another program has the other one.
 */
export function addressesOf(host: string): string[] {
  if (host !== 'localhost') return [host];
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ['127.0.0.1', ...(own.some(({ address }) => address === '::1') ? ['::1'] : [])];
}
