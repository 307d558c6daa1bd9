// The settings for private_key_jwt (RFC 7523, OpenID Connect Core section 9).
import { readBoundedFile } from '../base/bounded-reads.ts';
import { isLoopback } from '../base/loopback.ts';
import { BadClientFile, type ClientKey, watchClientKey } from './client-key.ts';
import { type Preset, presets } from './presets.ts';
import { allowedAlgs, type ConfigFault, type Variables } from './variables.ts';

/** Assertions are signed here, or read from a file that another program writes. */
export type AssertionSettings = SigningSettings | { readonly file: string };

export interface SigningSettings {
  /** Reads the key from its file. Undefined if Frontdesk makes its own key. */
  readonly key: (() => ClientKey) | undefined;
  /** Undefined for the default: the provider's issuer or its token endpoint. */
  readonly audience: string | undefined;
  readonly usual: Preset['assertion'];
  /** The algorithms that an assertion may be signed with. */
  readonly algs: readonly string[];
}

interface ReadAssertion {
  assertion?: AssertionSettings;
  faults: ConfigFault[];
}

/** Returns no assertion if a different method is configured. */
export function readClientAssertion(values: Partial<Variables>): ReadAssertion {
  const { OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_ASSERTION_FILE: file, OIDC_PRESET = 'generic' } = values;
  if (values.OIDC_CLIENT_AUTH !== 'private_key_jwt') return { faults: [] };
  if (OIDC_CLIENT_KEY_FILE === undefined && file !== undefined) return { assertion: { file }, faults: [] };
  const algs = allowedAlgs(values.OIDC_PROFILE);
  const usual = values.OIDC_PROFILE === undefined ? presets[OIDC_PRESET].assertion : undefined;
  const settings = { audience: values.OIDC_CLIENT_ASSERTION_AUDIENCE, usual, algs };
  if (OIDC_CLIENT_KEY_FILE === undefined) return { assertion: { ...settings, key: undefined }, faults: [] };
  try {
    const key = watchClientKey(OIDC_CLIENT_KEY_FILE, values.OIDC_CLIENT_CERTIFICATE_FILE, algs);
    return { assertion: { ...settings, key }, faults: [] };
  } catch (error) {
    if (!(error instanceof BadClientFile)) throw error;
    return { faults: [{ variable: error.variable, fault: error.fault }] };
  }
}

/** Whether we authenticate with a key that Frontdesk makes, rotates and publishes itself. */
export function usesOwnKey(assertion: AssertionSettings | undefined): boolean {
  return assertion !== undefined && 'key' in assertion && assertion.key === undefined;
}

/** These are warnings rather than faults, because the lists can be served anyway. */
export function findAssertionWarnings({ provider, publicUrl }: Connected, now: Date): ConfigFault[] {
  if (provider?.assertion === undefined) return [];
  const { assertion, issuer } = provider;
  if ('file' in assertion) return findFileWarnings(assertion.file);
  return assertion.key === undefined
    ? findReachWarnings(publicUrl, issuer)
    : findCertificateWarnings(assertion.key(), now);
}

interface Connected {
  provider: { issuer: string; assertion?: AssertionSettings | undefined } | undefined;
  publicUrl: string;
}

function findReachWarnings(publicUrl: string, issuer: string): ConfigFault[] {
  const [isHere, isProviderHere] = [publicUrl, issuer].map((url) => isLoopback(new URL(url).hostname));
  const fault = 'is on this machine, where the provider cannot read our client key';
  return isHere && !isProviderHere ? [{ variable: 'PUBLIC_URL', fault }] : [];
}

/** Only a warning, because the program that writes the file may start after us. */
function findFileWarnings(file: string): ConfigFault[] {
  const read = readBoundedFile(file);
  return 'fault' in read ? [{ variable: 'OIDC_CLIENT_ASSERTION_FILE', fault: read.fault }] : [];
}

const warningDays = 30;
const dayMs = 86_400_000;

/** Only a warning, because some providers check only the key and ignore the expiry of the certificate. */
function findCertificateWarnings({ certificate }: ClientKey, now: Date): ConfigFault[] {
  const expiresAt = certificate?.expiresAt;
  if (expiresAt === undefined || expiresAt.getTime() - now.getTime() > warningDays * dayMs) return [];
  const verb = expiresAt <= now ? 'expired' : 'expires';
  const fault = `the certificate ${verb} on ${expiresAt.toISOString().slice(0, 10)}: register a new one at the provider`;
  return [{ variable: 'OIDC_CLIENT_CERTIFICATE_FILE', fault }];
}
