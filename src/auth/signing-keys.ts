// The keys that sign access tokens, as a running service has them. In the database their private half is sealed under
// SECRET_KEY.
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Db } from '../storage/storage.ts';
import { createSealer } from './secret.ts';

interface VerificationKey {
  alg: string;
  publicKey: CryptoKey;
}

export interface SigningKeys {
  /** The one that signs. */
  active(): { kid: string; alg: string; privateKey: CryptoKey };
  find(kid: string): VerificationKey | undefined;
  /** What other services need to check our tokens: RFC 7517. */
  published(): { keys: JWK[] };
  /** Reads them anew. */
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
  let active = await openSigningKey(db, secretKey);
  let verifying = new Map<string, VerificationKey>();
  let published: JWK[] = [];

  async function reload(): Promise<void> {
    const rows = await db.selectFrom('signing_key').selectAll().where('state', '!=', 'removed').execute();
    const entries = rows.map(
      async ({ kid, alg, public_key }) => [kid, { alg, publicKey: await readKey(public_key, alg) }] as const,
    );
    verifying = new Map(await Promise.all(entries));
    published = rows.map((row) => JSON.parse(row.public_key) as JWK);
    active = await openSigningKey(db, secretKey);
  }

  await reload();
  return {
    active: () => active,
    find: (kid) => verifying.get(kid),
    published: () => ({ keys: published }),
    reload,
  };
}

/** Throws WrongSecretKey when the secret is not the one it was sealed under. */
export async function openSigningKey(db: Db, secretKey: string): Promise<ReturnType<SigningKeys['active']>> {
  const query = db.selectFrom('signing_key').select(['kid', 'alg', 'private_key']).where('state', '=', 'active');
  const { kid, alg, private_key: sealed } = await query.executeTakeFirstOrThrow();
  const jwk = await (await keySealer(secretKey)).open(sealed);
  if (jwk === undefined) throw new WrongSecretKey();
  return { kid, alg, privateKey: await readKey(jwk, alg) };
}

export const keySealer = (secretKey: string) => createSealer(secretKey, 'signing keys');

async function readKey(jwk: string, alg: string): Promise<CryptoKey> {
  return (await importJWK(JSON.parse(jwk) as JWK, alg)) as CryptoKey;
}
