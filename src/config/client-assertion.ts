// What private_key_jwt needs (RFC 7523, OpenID Connect Core section 9).
import { readBoundedFile } from './bounded-file.ts';
import { BadClientFile, type ClientKey, readClientKey } from './client-key.ts';
import { type Preset, presets } from './presets.ts';
import type { ConfigFault, Variables } from './variables.ts';

/** Signed here, or written by somebody else. */
export type AssertionSettings = SigningSettings | { readonly file: string };

export interface SigningSettings {
  readonly key: ClientKey;
  /** Absent: the provider's issuer, or its token endpoint. */
  readonly audience: string | undefined;
  readonly usual: Preset['assertion'];
}

interface ReadAssertion {
  assertion?: AssertionSettings;
  faults: ConfigFault[];
}

/** Nothing where another method is in use, or a variable is missing: rules.ts reports that. */
export function readClientAssertion(values: Partial<Variables>): ReadAssertion {
  const { OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_ASSERTION_FILE: file, OIDC_PRESET = 'generic' } = values;
  if (values.OIDC_CLIENT_AUTH !== 'private_key_jwt') return { faults: [] };
  if (OIDC_CLIENT_KEY_FILE === undefined)
    return file === undefined ? { faults: [] } : { assertion: { file }, faults: [] };
  try {
    const key = readClientKey(OIDC_CLIENT_KEY_FILE, values.OIDC_CLIENT_CERTIFICATE_FILE);
    const audience = values.OIDC_CLIENT_ASSERTION_AUDIENCE;
    return { assertion: { key, audience, usual: presets[OIDC_PRESET].assertion }, faults: [] };
  } catch (error) {
    if (!(error instanceof BadClientFile)) throw error;
    return { faults: [{ variable: error.variable, fault: error.fault }] };
  }
}

/** Not faults: the lists are served in any case. */
export function findAssertionWarnings(assertion: AssertionSettings | undefined, now: Date): ConfigFault[] {
  if (assertion === undefined) return [];
  return 'key' in assertion ? findCertificateWarnings(assertion.key, now) : findFileWarnings(assertion.file);
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
