// The key that signs our assertions for the provider (private_key_jwt), and the certificate it is registered with.
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import type { JWK } from 'jose';
import { readBoundedFile } from '../base/bounded-reads.ts';

export interface ClientKey {
  /** The private key. */
  readonly jwk: Readonly<JWK>;
  readonly kid: string | undefined;
  /** The algorithms it can sign with, the usual one first. */
  readonly algs: readonly string[];
  readonly certificate: ClientCertificate | undefined;
  /** Why the files could not be used after they changed. */
  readonly fault?: string;
}

interface ClientCertificate {
  /** SHA-256 of the certificate in DER form (RFC 7515 section 4.1.8). */
  readonly thumbprint: string;
  readonly expiresAt: Date;
}

const wantedKey = 'must hold one private key without a passphrase, as PEM (PKCS#8) or JWK';
const wantedType = 'must hold an RSA (2048 bits or more), EC (P-256, P-384 or P-521) or Ed25519 key';

/** The algorithms an RSA key can sign with, the usual one first. */
export const rsaAlgs: readonly string[] = ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'];

const curveAlgs: Record<string, readonly string[]> = {
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
};

/** Throws a BadClientFile. */
function readClientKey(keyFile: string, certificateFile: string | undefined, allowed: readonly string[]): ClientKey {
  const { key, kid, alg } = parseKey(readText('OIDC_CLIENT_KEY_FILE', keyFile));
  const algs = algsOf(key).filter((each) => alg === undefined || each === alg);
  if (algs.length === 0) throw new BadClientFile('OIDC_CLIENT_KEY_FILE', alg === undefined ? wantedType : wrongAlg);
  if (!algs.some((each) => allowed.includes(each))) {
    throw new BadClientFile('OIDC_CLIENT_KEY_FILE', `must hold a key for one of ${allowed.join(', ')}`);
  }
  const certificate = certificateFile === undefined ? undefined : readCertificate(certificateFile, key);
  return { jwk: key.export({ format: 'jwk' }), kid, algs, certificate };
}

/**
 * Reads the key again when a file changes. If the new files cannot be used, the previous key stays in use. The key must
 * support one of the `allowed` algorithms.
 */
export function watchClientKey(
  keyFile: string,
  certificateFile: string | undefined,
  allowed: readonly string[],
): () => ClientKey {
  const files = certificateFile === undefined ? [keyFile] : [keyFile, certificateFile];
  let seen = stampOf(files);
  let key = readClientKey(keyFile, certificateFile, allowed);
  return () => {
    const stamp = stampOf(files);
    if (stamp === seen) return key;
    seen = stamp;
    try {
      key = readClientKey(keyFile, certificateFile, allowed);
    } catch (error) {
      if (!(error instanceof BadClientFile)) throw error;
      key = { ...key, fault: error.message };
    }
    return key;
  };
}

/** Changes whenever a file changes, because a new file has a new inode number, even behind a symbolic link. */
const stampOf = (files: readonly string[]) => files.map(stampOfFile).join();

function stampOfFile(file: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    // The error is reported when the file is read.
    return 'none';
  }
}

const wrongAlg = 'must hold a key whose "alg" matches its type';

export class BadClientFile extends Error {
  readonly variable: string;
  readonly fault: string;

  constructor(variable: string, fault: string) {
    super(`${variable} ${fault}`);
    this.variable = variable;
    this.fault = fault;
  }
}

function readText(variable: string, path: string): string {
  const file = readBoundedFile(path);
  if ('fault' in file) throw new BadClientFile(variable, file.fault);
  return file.text;
}

function parseKey(text: string): { key: KeyObject; kid: string | undefined; alg: string | undefined } {
  try {
    if (!text.trimStart().startsWith('{')) return { key: createPrivateKey(text), kid: undefined, alg: undefined };
    const jwk = JSON.parse(text) as JWK;
    const textOf = (member: unknown) => (typeof member === 'string' ? member : undefined);
    return { key: createPrivateKey({ key: jwk, format: 'jwk' }), kid: textOf(jwk.kid), alg: textOf(jwk.alg) };
  } catch {
    // No cause, because a parser's message may quote the key.
    throw new BadClientFile('OIDC_CLIENT_KEY_FILE', wantedKey);
  }
}

/** Returns the algorithms a key can be used with, the usual one first, or none if the key is weak or of an unknown kind. */
export function algsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'rsa' && modulusLength >= 2048) return rsaAlgs;
  // RFC 9864 calls it Ed25519, but most providers know only the older name.
  if (asymmetricKeyType === 'ed25519') return ['EdDSA', 'Ed25519'];
  return asymmetricKeyType === 'ec' ? (curveAlgs[namedCurve] ?? []) : [];
}

function readCertificate(path: string, key: KeyObject): ClientCertificate {
  const variable = 'OIDC_CLIENT_CERTIFICATE_FILE';
  const certificate = parseCertificate(variable, readText(variable, path));
  if (!certificate.checkPrivateKey(key)) {
    throw new BadClientFile(variable, 'must hold the certificate of the key in OIDC_CLIENT_KEY_FILE');
  }
  return {
    thumbprint: createHash('sha256').update(certificate.raw).digest('base64url'),
    expiresAt: new Date(certificate.validTo),
  };
}

function parseCertificate(variable: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new BadClientFile(variable, 'must hold a certificate as PEM');
  }
}
