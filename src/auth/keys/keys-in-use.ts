// The kinds of keys that this configuration needs: created at the start, and rotated by housekeeping.
import { frontdesk } from '../../audit/audit.ts';
import { usesOwnKey } from '../../config/client-assertion.ts';
import type { Config } from '../../config/config.ts';
import type { Storage } from '../../storage/storage.ts';
import { clientKeyKind, loadClientKeys } from './client-keys.ts';
import type { KeyOptions } from './key-changes.ts';
import { advanceKeys, ensureActiveKey } from './rotation.ts';
import { loadSigningKeys } from './signing-keys.ts';

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
