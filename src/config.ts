// The environment as a frozen Config. Every fault is found before any is reported.
import { z } from 'zod';
import { isLoopback } from './loopback.ts';

export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly databaseFile: string;
  /** Absent in development: made once and kept beside the database. */
  readonly secretKey: string | undefined;
  /** Absent: the development identity provider. */
  readonly provider: ProviderSettings | undefined;
  /** Under which issuer people are recorded, where it is not the provider's own name. */
  readonly peopleIssuer: string | undefined;
  readonly devIdpPort: number | undefined;
  readonly clientId: string;
  readonly scopes: string;
  /** The first is the default. */
  readonly redirectUris: readonly [string, ...string[]];
  readonly requireBoundLogin: boolean;
  readonly employeeIdClaims: readonly string[];
  readonly roleClaims: readonly string[];
  readonly roleMap: ReadonlyMap<string, string>;
  readonly tokenAlg: TokenAlg;
  readonly tokenTtlSeconds: number;
  readonly tokenAudience: string;
  readonly lookupReadRoles: readonly string[];
  readonly logLevel: string;
  readonly logFormat: 'json' | 'pretty';
}

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientAuth: 'basic' | 'post' | 'none';
  readonly allowHttp: boolean;
}

const tokenAlgs = ['ES256', 'RS256', 'EdDSA'] as const;
export type TokenAlg = (typeof tokenAlgs)[number];

export interface ConfigFault {
  variable: string;
  fault: string;
}

export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ variable, fault }) => `${variable}: ${fault}`).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .pipe(z.number().min(from, `must be ${from} or more`).max(to, `must be ${to} or less`));

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https address')
  .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment');

const absoluteUrl = z.string().refine((text) => URL.canParse(text), 'must be absolute addresses');

const boolean = oneOf(['true', 'false']).transform((text) => text === 'true');

const roleMap = list.transform((entries, context) => {
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some((pair) => pair.length !== 2 || pair[0] === '')) {
    context.addIssue('must be pairs like theirs=OURS, separated by commas; theirs= drops a role');
    return z.NEVER;
  }
  return new Map(pairs.map(([theirs = '', ours = '']) => [theirs, ours]));
});

const variables = {
  HOST: z.string().default('localhost'),
  PORT: wholeNumber(1, 65535).default(3000),
  PUBLIC_URL: httpUrl.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^sqlite:./, 'must be sqlite: and the path of a file, like sqlite:./data/frontdesk.db')
    .default('sqlite:./data/frontdesk.db'),
  SECRET_KEY: z
    .string()
    .refine((text) => Buffer.byteLength(text) >= 32, 'must be at least 32 bytes long')
    .optional(),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_AUTH: oneOf(['basic', 'post', 'none']).default('basic'),
  OIDC_SCOPES: z
    .string()
    .regex(/(^| )openid( |$)/, 'must be scopes separated by blanks, openid among them')
    .default('openid profile email phone'),
  OIDC_REDIRECT_URIS: list.pipe(z.array(absoluteUrl).min(1, 'must name at least one address')).optional(),
  OIDC_ALLOW_HTTP: boolean.default(false),
  EMPLOYEE_ID_CLAIM: list.pipe(z.array(z.string()).min(1, 'must name at least one claim')).default(['sub']),
  ROLE_CLAIMS: list.default(['/roles', '/realm_access/roles', '/groups', '/urn:zitadel:iam:org:project:roles']),
  ROLE_MAP: roleMap.default(new Map()),
  REQUIRE_BOUND_LOGIN: boolean.default(false),
  DEV_IDP_PORT: wholeNumber(1, 65535).optional(),
  TOKEN_ALG: oneOf(tokenAlgs).default('ES256'),
  TOKEN_TTL_SECONDS: wholeNumber(60, 86_400).default(3600),
  TOKEN_AUDIENCE: z.string().optional(),
  LOOKUP_READ_ROLES: list.default([]),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  LOG_FORMAT: oneOf(['json', 'pretty']).optional(),
  NODE_ENV: z.string().optional(),
};

type Variables = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]> };

