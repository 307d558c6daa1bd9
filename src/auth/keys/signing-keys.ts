// The keys that sign access tokens.
import type { JWTPayload } from 'jose';
import type { TokenAlg } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { createSigner } from './signer.ts';
import { loadStoredKeys, openActiveKey, openRow, type StoredKeys, WrongSecretKey } from './stored-keys.ts';

interface SigningKey {
  kid: string;
  alg: TokenAlg;
  /** Signs these claims: a JWS in compact form (RFC 7515) of this type. */
  sign(claims: JWTPayload, typ: string): Promise<string>;
}

export type SigningKeys = StoredKeys<SigningKey>;

export function loadSigningKeys(db: Db, secretKey: string): Promise<SigningKeys> {
  return loadStoredKeys(db, 'signing_key', async (row) => {
    const { kid, alg, jwk } = await openRow(row, 'signing_key', secretKey);
    return { kid, alg, sign: await createSigner(jwk, alg, kid) };
  });
}

/** Throws `storage-unavailable` where SECRET_KEY is not the one in use any more: everything was resealed under another. */
export async function expectCurrentSecret(db: Db, secretKey: string): Promise<void> {
  try {
    await openActiveKey(db, 'signing_key', secretKey);
  } catch (cause) {
    if (cause instanceof WrongSecretKey) throw new Problem('storage-unavailable', { cause, reason: cause.reason });
    throw cause;
  }
}
