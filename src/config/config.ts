// Reads the environment into a frozen Config. All faults are reported together.

import { hostname } from 'node:os';
import { readBoundedFile } from '../base/bounded-reads.ts';
import { isLoopback } from '../base/loopback.ts';
import { type AssertionSettings, findAssertionWarnings, readClientAssertion } from './client-assertion.ts';
import { type DevelopmentPerson, readDevelopmentPeople } from './development-people.ts';
import { type Preset, presets, withProfile } from './presets.ts';
import { findBrokenRules } from './rules.ts';
import {
  type ConfigFault,
  developmentIssuer,
  type Profile,
  type SigningAlg,
  type Variables,
  variables,
} from './variables.ts';
import { findUnknownOidc, findWarnings } from './warnings.ts';

/** The configuration of the service and the commands. */
export type Config = Readonly<ReturnType<typeof assemble>> & {
  /** The name of this replica in log lines. */
  readonly instance: string;
  /** Replaces the development provider's sample people. */
  readonly devPeople: readonly DevelopmentPerson[] | undefined;
  /** OpenTelemetry's own variables; undefined if they do not enable tracing. */
  readonly tracing: Readonly<Record<string, string>> | undefined;
  /** Settings that are valid but probably not what was meant. */
  readonly warnings: readonly ConfigFault[];
};

export type DatabaseSettings =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly poolSize: number };

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuth: 'basic' | 'post' | 'none' | 'private_key_jwt';
  /** Set only for private_key_jwt. */
  readonly assertion?: AssertionSettings | undefined;
  /** Whether to push authorization requests even if the provider does not require it. */
  readonly pushesRequests?: boolean;
  /** Whether calls carry proofs of possession (RFC 9449). An access token that is not bound to the key is refused. */
  readonly usesDpop?: boolean;
  readonly profile?: Profile;
  readonly allowHttp: boolean;
  /** The only algorithm accepted for ID and logout tokens. If undefined, those that discovery announces are accepted. */
  readonly signingAlg: SigningAlg | undefined;
}

/** How strong and how recent an authentication at the provider must be. */
export interface AuthenticationNeed {
  /** The accepted classes (`acr`). */
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
  // No broken rule is reported for a variable that is already reported as unreadable or invalid.
  const broken = findBrokenRules(values, env.PGHOST).filter((rule) =>
    invalid.every(({ variable }) => variable !== rule.variable),
  );
  if (invalid.length + broken.length > 0) throw new ConfigError([...invalid, ...broken].map(files.underGivenName));
  const config = assemble(values as Variables, client.assertion, isTerminal);
  const warnings = [...findWarnings(env, config), ...findAssertionWarnings(config, now)];
  const instance = values.INSTANCE_NAME ?? hostname();
  return Object.freeze({ ...config, instance, devPeople: people, tracing: readTracing(env), warnings });
}

