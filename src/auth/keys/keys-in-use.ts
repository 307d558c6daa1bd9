// The kinds of keys that this configuration needs. They are created at startup and rotated by housekeeping.
import { frontdesk } from '../../audit/audit.ts';
import { usesOwnKey } from '../../config/client-assertion.ts';
import { type ClientKey, rsaAlgs } from '../../config/client-key.ts';
import type { Config } from '../../config/config.ts';
import type { TokenAlg } from '../../config/variables.ts';
import type { Db, Storage } from '../../storage/storage.ts';
import { advanceKeys, ensureActiveKey, type KeyOptions } from './rotation.ts';
import { loadSigningKeys } from './signing-keys.ts';
import { loadStoredKeys, openRow } from './stored-keys.ts';

interface KeysInUseOptions {
  config: Pick<Config, 'provider' | 'tokenAlg' | 'keyRotationDays'>;
  secretKey: string;
  storage: Storage;
  now: () => Date;
}

export function createKeysInUse({ config, secretKey, storage: { db, reads }, now }: KeysInUseOptions) {
  const ownsClientKey = usesOwnKey(config.provider?.assertion);
  const shared = { db, secretKey, actor: frontdesk, now };
  const kinds: KeyOptions[] = [{ ...shared, table: 'signing_key', alg: config.tokenAlg }];
  if (ownsClientKey) kinds.push({ ...shared, ...clientKeyKind });

  return {
    async ensureActive(): Promise<void> {
      for (const kind of kinds) await ensureActiveKey(kind);
    },
    async advance(): Promise<void> {
      for (const kind of kinds) await advanceKeys({ ...kind, rotationDays: config.keyRotationDays });
    },
    async load() {
      const signing = await loadSigningKeys(reads, secretKey);
      const client = await loadClientKeys(reads, secretKey, ownsClientKey);
      return { signing, client, reload: () => signing.reload().finally(client.reload) };
    },
  };
}

export type LoadedKeys = Awaited<ReturnType<ReturnType<typeof createKeysInUse>['load']>>;

/**
 * If OIDC_CLIENT_AUTH is private_key_jwt and the operator gives no key, we authenticate at the provider with keys of this
 * kind. They are made, rotated and published like the keys of access tokens. They are RSA keys, which every such provider
 * has to support (OpenID Connect Discovery section 3).
 */
const clientKeyKind = { table: 'client_key', alg: 'RS256' } as const satisfies { table: string; alg: TokenAlg };

/**
 * If a different authentication method is configured, no key is decrypted. Stored keys are still published, because
 * during a rollout the provider may fetch the keys from a replica that still has the old setting.
 */
export async function loadClientKeys(db: Db, secretKey: string, isInUse: boolean) {
  const keys = await loadStoredKeys<ClientKey>(db, clientKeyKind.table, async (row) => {
    if (!isInUse) return undefined;
    const { kid, jwk } = await openRow(row, clientKeyKind.table, secretKey);
    // The algorithm is left open, because some providers want PS256, for which the same RSA key can be used.
    return { jwk, kid, algs: rsaAlgs, certificate: undefined };
  });
  return { ...keys, published: () => ({ keys: keys.published().keys.map(({ alg: _, ...key }) => key) }) };
}
