// This machine's own addresses.
import { networkInterfaces } from 'node:os';

/** Accepts the names of RFC 6761, and the addresses 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}

const ownHost = /^(([a-z\d-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a Host header names this machine. Any site can point its own name to 127.0.0.1 (DNS rebinding), and then shares
 * an origin with whatever listens there. Only called while PUBLIC_URL is a loopback address.
 */
export function isOwnHost(host: string | null | undefined): boolean {
  return host == null || ownHost.test(host);
}

/**
 * The addresses to listen on for a host name. "localhost" has two, and a server that listens on only one would not notice
 * a different program on the other.
 */
export function addressesOf(host: string): string[] {
  if (host !== 'localhost') return [host];
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ['127.0.0.1', ...(own.some(({ address }) => address === '::1') ? ['::1'] : [])];
}
