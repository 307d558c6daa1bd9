// What private_key_jwt needs (RFC 7523, OpenID Connect Core section 9).
import { readBoundedFile } from './bounded-file.ts';
import { BadClientFile, type ClientKey, watchClientKey } from './client-key.ts';
import { isLoopback } from './loopback.ts';
import { type Preset, presets } from './presets.ts';
import type { ConfigFault, Variables } from './variables.ts';

/** Signed here, or written by somebody else. */
export type AssertionSettings = SigningSettings | { readonly file: string };

export interface SigningSettings {
  /** As its file is now. Absent: one that Frontdesk makes itself. */
  readonly key: (() => ClientKey) | undefined;
  /** Absent: the provider's issuer, or its token endpoint. */
  readonly audience: string | undefined;
  readonly usual: Preset['assertion'];
}

interface ReadAssertion {
  assertion?: AssertionSettings;
  faults: ConfigFault[];
}

/** Nothing where another method is in use. */
export function readClientAssertion(values: Partial<Variables>): ReadAssertion {
  const { OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_ASSERTION_FILE: file, OIDC_PRESET = 'generic' } = values;
  if (values.OIDC_CLIENT_AUTH !== 'private_key_jwt') return { faults: [] };
  if (OIDC_CLIENT_KEY_FILE === undefined && file !== undefined) return { assertion: { file }, faults: [] };
  const settings = { audience: values.OIDC_CLIENT_ASSERTION_AUDIENCE, usual: presets[OIDC_PRESET].assertion };
  if (OIDC_CLIENT_KEY_FILE === undefined) return { assertion: { ...settings, key: undefined }, faults: [] };
  try {
    const key = watchClientKey(OIDC_CLIENT_KEY_FILE, values.OIDC_CLIENT_CERTIFICATE_FILE);
    return { assertion: { ...settings, key }, faults: [] };
  } catch (error) {
    if (!(error instanceof BadClientFile)) throw error;
    return { faults: [{ variable: error.variable, fault: error.fault }] };
  }
}

/** Whether we authenticate by a key that Frontdesk makes, rotates and publishes itself. */
export function usesOwnKey(assertion: AssertionSettings | undefined): boolean {
  return assertion !== undefined && 'key' in assertion && assertion.key === undefined;
}

/** Not faults: the lists are served in any case. */
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
  const fault = 'is on this machine: the provider cannot read our client key there';
  return isHere && !isProviderHere ? [{ variable: 'PUBLIC_URL', fault }] : [];
}

/** Who writes it may start after us. */
function findFileWarnings(file: string): ConfigFault[] {
  const read = readBoundedFile(file);
  return 'fault' in read ? [{ variable: 'OIDC_CLIENT_ASSERTION_FILE', fault: read.fault }] : [];
}

const warningDays = 30;
const dayMs = 86_400_000;

/** Some providers look at the key alone. */
function findCertificateWarnings({ certificate }: ClientKey, now: Date): ConfigFault[] {
  const expiresAt = certificate?.expiresAt;
  if (expiresAt === undefined || expiresAt.getTime() - now.getTime() > warningDays * dayMs) return [];
  const verb = expiresAt <= now ? 'expired' : 'expires';
  const fault = `the certificate ${verb} on ${expiresAt.toISOString().slice(0, 10)}: register a new one at the provider`;
  return [{ variable: 'OIDC_CLIENT_CERTIFICATE_FILE', fault }];
}
