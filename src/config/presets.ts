// The defaults for each kind of provider, and the settings of a profile. Variables override the defaults; nothing overrides a
// profile.

export interface Preset {
  scopes: string;
  employeeIdClaims: readonly string[];
  roleClaims: readonly string[];
  /** Like ROLE_MAP, which takes precedence. */
  roleMap: ReadonlyMap<string, string>;
  /** The algorithm of ID and logout tokens. If undefined, those that the provider announces are accepted. */
  signingAlg?: 'RS256';
  /** The audience and algorithm for private_key_jwt, if they are not the issuer and RS256. */
  assertion?: { readonly audience: 'token endpoint'; readonly rsaAlg: 'PS256' };
}

export const presetNames = ['generic', 'keycloak', 'entra', 'okta', 'auth0', 'google', 'zitadel'] as const;

const zitadelRoles = 'urn:zitadel:iam:org:project:roles';
const generic = {
  scopes: 'openid profile email phone',
  employeeIdClaims: ['sub'],
  roleClaims: ['/roles', '/realm_access/roles', '/groups', `/${zitadelRoles}`],
  roleMap: new Map(),
} satisfies Preset;
// Each of these products signs with RS256 by default.
const product = { ...generic, signingAlg: 'RS256' } satisfies Preset;
// Without this scope, these providers give no refresh token, so sessions cannot be renewed.
const offline = 'offline_access';

export const presets: Record<(typeof presetNames)[number], Preset> = {
  generic,
  // Drops the roles that every account has. The name of the last of these roles ends with the name of the realm.
  keycloak: {
    ...product,
    roleClaims: ['/realm_access/roles', '/roles', '/groups'],
    roleMap: new Map(['offline_access', 'uma_authorization', 'default-roles-*'].map((name) => [name, ''])),
  },
  // Entra ID has no scope "phone". "sub" differs for each application; "oid" identifies the person.
  entra: {
    ...product,
    scopes: `openid profile email ${offline}`,
    employeeIdClaims: ['employeeid', 'oid'],
    roleClaims: ['/roles', '/groups'],
    assertion: { audience: 'token endpoint', rsaAlg: 'PS256' },
  },
  okta: { ...product, scopes: `${generic.scopes} groups ${offline}`, roleClaims: ['/groups'] },
  // Auth0 sends roles under a claim name you choose, such as /https:~1~1example.com~1roles, so ROLE_CLAIMS has to be set.
  auth0: { ...product, scopes: `${generic.scopes} ${offline}`, roleClaims: ['/roles'] },
  // Google has no scope "phone" and sends no roles.
  google: { ...product, scopes: 'openid profile email', roleClaims: [] },
  zitadel: { ...product, scopes: `${generic.scopes} ${offline}`, roleClaims: [`/${zitadelRoles}`] },
};

/** The settings that OIDC_PROFILE=fapi2 turns on (FAPI 2.0 Security Profile for a client). Any other value is a fault. */
export const profileSettings = {
  OIDC_CLIENT_AUTH: 'private_key_jwt',
  OIDC_PAR: 'true',
  OIDC_DPOP: 'true',
  REQUIRE_BOUND_LOGIN: 'true',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment with the profile's settings for variables that are unset. */
export function withProfile(env: Environment): Environment {
  if (env.OIDC_PROFILE !== 'fapi2') return env;
  const unset = Object.entries(profileSettings).filter(([name]) => !env[name]);
  return { ...env, ...Object.fromEntries(unset) };
}
