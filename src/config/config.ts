// The environment as a frozen Config. Every fault is found before any is reported.

import { isLoopback } from '../base/loopback.ts';
import { type AssertionSettings, findAssertionWarnings, readClientAssertion } from './client-assertion.ts';
import { type DevelopmentPerson, readDevelopmentPeople } from './development-people.ts';
import { presets, withProfile } from './presets.ts';
import { findBrokenRules } from './rules.ts';
import { readSecretFiles } from './secret-files.ts';
import {
  type ConfigFault,
  developmentIssuer,
  type Limit,
  type Profile,
  type SigningAlg,
  type TokenAlg,
  type Variables,
  variables,
} from './variables.ts';
import { findUnknownOidc, findWarnings } from './warnings.ts';

export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly database: DatabaseSettings;
  /** Undefined in development, where one is created and kept beside the database. */
  readonly secretKey: string | undefined;
  /** Used only by `keys reseal`. */
  readonly newSecretKey: string | undefined;
  /** Undefined: the development identity provider is used. */
  readonly provider: ProviderSettings | undefined;
  /** The issuer that people are stored under, if it differs from the provider's own. */
  readonly peopleIssuer: string | undefined;
  readonly devIdpPort: number | undefined;
  /** Replaces the development provider's sample people. */
  readonly devPeople: readonly DevelopmentPerson[] | undefined;
  readonly clientId: string;
  readonly scopes: string;
  /** What every sign-in asks of the provider. A sign-in without it is refused. */
  readonly loginNeed: AuthenticationNeed;
  /** What changing a list requires in addition to the role. */
  readonly keepNeed: AuthenticationNeed;
  /** The first is the default. */
  readonly redirectUris: readonly [string, ...string[]];
  readonly requireBoundLogin: boolean;
  readonly employeeIdClaims: readonly string[];
  readonly roleClaims: readonly string[];
  readonly roleMap: ReadonlyMap<string, string>;
  readonly presetRoleMap: ReadonlyMap<string, string>;
  readonly postLogoutUris: readonly [string, ...string[]];
  readonly tokenAlg: TokenAlg;
  readonly tokenTtlSeconds: number;
  readonly tokenAudience: string;
  readonly keyRotationDays: number;
  /** How long the session of a bound sign-in lasts without a renewal, and in total. */
  readonly sessionIdleSeconds: number;
  readonly sessionMaxSeconds: number;
  /** Whether a session can be renewed only with a refresh token from the provider. */
  readonly renewNeedsProvider: boolean;
  readonly lookupReadRoles: readonly string[];
  /** May see the lists under /admin and plan changes, as those who keep the lists may. */
  readonly lookupPlanRoles: readonly string[];
  readonly lookupAdminRoles: readonly string[];
  readonly auditReadRoles: readonly string[];
  /** Where each audit row is also written; undefined for nowhere. */
  readonly auditLog: 'stdout' | undefined;
  /** Days after which audit rows are removed; 0 means never. */
  readonly auditRetentionDays: number;
  readonly tokenIntrospectRoles: readonly string[];
  /** Whether the issuer of a caller may use http on another machine. */
  readonly allowHttpIssuers: boolean;
  readonly corsOrigins: readonly string[];
  readonly loginLimit: Limit;
  readonly apiLimit: Limit;
  readonly trustedProxies: number;
  readonly staleLimitSeconds: number;
  readonly metricsPort: number | undefined;
  /** OpenTelemetry's own variables; undefined if they do not enable tracing. */
  readonly tracing: Readonly<Record<string, string>> | undefined;
  readonly workers: number;
  /** Settings that are valid but probably not what was meant. */
  readonly warnings: readonly ConfigFault[];
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
}

export type DatabaseSettings =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuth: 'basic' | 'post' | 'none' | 'private_key_jwt';
  /** For private_key_jwt. */
  readonly assertion?: AssertionSettings | undefined;
  /** Whether to push authorization requests even if the provider does not require it. */
  readonly pushesRequests?: boolean;
  /** Whether calls carry proofs of possession (RFC 9449). An access token that is not bound to their key is refused. */
  readonly usesDpop?: boolean;
  readonly profile?: Profile;
  readonly allowHttp: boolean;
  /** The only algorithm accepted for ID and logout tokens; undefined accepts those that discovery announces. */
  readonly signingAlg: SigningAlg | undefined;
}

/** How strong and how recent an authentication at the provider must be. */
export interface AuthenticationNeed {
  /** One of these classes (`acr`). */
  readonly acrValues?: readonly string[] | undefined;
  readonly maxAgeSeconds?: number | undefined;
}

export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ variable, fault }) => `${variable}: ${fault}`).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Throws a ConfigError with every fault. An empty variable counts as unset. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal = false,
  now = new Date(),
): Config {
  const files = readSecretFiles(env);
  const { values, faults } = readVariables(withProfile(files.values));
  const client = readClientAssertion(values);
  const { people, faults: peopleFaults } = readDevelopmentPeople(values);
  const invalid = [...files.faults, ...faults, ...findUnknownOidc(env), ...client.faults, ...peopleFaults];
  // A variable that is unreadable or invalid is not reported as missing as well.
  const broken = findBrokenRules(values, env.PGHOST).filter((rule) =>
    invalid.every(({ variable }) => variable !== rule.variable),
  );
  if (invalid.length + broken.length > 0) throw new ConfigError([...invalid, ...broken].map(files.underGivenName));
  const config = assemble(values as Variables, client.assertion, isTerminal);
  const warnings = [...findWarnings(env, config), ...findAssertionWarnings(config, now)];
  return Object.freeze({ ...config, devPeople: people, tracing: readTracing(env), warnings });
}

