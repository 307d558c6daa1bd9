// Public keys that an operator registers for a caller, from a file with a JSON Web Key, a key set or PEM. Pure.
import { createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import { z } from 'zod';
import { isObject, parseJson } from '../../base/guards.ts';
import { algsOf } from '../../config/client-key.ts';

/** Enough for rotations, and for the key set of a Kubernetes cluster. */
const maxKeys = 20;

/** The public keys of a caller, as stored in the database. */
export const PublicKeys = z.array(
  z.object({
    kty: z.enum(['RSA', 'EC', 'OKP']),
    n: z.string().exactOptional(),
    e: z.string().exactOptional(),
    crv: z.string().exactOptional(),
    x: z.string().exactOptional(),
    y: z.string().exactOptional(),
    kid: z.string().max(255).exactOptional(),
    alg: z.string().exactOptional(),
  }),
);

/** Returns the signature keys, or a fault, phrased to follow the name of the file. */
export function readPublicKeys(text: string): { keys: JWK[] } | { fault: string } {
  const found = text.includes('-----BEGIN ') ? readPem(text) : readJwks(text);
  if (found === undefined) return { fault: unreadable };
  if (found.some(isSecret)) return { fault: notPublic };
  // A set may also hold keys for encryption.
  const keys = found.filter((key) => key.use !== 'enc');
  if (keys.length === 0 || keys.length > maxKeys) return { fault: `must hold 1 to ${maxKeys} keys for signatures` };
  if (!keys.every(isStrong)) return { fault: wantedKeys };
  const parsed = PublicKeys.safeParse(keys);
  return parsed.success ? { keys: parsed.data } : { fault: unreadable };
}

const unreadable = 'must hold public keys as a JSON Web Key Set (RFC 7517), a single key, or PEM';
const notPublic =
  'holds a private or symmetric key. Register only the public key; anyone who could read this file can sign with it';
const wantedKeys =
  'must hold RSA (2048 bits or more), EC (P-256, P-384 or P-521) or Ed25519 keys, whose "alg", if any, matches their type';

function readPem(text: string): Record<string, unknown>[] | undefined {
  // Reported as a private key, because the library would silently derive the public key from it.
  if (text.includes('PRIVATE KEY-----')) return [{ d: '' }];
  try {
    return [{ ...createPublicKey(text).export({ format: 'jwk' }) }];
  } catch {
    return undefined;
  }
}

function readJwks(text: string): Record<string, unknown>[] | undefined {
  const value = parseJson(text);
  const keys = isObject(value) && Array.isArray(value.keys) ? value.keys : [value];
  return keys.every(isObject) ? keys : undefined;
}

/** RFC 7518 section 6: the members of private and symmetric keys. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const isSecret = (key: Record<string, unknown>) => secretMembers.some((member) => Object.hasOwn(key, member));

function isStrong(key: Record<string, unknown>): boolean {
  try {
    const algs = algsOf(createPublicKey({ key, format: 'jwk' }));
    return key.alg === undefined ? algs.length > 0 : algs.some((alg) => alg === key.alg);
  } catch {
    return false;
  }
}
