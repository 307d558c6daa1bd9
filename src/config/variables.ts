// The environment variables, with the valid values and the default of each.
import { z } from 'zod';
import { isPostgresAddress, sessionAttributes } from '../base/postgres-address.ts';
import { presetNames } from './presets.ts';
import { longestSessionSeconds, tokenLifeSeconds } from './token-times.ts';

const tokenAlgs = ['ES256', 'RS256', 'EdDSA'] as const;
export type TokenAlg = (typeof tokenAlgs)[number];

/** Accepted for a provider's tokens. Symmetric algorithms are excluded, because their keys can sign as well as verify. */
export const signingAlgs = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
export type SigningAlg = (typeof signingAlgs)[number];

/** FAPI 2.0 Security Profile section 5.4. Ed25519 is RFC 9864's name for what the profile calls EdDSA. */
const fapiAlgs = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const satisfies readonly SigningAlg[];

export type Profile = 'fapi2' | undefined;

/** The algorithms that the provider's tokens and our assertions may be signed with. */
export function allowedAlgs(profile: Profile): readonly SigningAlg[] {
  return profile === 'fapi2' ? fapiAlgs : signingAlgs;
}

/** A variable, and what is wrong with it. */
export interface ConfigFault {
  variable: string;
  fault: string;
}

export interface Limit {
  /** 0 for no limit. */
  quota: number;
  windowSeconds: number;
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

const roles = list.pipe(z.array(z.string()).min(1, 'must name at least one role'));

export const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http or https address')
  .refine((text) => !/[?#@\s]/.test(text), 'must have no user, query, fragment or spaces');

const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, 'must be at least 32 bytes long');

const absoluteUrl = z.string().refine((text) => URL.canParse(text), 'must be absolute addresses');

const addresses = list.pipe(z.array(absoluteUrl).min(1, 'must name at least one address'));

const boolean = oneOf(['true', 'false']).transform((text) => text === 'true');

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be origins like https://app.example.com, without a path; * is not allowed',
  );

// The classes are sent in a URL and, between quotes, in a header, so only characters that are safe in both are accepted.
const acrValues = list.pipe(
  z
    .array(z.string().regex(/^[!#-[\]-~]+$/, 'must be visible ASCII characters without quotes and backslashes'))
    .min(1, 'must name at least one class'),
);

const longestAuthenticationAge = 2_592_000;

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600 };

const rateLimit = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,8}\/[1-9]\d{0,3}[smh])$/,
    'must be a number of requests and a time, like 60/1m, or 0 for no limit',
  )
  .transform((text): Limit => {
    const [, quota, count, unit = 's'] = /^(\d+)\/(\d+)([smh])$/.exec(text) ?? [];
    return { quota: Number(quota ?? 0), windowSeconds: Number(count ?? 0) * (unitSeconds[unit] ?? 1) };
  });

const roleMap = list.transform((entries, context) => {
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some((pair) => pair.length !== 2 || pair[0] === '')) {
    context.addIssue('must be pairs like theirs=OURS, separated by commas; theirs= drops a role');
    return z.NEVER;
  }
  // With theirs*=OURS, every role of the provider that begins with `theirs`, even one created later, would become OURS.
  if (pairs.some(([theirs = '', ours]) => theirs.endsWith('*') && ours !== '')) {
    context.addIssue('must not rename roles with *: theirs* can only be dropped, as in theirs*=');
    return z.NEVER;
  }
  return new Map(pairs.map(([theirs = '', ours = '']) => [theirs, ours]));
});

const postgresUrl = /^postgres(ql)?:\/\//;
const sslModes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** A file, or an address that PostgreSQL's own tools accept. */
const databaseUrl = z
  .string()
  .refine(
    (text) => /^sqlite:./.test(text) || (postgresUrl.test(text) && isPostgresAddress(text)),
    'must be sqlite:./path/of/a/file.db or postgres://user:password@host/database',
  )
  .transform((text, context) => {
    if (!postgresUrl.test(text)) return text;
    const parameters = new URLSearchParams(text.split('?')[1]);
    const wanted = parameters.get('target_session_attrs');
    if (wanted !== null && !sessionAttributes.includes(wanted)) {
      context.addIssue(`must have one of ${sessionAttributes.join(', ')} as its target_session_attrs`);
      return z.NEVER;
    }
    const mode = parameters.get('sslmode');
    if (mode === null || mode === 'disable' || mode === 'no-verify') return text;
    if (!sslModes.includes(mode)) {
      // prefer and allow would fall back to a connection without TLS.
      context.addIssue(`must have one of ${sslModes.join(', ')} as its sslmode`);
      return z.NEVER;
    }
    // Encryption alone does not prove who the server is, so require and verify-ca are replaced by verify-full.
    return text.replace(/([?&]sslmode=)[^&]*/, '$1verify-full');
  });

