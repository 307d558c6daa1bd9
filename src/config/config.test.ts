import { expect, test } from 'bun:test';
import { hostname } from 'node:os';
import { faultsOf, provider } from '../../test/support/config.ts';
import { readConfig } from './config.ts';

test('the replica is called INSTANCE_NAME, or else has the name of the host, whatever the environment says', () => {
  const nameIn = (env: Record<string, string>) => readConfig(env).instance;
  expect(nameIn({ INSTANCE_NAME: 'one' })).toBe('one');
  expect([nameIn({}), nameIn({ INSTANCE_NAME: '' }), nameIn({ HOSTNAME: 'desk-7f' })]).toEqual(
    Array(3).fill(hostname()),
  );
  expect(() => nameIn({ INSTANCE_NAME: 'two words' })).toThrow('INSTANCE_NAME: must have 1 to 255 visible ASCII');
});

test('an empty environment gives the defaults', () => {
  expect(readConfig({})).toEqual({
    production: false,
    host: 'localhost',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    database: { engine: 'sqlite', file: './data/frontdesk.db' },
    secretKey: undefined,
    newSecretKey: undefined,
    provider: undefined,
    peopleIssuer: 'urn:frontdesk:development',
    devIdpPort: undefined,
    devPeople: undefined,
    clientId: 'frontdesk',
    scopes: 'openid profile email phone',
    loginNeed: {},
    keepNeed: {},
    redirectUris: ['http://localhost:3000/auth/login/callback', 'http://localhost:3000/'],
    postLogoutUris: ['http://localhost:3000/'],
    requireBoundLogin: false,
    employeeIdClaims: ['sub'],
    roleClaims: ['/roles', '/realm_access/roles', '/groups', '/urn:zitadel:iam:org:project:roles'],
    roleMap: new Map(),
    presetRoleMap: new Map(),
    warnings: [],
    tokenAlg: 'ES256',
    tokenTtlSeconds: 3600,
    tokenAudience: 'http://localhost:3000',
    keyRotationDays: 90,
    sessionIdleSeconds: 3600,
    sessionMaxSeconds: 43_200,
    renewNeedsProvider: true,
    lookupReadRoles: [],
    lookupPlanRoles: ['LOOKUP_PLANNER'],
    lookupAdminRoles: ['LOOKUP_ADMIN'],
    auditReadRoles: ['AUDITOR'],
    auditLog: undefined,
    auditRetentionDays: 0,
    tokenIntrospectRoles: ['TOKEN_INTROSPECTOR'],
    allowHttpIssuers: false,
    corsOrigins: [],
    loginLimit: { quota: 60, windowSeconds: 60 },
    apiLimit: { quota: 6000, windowSeconds: 60 },
    trustedProxies: 0,
    staleLimitSeconds: 300,
    metricsPort: undefined,
    accessLog: undefined,
    serverTiming: false,
    instance: hostname(),
    tracing: undefined,
    workers: 1,
    logLevel: 'info',
    logFormat: 'json',
  });
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', OIDC_ISSUER: '' })).toEqual(readConfig({}));
});