/** Throws a ConfigError with every fault. A variable that is set to nothing counts as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, isTerminal = false): Config {
  const { values, faults } = readVariables(env);
  faults.push(...findContradictions(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return assemble(values as Variables, isTerminal);
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

/** What is wrong between the variables that were each right by themselves. */
function findContradictions(values: Partial<Variables>): ConfigFault[] {
  const faults: ConfigFault[] = [];
  const production = values.NODE_ENV === 'production';
  const publicUrl = values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL);
  const issuer = values.OIDC_ISSUER === undefined ? undefined : new URL(values.OIDC_ISSUER);

  if (production && values.SECRET_KEY === undefined) {
    faults.push({ variable: 'SECRET_KEY', fault: 'is required in production' });
  }
  if (production && issuer === undefined) {
    faults.push({ variable: 'OIDC_ISSUER', fault: 'is required in production' });
  }
  if (production && publicUrl === undefined) {
    faults.push({ variable: 'PUBLIC_URL', fault: 'is required in production' });
  }
  if (production && publicUrl?.protocol === 'http:' && !isLoopback(publicUrl.hostname)) {
    faults.push({ variable: 'PUBLIC_URL', fault: 'must be https in production' });
  }
  if (!production && issuer === undefined) {
    const outside = [values.HOST, publicUrl?.hostname].find((name) => name !== undefined && !isLoopback(name));
    if (outside !== undefined) {
      const fault = `is required: the development provider only runs on a loopback address, and ${outside} is none`;
      faults.push({ variable: 'OIDC_ISSUER', fault });
    }
  }
  if (issuer !== undefined) {
    if (values.OIDC_CLIENT_ID === undefined) {
      faults.push({ variable: 'OIDC_CLIENT_ID', fault: 'is required with OIDC_ISSUER' });
    }
    if (values.OIDC_CLIENT_SECRET === undefined && values.OIDC_CLIENT_AUTH !== 'none') {
      faults.push({ variable: 'OIDC_CLIENT_SECRET', fault: 'is required unless OIDC_CLIENT_AUTH is none' });
    }
    if (issuer.protocol === 'http:' && !isLoopback(issuer.hostname) && values.OIDC_ALLOW_HTTP === false) {
      faults.push({ variable: 'OIDC_ISSUER', fault: 'must be https (OIDC_ALLOW_HTTP=true permits http)' });
    }
  }
  return faults;
}

function assemble(values: Variables, isTerminal: boolean): Config {
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '');
  const clientId = values.OIDC_CLIENT_ID ?? 'frontdesk';
  const [firstRedirect, ...otherRedirects] = values.OIDC_REDIRECT_URIS ?? [];
  return Object.freeze({
    production: values.NODE_ENV === 'production',
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    databaseFile: values.DATABASE_URL.slice('sqlite:'.length),
    secretKey: values.SECRET_KEY,
    provider:
      values.OIDC_ISSUER === undefined
        ? undefined
        : Object.freeze({
            issuer: values.OIDC_ISSUER,
            clientId,
            clientSecret: values.OIDC_CLIENT_SECRET,
            clientAuth: values.OIDC_CLIENT_AUTH,
            allowHttp: values.OIDC_ALLOW_HTTP || isLoopback(new URL(values.OIDC_ISSUER).hostname),
          }),
    // The development provider's address changes with its port; its people stay the same.
    peopleIssuer: values.OIDC_ISSUER === undefined ? 'urn:frontdesk:development' : undefined,
    devIdpPort: values.DEV_IDP_PORT,
    clientId,
    scopes: values.OIDC_SCOPES,
    redirectUris:
      firstRedirect === undefined
        ? ([`${publicUrl}/auth/login/callback`, `${publicUrl}/`] as const)
        : ([firstRedirect, ...otherRedirects] as const),
    requireBoundLogin: values.REQUIRE_BOUND_LOGIN,
    employeeIdClaims: values.EMPLOYEE_ID_CLAIM,
    roleClaims: values.ROLE_CLAIMS,
    roleMap: values.ROLE_MAP,
    tokenAlg: values.TOKEN_ALG,
    tokenTtlSeconds: values.TOKEN_TTL_SECONDS,
    tokenAudience: values.TOKEN_AUDIENCE ?? publicUrl,
    lookupReadRoles: values.LOOKUP_READ_ROLES,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
  });
}
