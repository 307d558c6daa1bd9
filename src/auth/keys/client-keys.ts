// The keys we authenticate with at the provider (private_key_jwt) if the operator gives none: made, rotated and
// published like those of access tokens.
import { type ClientKey, rsaAlgs } from '../../config/client-key.ts';
import type { TokenAlg } from '../../config/variables.ts';
import type { Db } from '../../storage/storage.ts';
import { loadStoredKeys, openRow, type StoredKeys } from './stored-keys.ts';

/** RSA, which every provider with private_key_jwt has to support (OpenID Connect Discovery section 3). */
export const clientKeyKind = { table: 'client_key', alg: 'RS256' } as const satisfies { table: string; alg: TokenAlg };

export type OwnClientKeys = StoredKeys<ClientKey>;

/**
 * If a different authentication method is configured, no key is decrypted. Stored keys are still published: while a setting
 * is rolled out, the provider may fetch the keys from a replica that still has the old setting.
 */
export async function loadClientKeys(db: Db, secretKey: string, isInUse: boolean): Promise<OwnClientKeys> {
  const keys = await loadStoredKeys(db, clientKeyKind.table, async (row) =>
    isInUse ? asClientKey(await openRow(row, clientKeyKind.table, secretKey)) : undefined,
  );
  return { ...keys, published: () => ({ keys: keys.published().keys.map(({ alg: _, ...key }) => key) }) };
}

/** Its algorithm is not fixed: some providers want PS256, which the same key can sign. */
const asClientKey = ({ kid, jwk }: Awaited<ReturnType<typeof openRow>>): ClientKey => ({
  jwk,
  kid,
  algs: rsaAlgs,
  certificate: undefined,
});
