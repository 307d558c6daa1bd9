// What is usual at each kind of provider. Every value can be overridden by its own variable.

export interface Preset {
  scopes: string;
  employeeIdClaims: readonly string[];
  roleClaims: readonly string[];
  /** As ROLE_MAP, which comes before it. */
  roleMap: ReadonlyMap<string, string>;
  /** Of ID and logout tokens; absent: whichever the provider announces. */
  signingAlg?: 'RS256';
  /** Of private_key_jwt, where it is not the issuer and RS256. */
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
// What each of the products signs with unless told otherwise.
const product = { ...generic, signingAlg: 'RS256' } satisfies Preset;
// Without this scope these providers give no refresh token, and a session could not be renewed.
const offline = 'offline_access';

export const presets: Record<(typeof presetNames)[number], Preset> = {
  generic,
  // Its roles of every account; the last one's name ends in the realm's.
  keycloak: {
    ...product,
    roleClaims: ['/realm_access/roles', '/roles', '/groups'],
    roleMap: new Map(['offline_access', 'uma_authorization', 'default-roles-*'].map((name) => [name, ''])),
  },
  // No scope "phone" there; "sub" differs for each application, "oid" is the person's own.
  entra: {
    ...product,
    scopes: `openid profile email ${offline}`,
    employeeIdClaims: ['employeeid', 'oid'],
    roleClaims: ['/roles', '/groups'],
    assertion: { audience: 'token endpoint', rsaAlg: 'PS256' },
  },
  okta: { ...product, scopes: `${generic.scopes} groups ${offline}`, roleClaims: ['/groups'] },
  // Roles come under a name of your own there, like /https:~1~1example.com~1roles: set ROLE_CLAIMS.
  auth0: { ...product, scopes: `${generic.scopes} ${offline}`, roleClaims: ['/roles'] },
  // No scope "phone" and no roles there.
  google: { ...product, scopes: 'openid profile email', roleClaims: [] },
  zitadel: { ...product, scopes: `${generic.scopes} ${offline}`, roleClaims: [`/${zitadelRoles}`] },
};
