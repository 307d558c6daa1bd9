import { expect, test } from 'bun:test';
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt, exportJWK } from 'jose';
import { createSealer, deriveKeyPair } from './secret.ts';

const secret = 'a secret for this test, long enough';

/** RFC 5869, as in the code under test. */
async function keyFor(purpose: string): Promise<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const material = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, ['deriveBits']);
  const info = encode(`frontdesk ${purpose}`);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, material, 256));
}

test('a sealed text can be opened only for the same purpose', async () => {
  const sealer = await createSealer(secret, 'this');
  for (const text of ['', 'a', 'Žofie 山田 🙂', 'x'.repeat(100_000)]) {
    const sealed = await sealer.seal(text);
    expect(await sealer.open(sealed)).toBe(text);
    expect(await sealer.seal(text)).not.toBe(sealed);
    expect(await (await createSealer(secret, 'that')).open(sealed)).toBeUndefined();
    expect(await (await createSealer(`${secret}!`, 'this')).open(sealed)).toBeUndefined();
  }
});

test('a library can open a sealed text, which is a JWE, and the sealer can open a JWE from the library', async () => {
  const [sealer, key] = [await createSealer(secret, 'this'), await keyFor('this')];
  const { plaintext, protectedHeader } = await compactDecrypt(await sealer.seal('Žofie'), key);
  expect(new TextDecoder().decode(plaintext)).toBe('Žofie');
  expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM' });
  const foreign = await new CompactEncrypt(new TextEncoder().encode('山田'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
  expect(await sealer.open(foreign)).toBe('山田');
});

test('a text that was changed anywhere cannot be decrypted', async () => {
  const sealer = await createSealer(secret, 'this');
  const sealed = await sealer.seal('a text of some length');
  const parts = sealed.split('.');
  for (const index of parts.keys()) {
    const other = parts.with(
      index,
      parts[index]?.startsWith('A') ? `B${parts[index]?.slice(1)}` : `A${parts[index]?.slice(1)}`,
    );
    expect(await sealer.open(other.join('.'))).toBeUndefined();
  }
  for (const wrong of ['', 'x', '....', sealed.slice(0, -1), `${sealed}A`, `${sealed}.`, parts.slice(0, 4).join('.')]) {
    expect(await sealer.open(wrong)).toBeUndefined();
  }
});

test('a key pair is the same for the same secret and purpose, and different otherwise', async () => {
  const thumbprintOf = async (...of: [secret: string, purpose: string]) =>
    calculateJwkThumbprint(await exportJWK((await deriveKeyPair(...of)).publicKey));
  const thumbprint = await thumbprintOf(secret, 'this');
  // A fixed value, because refresh tokens of a public client are bound to this key and later versions must derive the same
  // key.
  expect(thumbprint).toBe('0-bUS78TOYDangQ-NiEAJ6Mo18DSAfxAvWi38BzkzXM');
  expect(await thumbprintOf(secret, 'that')).not.toBe(thumbprint);
  expect(await thumbprintOf(`${secret}!`, 'this')).not.toBe(thumbprint);
});

test('the keys of a pair match, and the private key cannot be exported', async () => {
  const how = { name: 'ECDSA', hash: 'SHA-256' };
  const text = new TextEncoder().encode('proof');
  for (let count = 0; count < 50; count++) {
    const { privateKey, publicKey } = await deriveKeyPair(`${secret} ${count}`, 'this');
    const signature = await crypto.subtle.sign(how, privateKey, text);
    expect([await crypto.subtle.verify(how, publicKey, signature, text), privateKey.extractable]).toEqual([
      true,
      false,
    ]);
  }
});
