// The keys that sign access tokens.

import { createPrivateKey, sign } from 'node:crypto';
import { type JWK, type JWTPayload, SignJWT } from 'jose';
import type { TokenAlg } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { importKey, loadStoredKeys, openActiveKey, openRow, type StoredKeys, WrongSecretKey } from './stored-keys.ts';

interface SigningKey {
  kid: string;
  alg: TokenAlg;
  /** Returns the claims as a signed JWT in compact form (RFC 7515) with this `typ`. */
  sign(claims: JWTPayload, typ: string): Promise<string>;
}

export type SigningKeys = StoredKeys<SigningKey>;

export function loadSigningKeys(db: Db, secretKey: string): Promise<SigningKeys> {
  return loadStoredKeys(db, 'signing_key', async (row) => {
    const { kid, alg, jwk } = await openRow(row, 'signing_key', secretKey);
    return { kid, alg, sign: await createSigner(jwk, alg, kid) };
  });
}

/** Throws `storage-unavailable` if everything was resealed under a new SECRET_KEY, and this process still has the old one. */
export async function expectCurrentSecret(db: Db, secretKey: string): Promise<void> {
  try {
    await openActiveKey(db, 'signing_key', secretKey);
  } catch (cause) {
    if (cause instanceof WrongSecretKey) throw new Problem('storage-unavailable', { cause, reason: cause.reason });
    throw cause;
  }
}

type Sign = (claims: JWTPayload, typ: string) => Promise<string>;

/** The hash that Node signs with, by algorithm (RFC 7518 section 3.4, RFC 8037). */
const quick = { ES256: 'sha256', EdDSA: null } as const;

/**
 * ES256 and EdDSA sign synchronously, because passing about 30 µs of work to a thread costs more than the work. RS256 takes a
 * millisecond or more, and is left to a thread.
 */
export async function createSigner(jwk: JWK, alg: TokenAlg, kid: string): Promise<Sign> {
  if (alg === 'RS256') {
    const privateKey = await importKey(jwk, alg);
    return (claims, typ) => new SignJWT(claims).setProtectedHeader({ alg, kid, typ }).sign(privateKey);
  }
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  return async (claims, typ) => {
    const signed = `${encode({ alg, kid, typ })}.${encode(claims)}`;
    const signature = sign(quick[alg], Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
