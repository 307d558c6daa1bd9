// The keys that sign access tokens.
import type { CryptoKey } from 'jose';
import type { TokenAlg } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { importKey, loadStoredKeys, openActiveKey, openRow, type StoredKeys, WrongSecretKey } from './stored-keys.ts';

interface SigningKey {
  kid: string;
  alg: TokenAlg;
  privateKey: CryptoKey;
}

export type SigningKeys = StoredKeys<SigningKey>;

export function loadSigningKeys(db: Db, secretKey: string): Promise<SigningKeys> {
  return loadStoredKeys(db, 'signing_key', async (row) => {
    const { kid, alg, jwk } = await openRow(row, 'signing_key', secretKey);
    return { kid, alg, privateKey: await importKey(jwk, alg) };
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
