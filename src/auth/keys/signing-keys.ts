// The keys that sign access tokens, as a running service has them. In the database their private half is sealed under
// SECRET_KEY.
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { TokenAlg } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import { createSealer } from '../../storage/secret.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isObject } from '../../telemetry/guards.ts';

interface ActiveKey {
  kid: string;
  alg: TokenAlg;
  privateKey: CryptoKey;
}

export interface VerificationKey {
  alg: string;
  publicKey: CryptoKey;
  /** True once the keys were loaded again: a key kept in memory has to be looked up again. */
  isOutdated: boolean;
}

export interface SigningKeys {
  /** The key that signs. Throws `storage-unavailable` where none could be opened. */
  active(): ActiveKey;
  find(kid: string): VerificationKey | undefined;
  /** What other services need to check our tokens: RFC 7517. */
  published(): { keys: JWK[] };
  /** Reads the keys from the database again. */
  reload(): Promise<void>;
}

/** The database holds keys that this SECRET_KEY does not open. */
export class WrongSecretKey extends Error {
  readonly reason: string;

  constructor() {
    const reason = 'SECRET_KEY is not the one the signing keys in the database were sealed under';
    super(reason);
    this.reason = reason;
    this.name = 'WrongSecretKey';
  }
}

export async function loadSigningKeys(db: Db, secretKey: string): Promise<SigningKeys> {
  let active: ActiveKey | undefined;
  let verifying = new Map<string, VerificationKey>();
  let published: JWK[] = [];

  async function reload(): Promise<void> {
    const rows = await db.selectFrom('signing_key').selectAll().where('state', '!=', 'removed').execute();
    const entries = rows.map(
      async ({ kid, alg, public_key }) =>
        [kid, { alg, publicKey: await readKey(public_key, alg), isOutdated: false }] as const,
    );
    const found = new Map(await Promise.all(entries));
    const signing = rows.find(({ state }) => state === 'active');
    const [opened] = await Promise.allSettled([openKey(signing, secretKey)]);
    // Nothing is awaited from here on, so no request sees a signing key without its verification key, or no key at all.
    published = rows.map((row) => parseJwk(row.public_key));
    for (const key of verifying.values()) key.isOutdated = true;
    verifying = found;
    if (opened.status === 'fulfilled') {
      active = opened.value;
      return;
    }
    // A removed key must not sign, even where the next one cannot be opened.
    if (active !== undefined && !verifying.has(active.kid)) active = undefined;
    throw opened.reason;
  }

  await reload();
  return {
    active() {
      if (active === undefined) throw new Problem('storage-unavailable', { reason: 'no signing key can be opened' });
      return active;
    },
    find: (kid) => verifying.get(kid),
    published: () => ({ keys: published }),
    reload,
  };
}

/** Throws WrongSecretKey when the secret is not the one it was sealed under. */
export async function openSigningKey(db: Db, secretKey: string): Promise<ActiveKey> {
  const query = db.selectFrom('signing_key').select(['kid', 'alg', 'private_key']).where('state', '=', 'active');
  return openKey(await query.executeTakeFirst(), secretKey);
}

/** Throws `storage-unavailable` where SECRET_KEY is not the one in use any more: everything was resealed under another. */
export async function expectCurrentSecret(db: Db, secretKey: string): Promise<void> {
  try {
    await openSigningKey(db, secretKey);
  } catch (cause) {
    if (cause instanceof WrongSecretKey) throw new Problem('storage-unavailable', { cause, reason: cause.reason });
    throw cause;
  }
}

type SealedKey = Pick<Tables['signing_key'], 'kid' | 'alg' | 'private_key'>;

async function openKey(key: SealedKey | undefined, secretKey: string): Promise<ActiveKey> {
  if (key === undefined) throw new Error('no key is active');
  const jwk = await (await keySealer(secretKey)).open(key.private_key);
  if (jwk === undefined) throw new WrongSecretKey();
  return { kid: key.kid, alg: key.alg, privateKey: await readKey(jwk, key.alg) };
}

export const keySealer = (secretKey: string) => createSealer(secretKey, 'signing keys');

async function readKey(jwk: string, alg: string): Promise<CryptoKey> {
  const key = await importJWK(parseJwk(jwk), alg);
  if (key instanceof Uint8Array) throw new Error('a stored key is symmetric');
  return key;
}

function parseJwk(text: string): JWK {
  const jwk: unknown = JSON.parse(text);
  if (!isJwk(jwk)) throw new Error('a stored key is not a JSON Web Key');
  return jwk;
}

const isJwk = (value: unknown): value is JWK => isObject(value) && typeof value.kty === 'string';
