// What `frontdesk check` reports about one part: what it found, and what to do.

import { causesOf } from '../../base/guards.ts';
import { ConfigError } from '../../config/config.ts';
import { describeError } from '../../telemetry/log.ts';
import { printable } from '../printable.ts';

export interface Finding {
  /** `skips`: not tried, because of an earlier failure. */
  level: 'ok' | 'warns' | 'FAILS' | 'skips';
  part: Part;
  text: string;
}

export type Part =
  | 'configuration'
  | 'audit'
  | 'database'
  | 'signing keys'
  | 'identity provider'
  | 'FAPI 2.0'
  | "provider's keys"
  | 'client'
  | 'redirect address'
  | 'clock'
  | 'TLS';

/** Makes findings about one part. */
export const findingsAbout =
  (part: Part) =>
  (level: Finding['level'], text: string): Finding => ({ level, part, text });

const longestText = 600;

/** Removes control characters and limits the length, because a text may contain names from the provider's documents. */
export function lineOf({ level, part, text }: Finding): string {
  return `${level.padEnd(6)} ${part.padEnd(18)} ${printable(text).slice(0, longestText)}\n`;
}

/** Yields the findings of a check. If it throws, yields one finding that says why. */
export async function* attempt(part: Part, check: () => Promise<Finding[]>): AsyncGenerator<Finding> {
  try {
    yield* await check();
  } catch (error) {
    yield { level: 'FAILS', part, text: describeFailure(error) };
  }
}

const unknownAuthority =
  'its certificate is from a CA that is not trusted here: set NODE_EXTRA_CA_CERTS to a PEM file with that CA, or check which server answers';
const inNetwork = 'check the address, and the network of this machine';

/** What error codes from the runtime and OpenSSL mean. */
const meanings: Record<string, string> = {
  ECONNREFUSED: `nothing listens at that address (ECONNREFUSED): ${inNetwork}`,
  ENOTFOUND: `no machine has that name (ENOTFOUND): ${inNetwork}`,
  ECONNRESET: `the connection was closed (ECONNRESET): ${inNetwork}`,
  'idp-timeout': `it did not answer in time: ${inNetwork}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired and must be renewed',
  CERT_NOT_YET_VALID: "its certificate is not valid yet: check this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name: check the host in the address',
};

export function describeCode(code: string): string {
  return meanings[code] ?? code;
}

/** Returns only codes and our own texts, because a library's message may quote secrets. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const codes: string[] = [];
  for (const each of causesOf(error)) {
    const { name, code, reason } = describeError(each);
    if (reason !== undefined) return String(reason);
    codes.push(String(code ?? name));
  }
  const known = codes.findLast((code) => Object.hasOwn(meanings, code));
  return known === undefined ? codes.join(', ') : describeCode(known);
}