test('the configuration is frozen', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

test('a default that depends on another variable follows it', () => {
  const config = readConfig({ ...provider, PORT: '8080', PUBLIC_URL: 'https://desk.example/path/' }, true);
  expect(config).toMatchObject({
    publicUrl: 'https://desk.example/path',
    tokenAudience: 'https://desk.example/path',
    redirectUris: ['https://desk.example/path/auth/login/callback', 'https://desk.example/path/'],
    peopleIssuer: undefined,
    logFormat: 'pretty',
    provider: { issuer: 'https://idp.example', clientAuth: 'basic', allowHttp: false },
  });
});

test('commas separate the entries of lists and maps', () => {
  const config = readConfig({
    OIDC_REDIRECT_URIS: 'https://a.example/cb, app.example:/cb',
    ROLE_MAP: 'hr-admins=LOOKUP_ADMIN, noise=',
    EMPLOYEE_ID_CLAIM: 'employee_number,sub',
    LOOKUP_READ_ROLES: 'A,B,',
  });
  expect(config.redirectUris.slice(2)).toEqual(['https://a.example/cb', 'app.example:/cb']);
  expect([...config.roleMap]).toEqual([
    ['hr-admins', 'LOOKUP_ADMIN'],
    ['noise', ''],
  ]);
  expect(config.employeeIdClaims).toEqual(['employee_number', 'sub']);
  expect(config.lookupReadRoles).toEqual(['A', 'B']);
});

test('a limit is a number of requests and a time, or 0', () => {
  const limitOf = (text: string) => readConfig({ RATE_LIMIT_API: text }).apiLimit;
  expect(limitOf('100/10s')).toEqual({ quota: 100, windowSeconds: 10 });
  expect(limitOf('5/2m')).toEqual({ quota: 5, windowSeconds: 120 });
  expect(limitOf('1/1h')).toEqual({ quota: 1, windowSeconds: 3600 });
  expect(limitOf('0').quota).toBe(0);
});

test.each([
  ['keycloak', 'openid profile email phone', ['sub'], ['/realm_access/roles', '/roles', '/groups']],
  ['entra', 'openid profile email offline_access', ['employeeid', 'oid'], ['/roles', '/groups']],
  ['okta', 'openid profile email phone groups offline_access', ['sub'], ['/groups']],
  ['auth0', 'openid profile email phone offline_access', ['sub'], ['/roles']],
  ['google', 'openid profile email', ['sub'], []],
  ['zitadel', 'openid profile email phone offline_access', ['sub'], ['/urn:zitadel:iam:org:project:roles']],
])(
  'the preset %s sets the usual values for that provider, and variables take precedence',
  (name, scopes, employeeIdClaims, roleClaims) => {
    expect(readConfig({ OIDC_PRESET: name })).toMatchObject({ scopes, employeeIdClaims, roleClaims });
    const own = { OIDC_PRESET: name, OIDC_SCOPES: 'openid x', EMPLOYEE_ID_CLAIM: 'e', ROLE_CLAIMS: '/r' };
    expect(readConfig(own)).toMatchObject({ scopes: 'openid x', employeeIdClaims: ['e'], roleClaims: ['/r'] });
  },
);

test.each([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['SESSION_IDLE_SECONDS', '0'],
  ['SESSION_IDLE_SECONDS', '2592001'],
  ['SESSION_MAX_SECONDS', '0'],
  ['SESSION_MAX_SECONDS', '2592001'],
  ['RENEW_NEEDS_PROVIDER', 'yes'],
  ['PORT', '3000x'],
  ['PUBLIC_URL', 'desk.example'],
  ['PUBLIC_URL', 'ftp://localhost'],
  ['PUBLIC_URL', 'http://localhost/?a=b'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'postgres://a,b:99999/desk'],
  ['DATABASE_URL', 'postgres://a,b/desk?target_session_attrs=standby'],
  ['SECRET_KEY', 'x'.repeat(31)],
  ['OIDC_CLIENT_AUTH', 'tls_client_auth'],
  ['OIDC_SCOPES', 'profile email'],
  ['OIDC_REDIRECT_URIS', 'not an address'],
  ['OIDC_REDIRECT_URIS', ','],
  ['OIDC_ALLOW_HTTP', 'yes'],
  ['OIDC_PAR', 'yes'],
  ['EMPLOYEE_ID_CLAIM', ' , '],
  ['ROLE_MAP', 'a'],
  ['ROLE_MAP', '=B'],
  ['ROLE_MAP', 'a*=B'],
  ['REQUIRE_BOUND_LOGIN', '1'],
  ['DEV_IDP_PORT', '-1'],
  ['TOKEN_ALG', 'HS256'],
  ['TOKEN_TTL_SECONDS', '59'],
  ['TOKEN_TTL_SECONDS', '86401'],
  ['OIDC_PRESET', 'ping'],
  ['OIDC_POST_LOGOUT_URIS', 'home'],
  ['KEY_ROTATION_DAYS', '0'],
  ['AUDIT_RETENTION_DAYS', '-1'],
  ['AUDIT_RETENTION_DAYS', '1.5'],
  ['AUDIT_RETENTION_DAYS', '36501'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://app.example.com/'],
  ['CORS_ORIGINS', 'null'],
  ['RATE_LIMIT_LOGIN', '60'],
  ['RATE_LIMIT_API', '60/m'],
  ['RATE_LIMIT_API', '-1/1m'],
  ['TRUST_PROXY', 'true'],
  ['LOG_LEVEL', 'loud'],
  ['NODE_ENV', 'prod'],
  ['OIDC_ISUER', 'https://idp.example'],
  ['OIDC_SIGNING_ALG', 'HS256'],
  ['OIDC_SIGNING_ALG', 'none'],
  ['DEV_IDP_PORT', '3000'],
  ['LOG_FORMAT', 'xml'],
])('%s=%s is a fault', (variable, value) => {
  expect(faultsOf({ [variable]: value })).toEqual([variable]);
});

test('redirect addresses are added to our own, and the callback stays the default', () => {
  const given = { OIDC_REDIRECT_URIS: 'http://localhost:5173/,http://localhost:3000/' };
  expect(readConfig(given).redirectUris).toEqual([
    'http://localhost:3000/auth/login/callback',
    'http://localhost:3000/',
    'http://localhost:5173/',
  ]);
});

test('our own address is always allowed after a sign-out, and the first configured one is the default', () => {
  expect(readConfig({ OIDC_POST_LOGOUT_URIS: 'http://localhost:5173/' }).postLogoutUris).toEqual([
    'http://localhost:5173/',
    'http://localhost:3000/',
  ]);
});

test('every fault is reported at once', () => {
  expect(faultsOf({ PORT: 'x', TOKEN_ALG: 'x', OIDC_ISSUER: 'https://idp.example' })).toEqual([
    'PORT',
    'TOKEN_ALG',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
  ]);
});

test('presets for products set the token algorithm, the generic preset does not, and the variable takes precedence', () => {
  const algOf = (env: Record<string, string>) => readConfig({ ...provider, ...env }).provider?.signingAlg;
  const products = ['keycloak', 'entra', 'okta', 'auth0', 'google', 'zitadel'];
  expect(products.map((preset) => algOf({ OIDC_PRESET: preset }))).toEqual(products.map(() => 'RS256'));
  expect(algOf({ OIDC_PRESET: 'generic' })).toBeUndefined();
  expect(algOf({ OIDC_PRESET: 'keycloak', OIDC_SIGNING_ALG: 'ES256' })).toBe('ES256');
});
