import { createPrivateKey, sign } from 'node:crypto';
import { type JWK, type JWTPayload, SignJWT } from 'jose';
import type { TokenAlg } from '../../config/variables.ts';
import { importKey } from './stored-keys.ts';

type Sign = (claims: JWTPayload, typ: string) => Promise<string>;

/** Of JWS (RFC 7518 section 3.4, RFC 8037), by what Node calls them. */
const quick = { ES256: 'sha256', EdDSA: null } as const;

/**
 * ES256 and EdDSA sign at once: handing some 30 µs of work to a thread costs more than the work. RS256 takes a millisecond
 * and more, and is left to a thread.
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
