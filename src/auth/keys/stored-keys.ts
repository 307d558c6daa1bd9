// The keys of a running service, in memory. In the database, private keys are sealed under SECRET_KEY.
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { isObject } from '../../base/guards.ts';
import type { TokenAlg } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import { createSealer } from '../../storage/secret.ts';
import type { Db } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';

/** The purpose under which the keys of each table are sealed. A key that is moved to the other table cannot be opened there. */
const purposes = { signing_key: 'signing keys', client_key: 'client keys' } as const;
export type KeyTable = keyof typeof purposes;
export const keyTables = Object.keys(purposes) as KeyTable[];

export const keySealer = (secretKey: string, table: KeyTable) => createSealer(secretKey, purposes[table]);

export interface VerificationKey {
  alg: string;
  publicKey: CryptoKey;
  /** True once the keys have been reloaded. Code that has kept this key must then look it up again. */
  isOutdated: boolean;
}

export interface StoredKeys<Key> {
  /** The key that signs. Throws `storage-unavailable` if none could be opened. */
  active(): Key;
  find(kid: string): VerificationKey | undefined;
  /** The public keys with which others check our signatures (RFC 7517). */
  published(): { keys: JWK[] };
  /** Reads the keys from the database again. */
  reload(): Promise<void>;
}

/** The database holds keys that this SECRET_KEY cannot decrypt. */
export class WrongSecretKey extends Error {
  readonly reason: string;

  constructor() {
    const reason = 'SECRET_KEY is not the one with which the keys in the database were encrypted';
    super(reason);
    this.reason = reason;
    this.name = 'WrongSecretKey';
  }
}

export type KeyRow = Tables[KeyTable];

/** `open` turns the active row into the key that signs, or returns undefined if none is needed. */
export async function loadStoredKeys<Key extends { kid?: string | undefined }>(
  db: Db,
  table: KeyTable,
  open: (active: KeyRow | undefined) => Promise<Key | undefined>,
): Promise<StoredKeys<Key>> {
  let active: Key | undefined;
  let verifying = new Map<string, VerificationKey>();
  let published: JWK[] = [];

  async function reload(): Promise<void> {
    const rows = await db.selectFrom(table).selectAll().where('state', '!=', 'removed').execute();
    const entries = rows.map(
      async ({ kid, alg, public_key }) =>
        [kid, { alg, publicKey: await importKey(parseJwk(public_key), alg), isOutdated: false }] as const,
    );
    const found = new Map(await Promise.all(entries));
    const [opened] = await Promise.allSettled([open(rows.find(({ state }) => state === 'active'))]);
    // Nothing is awaited from here on, so no request finds a signing key without its verification key, or finds no key at all.
    published = rows.map((row) => parseJwk(row.public_key));
    for (const key of verifying.values()) key.isOutdated = true;
    verifying = found;
    if (opened.status === 'fulfilled') {
      active = opened.value;
      return;
    }
    // A removed key must not sign, even if the next one cannot be opened.
    if (active !== undefined && !verifying.has(active.kid ?? '')) active = undefined;
    throw opened.reason;
  }

  await reload();
  return {
    active() {
      if (active === undefined) throw new Problem('storage-unavailable', { reason: `no ${table} can be opened` });
      return active;
    },
    find: (kid) => verifying.get(kid),
    published: () => ({ keys: published }),
    reload,
  };
}

interface OpenedKey {
  kid: string;
  alg: TokenAlg;
  /** The private key. */
  jwk: JWK;
}

/** Throws WrongSecretKey if the key was sealed under a different secret. */
export async function openRow(row: KeyRow | undefined, table: KeyTable, secretKey: string): Promise<OpenedKey> {
  if (row === undefined) throw new Error('no key is active');
  const jwk = await (await keySealer(secretKey, table)).open(row.private_key);
  if (jwk === undefined) throw new WrongSecretKey();
  return { kid: row.kid, alg: row.alg, jwk: parseJwk(jwk) };
}

/** Opens the active key of a table, like `openRow`. */
export async function openActiveKey(db: Db, table: KeyTable, secretKey: string): Promise<OpenedKey> {
  const query = db.selectFrom(table).selectAll().where('state', '=', 'active');
  return openRow(await query.executeTakeFirst(), table, secretKey);
}

export async function importKey(jwk: JWK, alg: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array) throw new Error('a stored key is symmetric');
  return key;
}

function parseJwk(text: string): JWK {
  const jwk: unknown = JSON.parse(text);
  if (!isJwk(jwk)) throw new Error('a stored key is not a JSON Web Key');
  return jwk;
}

const isJwk = (value: unknown): value is JWK => isObject(value) && typeof value.kty === 'string';
