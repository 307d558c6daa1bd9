// The keys that sign access tokens: in the database, the private half sealed under SECRET_KEY.
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { TokenAlg } from '../config.ts';
import type { Db } from '../storage/storage.ts';
import { createSealer } from './secret.ts';

interface VerificationKey {
  alg: string;
  publicKey: CryptoKey;
}

export interface SigningKeys {
  /** The one that signs. */
  active: { kid: string; alg: string; privateKey: CryptoKey };
  find(kid: string): VerificationKey | undefined;
  /** What other services need to check our tokens: RFC 7517. */
  published: { keys: JWK[] };
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

interface SigningKeysOptions {
  db: Db;
  secretKey: string;
  alg: TokenAlg;
  now: () => Date;
}

export async function loadSigningKeys({ db, secretKey, alg, now }: SigningKeysOptions): Promise<SigningKeys> {
  await ensureActiveKey({ db, secretKey, alg, now });
  const rows = await db.selectFrom('signing_key').selectAll().where('state', '!=', 'removed').execute();
  const active = await openSigningKey(db, secretKey);

  const verifying = new Map<string, VerificationKey>();
  for (const row of rows) verifying.set(row.kid, { alg: row.alg, publicKey: await readKey(row.public_key, row.alg) });
  return {
    active,
    find: (kid) => verifying.get(kid),
    published: { keys: rows.map((row) => JSON.parse(row.public_key) as JWK) },
  };
}

/** Throws WrongSecretKey when the secret is not the one it was sealed under. */
export async function openSigningKey(db: Db, secretKey: string): Promise<SigningKeys['active']> {
  const query = db.selectFrom('signing_key').select(['kid', 'alg', 'private_key']).where('state', '=', 'active');
  const { kid, alg, private_key: sealed } = await query.executeTakeFirstOrThrow();
  const jwk = await (await keySealer(secretKey)).open(sealed);
  if (jwk === undefined) throw new WrongSecretKey();
  return { kid, alg, privateKey: await readKey(jwk, alg) };
}

const keySealer = (secretKey: string) => createSealer(secretKey, 'signing keys');

async function readKey(jwk: string, alg: string): Promise<CryptoKey> {
  return (await importJWK(JSON.parse(jwk) as JWK, alg)) as CryptoKey;
}

/** A first start makes a key; a changed TOKEN_ALG makes another, and the one before it verifies from then on. */
async function ensureActiveKey({ db, secretKey, alg, now }: SigningKeysOptions): Promise<void> {
  const current = await db.selectFrom('signing_key').select('alg').where('state', '=', 'active').executeTakeFirst();
  if (current?.alg === alg) return;
  const key = await makeKey(alg);
  const sealedPrivateKey = await (await keySealer(secretKey)).seal(JSON.stringify(key.privateJwk));
  await db.transaction().execute(async (tx) => {
    const active = await tx.selectFrom('signing_key').select(['kid', 'alg']).where('state', '=', 'active').execute();
    if (active.some((row) => row.alg === alg)) return; // another process was faster
    await tx.updateTable('signing_key').set({ state: 'retiring' }).where('state', '=', 'active').execute();
    await tx
      .insertInto('signing_key')
      .values({
        kid: key.kid,
        alg,
        public_key: JSON.stringify(key.publicJwk),
        private_key: sealedPrivateKey,
        state: 'active',
        created_at: now().toISOString(),
      })
      .execute();
  });
}

async function makeKey(alg: TokenAlg) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return { kid, publicJwk: { ...publicJwk, kid, alg, use: 'sig' }, privateJwk: await exportJWK(privateKey) };
}