function readVariables(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, unknown> = {};
  const faults: ConfigFault[] = [];
  for (const [variable, schema] of Object.entries(variables)) {
    const parsed = schema.safeParse(env[variable] === '' ? undefined : env[variable]);
    if (parsed.success) values[variable] = parsed.data;
    else faults.push({ variable, fault: parsed.error.issues.map((issue) => issue.message).join('; ') });
  }
  return { values: values as Partial<Variables>, faults };
}

function assemble(
  values: Variables,
  assertion: AssertionSettings | undefined,
  isTerminal: boolean,
): Omit<Config, 'devPeople' | 'tracing' | 'warnings'> {
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).href.replace(/\/+$/, '');
  const home = `${publicUrl}/`;
  const [defaultPostLogoutUri = home, ...otherPostLogoutUris] = values.OIDC_POST_LOGOUT_URIS;
  const clientId = values.OIDC_CLIENT_ID ?? 'frontdesk';
  const preset = presets[values.OIDC_PRESET];
  return {
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    database: readDatabase(values),
    secretKey: values.SECRET_KEY,
    newSecretKey: values.NEW_SECRET_KEY,
    provider:
      values.OIDC_ISSUER === undefined
        ? undefined
        : Object.freeze({
            issuer: values.OIDC_ISSUER,
            clientId,
            clientSecret: values.OIDC_CLIENT_SECRET,
            clientAuth: values.OIDC_CLIENT_AUTH,
            assertion,
            pushesRequests: values.OIDC_PAR,
            usesDpop: values.OIDC_DPOP,
            profile: values.OIDC_PROFILE,
            allowHttp: values.OIDC_ALLOW_HTTP || isLoopback(new URL(values.OIDC_ISSUER).hostname),
            signingAlg: values.OIDC_SIGNING_ALG ?? (values.OIDC_PROFILE === undefined ? preset.signingAlg : undefined),
          }),
    peopleIssuer: values.OIDC_ISSUER === undefined ? developmentIssuer : undefined,
    devIdpPort: values.DEV_IDP_PORT,
    clientId,
    scopes: values.OIDC_SCOPES ?? preset.scopes,
    ...readNeeds(values),
    redirectUris: distinct(`${publicUrl}/auth/login/callback`, home, ...values.OIDC_REDIRECT_URIS),
    // The first configured address is the default. The console's own is always allowed.
    postLogoutUris: distinct(defaultPostLogoutUri, ...otherPostLogoutUris, home),
    requireBoundLogin: values.REQUIRE_BOUND_LOGIN,
    employeeIdClaims: values.EMPLOYEE_ID_CLAIM ?? preset.employeeIdClaims,
    roleClaims: values.ROLE_CLAIMS ?? preset.roleClaims,
    roleMap: values.ROLE_MAP,
    presetRoleMap: preset.roleMap,
    tokenAlg: values.TOKEN_ALG,
    tokenTtlSeconds: values.TOKEN_TTL_SECONDS,
    tokenAudience: values.TOKEN_AUDIENCE ?? publicUrl,
    keyRotationDays: values.KEY_ROTATION_DAYS,
    sessionIdleSeconds: values.SESSION_IDLE_SECONDS,
    sessionMaxSeconds: values.SESSION_MAX_SECONDS,
    renewNeedsProvider: values.RENEW_NEEDS_PROVIDER,
    lookupReadRoles: values.LOOKUP_READ_ROLES,
    lookupPlanRoles: values.LOOKUP_PLAN_ROLES,
    lookupAdminRoles: values.LOOKUP_ADMIN_ROLES,
    auditReadRoles: values.AUDIT_READ_ROLES,
    auditLog: values.AUDIT_LOG,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    tokenIntrospectRoles: values.TOKEN_INTROSPECT_ROLES,
    allowHttpIssuers: values.OIDC_ALLOW_HTTP,
    corsOrigins: values.CORS_ORIGINS,
    loginLimit: values.RATE_LIMIT_LOGIN,
    apiLimit: values.RATE_LIMIT_API,
    trustedProxies: values.TRUST_PROXY,
    staleLimitSeconds: values.STALE_LIMIT_SECONDS,
    metricsPort: values.METRICS_PORT,
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
  };
}

function readNeeds(values: Variables): Pick<Config, 'loginNeed' | 'keepNeed'> {
  const { OIDC_ACR_VALUES, OIDC_MAX_AGE_SECONDS, KEEP_ACR_VALUES, KEEP_MAX_AGE_SECONDS } = values;
  // What is strong enough for changes is strong enough for a sign-in.
  const acrValues = OIDC_ACR_VALUES && [...new Set([...OIDC_ACR_VALUES, ...(KEEP_ACR_VALUES ?? [])])];
  return {
    loginNeed: { acrValues, maxAgeSeconds: OIDC_MAX_AGE_SECONDS },
    keepNeed: { acrValues: KEEP_ACR_VALUES, maxAgeSeconds: KEEP_MAX_AGE_SECONDS },
  };
}

/** As OpenTelemetry specifies: an endpoint enables tracing, two other variables disable it. */
function readTracing(env: Readonly<Record<string, string | undefined>>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = env;
  const hasEndpoint = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  if (!hasEndpoint || env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const own = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('OTEL_') && value !== undefined ? [[name, value]] : [],
  );
  return Object.freeze(Object.fromEntries(own));
}

function readDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }: Variables): DatabaseSettings {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  return Object.freeze(file === undefined ? { engine: 'postgres', url, poolSize } : { engine: 'sqlite', file });
}

function distinct(first: string, ...others: string[]): readonly [string, ...string[]] {
  return [first, ...new Set(others.filter((address) => address !== first))];
}
