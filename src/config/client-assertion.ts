// What private_key_jwt needs (RFC 7523, OpenID Connect Core section 9).
import { BadClientFile, type ClientKey, readClientKey } from './client-key.ts';
import { type Preset, presets } from './presets.ts';
import type { ConfigFault, Variables } from './variables.ts';

export interface AssertionSettings {
  readonly key: ClientKey;
  /** Absent: the provider's issuer, or its token endpoint. */
  readonly audience: string | undefined;
  readonly usual: Preset['assertion'];
}

/** Nothing where another method is in use, or a variable is missing: rules.ts reports that. */
export function readClientAssertion(values: Partial<Variables>): {
  assertion?: AssertionSettings;
  faults: ConfigFault[];
} {
  const { OIDC_CLIENT_AUTH, OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_CERTIFICATE_FILE, OIDC_PRESET = 'generic' } = values;
  if (OIDC_CLIENT_AUTH !== 'private_key_jwt' || OIDC_CLIENT_KEY_FILE === undefined) return { faults: [] };
  try {
    const key = readClientKey(OIDC_CLIENT_KEY_FILE, OIDC_CLIENT_CERTIFICATE_FILE);
    const audience = values.OIDC_CLIENT_ASSERTION_AUDIENCE;
    return { assertion: { key, audience, usual: presets[OIDC_PRESET].assertion }, faults: [] };
  } catch (error) {
    if (!(error instanceof BadClientFile)) throw error;
    return { faults: [{ variable: error.variable, fault: error.fault }] };
  }
}

const warningDays = 30;
const dayMs = 86_400_000;

/** Not a fault: the lists are served, and some providers look at the key alone. */
export function findCertificateWarnings(assertion: AssertionSettings | undefined, now: Date): ConfigFault[] {
  const expiresAt = assertion?.key.certificate?.expiresAt;
  if (expiresAt === undefined || expiresAt.getTime() - now.getTime() > warningDays * dayMs) return [];
  const verb = expiresAt <= now ? 'expired' : 'expires';
  const fault = `the certificate ${verb} on ${expiresAt.toISOString().slice(0, 10)}: register a new one at the provider`;
  return [{ variable: 'OIDC_CLIENT_CERTIFICATE_FILE', fault }];
}
