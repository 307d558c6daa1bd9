// Whether one of the provider's published keys (RFC 7517) can verify its ID tokens.
import { importJWK } from 'jose';
import type { AskProvider } from '../../auth/provider/fetch.ts';
import { isObject } from '../../base/guards.ts';
import type { Finding } from './finding.ts';

const part = "provider's keys";
/** Importing a key takes a moment, and a document of 1 MiB can hold thousands. */
const maxKeys = 100;

export async function checkKeys(uri: string, algs: readonly string[], ask: AskProvider): Promise<Finding[]> {
  const response = await ask('keys', uri, { headers: { Accept: 'application/json' } });
  const body: unknown = await response.json().catch(() => undefined);
  const keys = isObject(body) && Array.isArray(body.keys) ? body.keys : undefined;
  if (response.status !== 200 || keys === undefined) {
    const text = `${uri} answers ${response.status} and no key set: nobody can sign in until it does`;
    return [{ level: 'FAILS', part, text }];
  }
  const usable = new Set<string>();
  for (const key of keys.slice(0, maxKeys)) {
    for (const alg of algs) if (await isUsableWith(key, alg)) usable.add(alg);
  }
  if (usable.size > 0) return [{ level: 'ok', part, text: `${keys.length} at ${uri}, for ${[...usable].join(', ')}` }];
  const text = `none of the ${keys.length} at ${uri} is for ${algs.join(', ')}: set OIDC_SIGNING_ALG to what the provider signs with, or give it such a key`;
  return [{ level: 'FAILS', part, text }];
}

async function isUsableWith(key: unknown, alg: string): Promise<boolean> {
  if (!isObject(key) || typeof key.kty !== 'string') return false;
  if (key.kty !== keyType(alg) || (key.alg ?? alg) !== alg || (key.use ?? 'sig') !== 'sig') return false;
  return importJWK({ ...key, kty: key.kty }, alg).then(
    () => true,
    () => false,
  );
}

/** RFC 7518 section 3.1 and RFC 8037. */
function keyType(alg: string): string {
  if (alg.startsWith('ES')) return 'EC';
  return alg.startsWith('Ed') ? 'OKP' : 'RSA';
}
