// OIDC_PROFILE=fapi2: what a client needs for the FAPI 2.0 Security Profile, switched on together.
import { type SigningAlg, signingAlgs, type Variables } from './variables.ts';

export type Profile = Variables['OIDC_PROFILE'];

/** FAPI 2.0 Security Profile section 5.4. Ed25519 is RFC 9864's name for what the profile calls EdDSA. */
const fapiAlgs = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const satisfies readonly SigningAlg[];

/** What the provider's tokens and our assertions may be signed with. */
export function allowedAlgs(profile: Profile): readonly SigningAlg[] {
  return profile === 'fapi2' ? fapiAlgs : signingAlgs;
}

/** The variables it sets. Any other value is a fault. */
export const profileSettings = {
  OIDC_CLIENT_AUTH: 'private_key_jwt',
  OIDC_PAR: 'true',
  OIDC_DPOP: 'true',
  REQUIRE_BOUND_LOGIN: 'true',
} as const satisfies Partial<Record<keyof Variables, string>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the profile's settings for variables that are unset. */
export function withProfile(env: Environment): Environment {
  if (env.OIDC_PROFILE !== 'fapi2') return env;
  const unset = Object.entries(profileSettings).filter(([name]) => !env[name]);
  return { ...env, ...Object.fromEntries(unset) };
}