/** The issuer that the development provider's people are stored under, since its address changes with its port. */
export const developmentIssuer = 'urn:frontdesk:development';

export const variables = {
  HOST: z.string().default('localhost'),
  PORT: wholeNumber(1, 65535).default(3000),
  PUBLIC_URL: httpUrl.optional(),
  DATABASE_URL: databaseUrl.default('sqlite:./data/frontdesk.db'),
  DATABASE_URL_FILE: z.string().optional(),
  DATABASE_POOL_SIZE: wholeNumber(3, 1000).default(10),
  SECRET_KEY: secret.optional(),
  SECRET_KEY_FILE: z.string().optional(),
  NEW_SECRET_KEY: secret.optional(),
  NEW_SECRET_KEY_FILE: z.string().optional(),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  OIDC_CLIENT_AUTH: oneOf(['basic', 'post', 'none', 'private_key_jwt']).default('basic'),
  OIDC_CLIENT_KEY_FILE: z.string().optional(),
  OIDC_CLIENT_CERTIFICATE_FILE: z.string().optional(),
  OIDC_CLIENT_ASSERTION_FILE: z.string().optional(),
  OIDC_CLIENT_ASSERTION_AUDIENCE: z.url('must be an absolute address').optional(),
  OIDC_PAR: boolean.default(false),
  OIDC_DPOP: boolean.default(false),
  OIDC_PROFILE: oneOf(['fapi2']).optional(),
  OIDC_SCOPES: z
    .string()
    .regex(/(^| )openid( |$)/, 'must be scopes separated by spaces, including openid')
    .optional(),
  OIDC_PRESET: oneOf(presetNames).default('generic'),
  OIDC_SIGNING_ALG: oneOf(signingAlgs).optional(),
  OIDC_ACR_VALUES: acrValues.optional(),
  OIDC_MAX_AGE_SECONDS: wholeNumber(0, longestAuthenticationAge).optional(),
  OIDC_POST_LOGOUT_URIS: addresses.default([]),
  OIDC_REDIRECT_URIS: addresses.default([]),
  OIDC_ALLOW_HTTP: boolean.default(false),
  ALLOW_PLAINTEXT: boolean.default(false),
  EMPLOYEE_ID_CLAIM: list.pipe(z.array(z.string()).min(1, 'must name at least one claim')).optional(),
  ROLE_CLAIMS: list.optional(),
  ROLE_MAP: roleMap.default(new Map()),
  REQUIRE_BOUND_LOGIN: boolean.default(false),
  DEV_IDP_PORT: wholeNumber(1, 65535).optional(),
  DEV_PEOPLE: z.string().optional(),
  TOKEN_ALG: oneOf(tokenAlgs).default('ES256'),
  TOKEN_TTL_SECONDS: wholeNumber(tokenLifeSeconds.shortest, tokenLifeSeconds.longest).default(tokenLifeSeconds.default),
  TOKEN_AUDIENCE: z.string().optional(),
  KEY_ROTATION_DAYS: wholeNumber(1, 3650).default(90),
  SESSION_IDLE_SECONDS: wholeNumber(1, longestSessionSeconds).default(3600),
  SESSION_MAX_SECONDS: wholeNumber(1, longestSessionSeconds).default(43_200),
  RENEW_NEEDS_PROVIDER: boolean.default(true),
  LOOKUP_READ_ROLES: list.default([]),
  LOOKUP_PLAN_ROLES: roles.default(['LOOKUP_PLANNER']),
  LOOKUP_ADMIN_ROLES: roles.default(['LOOKUP_ADMIN']),
  AUDIT_READ_ROLES: roles.default(['AUDITOR']),
  AUDIT_LOG: oneOf(['stdout']).optional(),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  TOKEN_INTROSPECT_ROLES: roles.default(['TOKEN_INTROSPECTOR']),
  KEEP_ACR_VALUES: acrValues.optional(),
  KEEP_MAX_AGE_SECONDS: wholeNumber(1, longestAuthenticationAge).optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)).default([]),
  RATE_LIMIT_LOGIN: rateLimit.default({ quota: 60, windowSeconds: 60 }),
  RATE_LIMIT_API: rateLimit.default({ quota: 6000, windowSeconds: 60 }),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  WORKERS: wholeNumber(1, 256).default(1),
  STALE_LIMIT_SECONDS: wholeNumber(0, 86_400).default(300),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  LOG_FORMAT: oneOf(['json', 'pretty']).optional(),
  ACCESS_LOG: oneOf(['stdout']).optional(),
  SERVER_TIMING: boolean.default(false),
  INSTANCE_NAME: z
    .string()
    .regex(/^[!-~]{1,255}$/, 'must have 1 to 255 visible ASCII characters, without spaces')
    .optional(),
  // A misspelt "production" must not silently mean development.
  NODE_ENV: oneOf(['production', 'development', 'test']).optional(),
};

/** The parsed value of each variable. */
export type Variables = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]> };
