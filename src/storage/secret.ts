// Keys derived from SECRET_KEY, one for each purpose, and encryption under them (AES-256-GCM).
import { createCipheriv, createDecipheriv, createECDH, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../base/guards.ts';
import { type Config, ConfigError, type DatabaseSettings } from '../config/config.ts';

export interface Sealer {
  seal(text: string): Promise<string>;
  /** Undefined for anything that was not encrypted under the same secret for the same purpose. */
  open(sealed: string): Promise<string | undefined>;
}

/** A JWE in compact form (RFC 7516), encrypted directly with the key. No other kind is used. */
const protectedHeader = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url');
const sealedForm = new RegExp(`^${protectedHeader}\\.\\.([\\w-]{16})\\.([\\w-]*)\\.([\\w-]{22})$`);
const algorithm = 'aes-256-gcm';
const additional = Buffer.from(protectedHeader);

export async function createSealer(secret: string, purpose: string): Promise<Sealer> {
  const key = await deriveKey(secret, purpose);
  return {
    async seal(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(additional);
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [
        protectedHeader,
        '',
        ...[iv, encrypted, cipher.getAuthTag()].map((part) => part.toString('base64url')),
      ].join('.');
    },
    async open(sealed) {
      const parts = sealedForm.exec(sealed)?.slice(1);
      if (parts === undefined) return undefined;
      const [iv, encrypted, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (iv === undefined || encrypted === undefined || tag === undefined) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: 16 }).setAAD(additional).setAuthTag(tag);
        return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** 256 random bits, as text that fits in a cookie and a URL. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

/** Whether the text has the form of `randomText`. */
export function isRandomText(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Derives a key for each purpose from one secret (RFC 5869). */
async function deriveKey(secret: string, purpose: string, length = 256): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(`frontdesk ${purpose}`) },
    material,
    length,
  );
  return new Uint8Array(bits);
}

/** The number of points of P-256: FIPS 186-5, with SP 800-186. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A key pair for ES256: the same in every process with this secret. FIPS 186-5 section A.2.1, with 64 extra bits. */
export async function deriveKeyPair(secret: string, purpose: string) {
  const bits = Buffer.from(await deriveKey(secret, purpose, 320)).toString('hex');
  const scalar = (BigInt(`0x${bits}`) % (order - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  // Uncompressed: a byte 4, then both coordinates.
  const point = ecdh.getPublicKey();
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const secretJwk = { ...jwk, d: d.toString('base64url') };
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return {
    publicKey: await crypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify']),
    privateKey: await crypto.subtle.importKey('jwk', secretJwk, algorithm, false, ['sign']),
  };
}

/** The secret to use: the configured one, or, outside production, the one kept in a file beside the database. */
export function findSecret({ secretKey, database }: SecretConfig): string | undefined {
  if (secretKey !== undefined) return secretKey;
  const file = secretFile(database);
  if (!existsSync(file)) return undefined;
  const kept = readFileSync(file, 'utf8').trim();
  if (Buffer.byteLength(kept) >= 32) return kept;
  throw new ConfigError([{ variable: 'SECRET_KEY', fault: `in ${file} must be at least 32 bytes long` }]);
}

/** Like `findSecret`, but creates and stores a new secret if there is none. */
export function ensureSecret(config: SecretConfig): string {
  const found = findSecret(config);
  if (found !== undefined) return found;
  const file = secretFile(config.database);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomText(), { mode: 0o600 });
  try {
    // A link is atomic and never replaces a file, so two processes that start at the same time use the same secret.
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

type SecretConfig = Pick<Config, 'secretKey' | 'database'>;

/** With PostgreSQL, the secret is in the folder that a database file would be in by default. */
function secretFile(database: DatabaseSettings): string {
  return join(database.engine === 'sqlite' ? dirname(database.file) : 'data', 'secret.key');
}