/** Secrets that may come from files (such as SECRET_KEY_FILE), because service managers provide secrets as files. */
const secretNames = [
  'DATABASE_URL',
  'SECRET_KEY',
  'NEW_SECRET_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies (keyof Variables)[];

/** Returns the environment with the secrets from the files. A fault names the variable of the secret, without `_FILE`. */
function readSecretFiles(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string | undefined> = { ...env };
  const faults: ConfigFault[] = [];
  const given = secretNames.filter((name) => env[`${name}_FILE`]);
  for (const name of given) {
    const file = env[name]
      ? { fault: `must not be set together with ${name}` }
      : readBoundedFile(env[`${name}_FILE`] ?? '');
    if ('fault' in file) faults.push({ variable: name, fault: file.fault });
    else values[name] = file.text;
  }
  /** Reports a fault under the name that the operator set: with `_FILE` if the secret is in a file. */
  const underGivenName = ({ variable, fault }: ConfigFault): ConfigFault => ({
    variable: given.some((name) => name === variable) ? `${variable}_FILE` : variable,
    fault,
  });
  return { values, faults, underGivenName };
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

function assemble(values: Variables, assertion: AssertionSettings | undefined, isTerminal: boolean) {
  const publicUrl = new URL(values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).href.replace(/\/+$/, '');
  const home = `${publicUrl}/`;
  const [defaultPostLogoutUri = home, ...otherPostLogoutUris] = values.OIDC_POST_LOGOUT_URIS;
  const clientId = values.OIDC_CLIENT_ID ?? 'frontdesk';
  const preset = presets[values.OIDC_PRESET];
  return {
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    /** Without a trailing slash. */
    publicUrl,
    database: readDatabase(values),
    /** Undefined in development, where one is created and kept beside the database. */
    secretKey: values.SECRET_KEY,
    /** Used only by `keys reseal`. */
    newSecretKey: values.NEW_SECRET_KEY,
    /** Undefined if the development identity provider is used. */
    provider: readProvider(values, clientId, assertion, preset),
    /** The issuer that people are stored under, if it differs from the provider's own. */
    peopleIssuer: values.OIDC_ISSUER === undefined ? developmentIssuer : undefined,
    devIdpPort: values.DEV_IDP_PORT,
    clientId,
    scopes: values.OIDC_SCOPES ?? preset.scopes,
    ...readNeeds(values),
    /** The first is the default. */
    redirectUris: distinct(`${publicUrl}/auth/login/callback`, home, ...values.OIDC_REDIRECT_URIS),
    // The first configured address is the default. The address of the console is always allowed.
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
    /** How long the session of a bound sign-in lasts without a renewal, and in total. */
    sessionIdleSeconds: values.SESSION_IDLE_SECONDS,
    sessionMaxSeconds: values.SESSION_MAX_SECONDS,
    /** Whether a session can be renewed only with a refresh token from the provider. */
    renewNeedsProvider: values.RENEW_NEEDS_PROVIDER,
    lookupReadRoles: values.LOOKUP_READ_ROLES,
    /** Roles that may see the lists under /admin and plan changes. LOOKUP_ADMIN_ROLES may do so as well. */
    lookupPlanRoles: values.LOOKUP_PLAN_ROLES,
    lookupAdminRoles: values.LOOKUP_ADMIN_ROLES,
    auditReadRoles: values.AUDIT_READ_ROLES,
    /** Where audit rows are written in addition to the database; undefined if nowhere. */
    auditLog: values.AUDIT_LOG,
    /** Days after which audit rows are removed; 0 means never. */
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    tokenIntrospectRoles: values.TOKEN_INTROSPECT_ROLES,
    /** Whether a caller's issuer may use http on another machine. */
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
    /** Where each request is written as a line; undefined if nowhere. */
    accessLog: values.ACCESS_LOG,
    /** Whether answers contain the header Server-Timing. */
    serverTiming: values.SERVER_TIMING,
  };
}

function readProvider(
  values: Variables,
  clientId: string,
  assertion: AssertionSettings | undefined,
  preset: Preset,
): ProviderSettings | undefined {
  if (values.OIDC_ISSUER === undefined) return undefined;
  return Object.freeze({
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
  });
}

/** The authentication that sign-ins require, and the authentication that changes to lists require. */
function readNeeds(values: Variables): Record<'loginNeed' | 'keepNeed', AuthenticationNeed> {
  const { OIDC_ACR_VALUES, OIDC_MAX_AGE_SECONDS, KEEP_ACR_VALUES, KEEP_MAX_AGE_SECONDS } = values;
  // A class that is accepted for changes is also accepted for sign-ins.
  const acrValues = OIDC_ACR_VALUES && [...new Set([...OIDC_ACR_VALUES, ...(KEEP_ACR_VALUES ?? [])])];
  return {
    loginNeed: { acrValues, maxAgeSeconds: OIDC_MAX_AGE_SECONDS },
    keepNeed: { acrValues: KEEP_ACR_VALUES, maxAgeSeconds: KEEP_MAX_AGE_SECONDS },
  };
}

/** Follows OpenTelemetry's specification: an endpoint enables tracing, and two other variables disable it. */
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
