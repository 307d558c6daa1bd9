// What is derived from SECRET_KEY: one key for each purpose, and sealing under it (AES-256-GCM).
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CompactEncrypt, compactDecrypt } from 'jose';

export interface Sealer {
  seal(text: string): Promise<string>;
  /** Undefined for anything that was not sealed under the same secret for the same purpose. */
  open(sealed: string): Promise<string | undefined>;
}

export async function createSealer(secret: string, purpose: string): Promise<Sealer> {
  const key = await deriveKey(secret, purpose);
  return {
    seal: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    async open(sealed) {
      try {
        const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
        return new TextDecoder().decode((await compactDecrypt(sealed, key, options)).plaintext);
      } catch {
        return undefined;
      }
    },
  };
}

/** RFC 5869: the purposes share a secret and no key. */
async function deriveKey(secret: string, purpose: string): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(`frontdesk ${purpose}`) },
    material,
    256,
  );
  return new Uint8Array(bits);
}

/** Outside production: a secret made at the first start and kept in a file. */
export function keepSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url'), {
      mode: 0o600,
    });
    try {
      // A link appears whole or not at all, and never replaces: of two first starts, both use the same secret.
      linkSync(draft, file);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file, 'utf8').trim();
}
