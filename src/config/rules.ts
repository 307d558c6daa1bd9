// Rules that involve several variables, each of which is valid on its own.
import { isLoopback } from '../base/loopback.ts';
import { readPostgresAddress } from '../base/postgres-address.ts';
import { profileSettings } from './presets.ts';
import { allowedAlgs, type ConfigFault, type Variables } from './variables.ts';

type Rule = [variable: keyof Variables, isBroken: boolean, fault: string];

/** Faults are reported in this order. */
function checkRules(values: Partial<Variables>, defaultHost: string | undefined): Rule[] {
  const { PORT, METRICS_PORT, DEV_IDP_PORT, WORKERS = 1, ALLOW_PLAINTEXT } = values;
  const isProduction = values.NODE_ENV === 'production';
  const publicUrl = parseUrl(values.PUBLIC_URL);
  const issuer = parseUrl(values.OIDC_ISSUER);
  const isDevelopmentProvider = issuer === undefined && !isProduction;
  const remoteHost = [values.HOST, publicUrl?.hostname].find((name) => name !== undefined && !isLoopback(name));
  const { OIDC_CLIENT_KEY_FILE: keyFile, OIDC_CLIENT_ASSERTION_FILE: assertionFile } = values;
  const sendsAssertions = values.OIDC_CLIENT_AUTH === 'private_key_jwt';
  const needsSecret = !sendsAssertions && values.OIDC_CLIENT_AUTH !== 'none';
  const lacksSecret = needsSecret && values.OIDC_CLIENT_SECRET === undefined;
  const forAssertions = 'needs OIDC_CLIENT_AUTH=private_key_jwt';
  const forKey = 'needs OIDC_CLIENT_KEY_FILE';
  const onlyLoopback = 'the development provider only runs on a loopback address';
  const oneProcess = 'the development provider runs in one process only';
  const permits = '(ALLOW_PLAINTEXT=true permits it)';

  return [
    ['SECRET_KEY', isProduction && values.SECRET_KEY === undefined, 'is required in production'],
    ['OIDC_ISSUER', isProduction && issuer === undefined, 'is required in production'],
    ['PUBLIC_URL', isProduction && publicUrl === undefined, 'is required in production'],
    [
      'OIDC_ISSUER',
      isDevelopmentProvider && remoteHost !== undefined,
      `is required: ${onlyLoopback}, and ${remoteHost} is not one`,
    ],
    ['OIDC_CLIENT_ID', !isDevelopmentProvider && values.OIDC_CLIENT_ID === undefined, 'is required with OIDC_ISSUER'],
    [
      'OIDC_CLIENT_SECRET',
      !isDevelopmentProvider && lacksSecret,
      'is required unless OIDC_CLIENT_AUTH is none or private_key_jwt',
    ],
    // Entra ID finds a key by its registered certificate, and reads no keys from an address.
    [
      'OIDC_CLIENT_KEY_FILE',
      values.OIDC_PRESET === 'entra' && sendsAssertions && keyFile === undefined && assertionFile === undefined,
      'or OIDC_CLIENT_ASSERTION_FILE is required for private_key_jwt with OIDC_PRESET=entra',
    ],
    ['OIDC_CLIENT_KEY_FILE', keyFile !== undefined && !sendsAssertions, forAssertions],
    ['OIDC_CLIENT_ASSERTION_FILE', assertionFile !== undefined && !sendsAssertions, forAssertions],
    [
      'OIDC_CLIENT_ASSERTION_FILE',
      assertionFile !== undefined && keyFile !== undefined,
      'must not be set together with OIDC_CLIENT_KEY_FILE',
    ],
    [
      'OIDC_CLIENT_CERTIFICATE_FILE',
      values.OIDC_CLIENT_CERTIFICATE_FILE !== undefined && keyFile === undefined,
      forKey,
    ],
    [
      'OIDC_CLIENT_ASSERTION_AUDIENCE',
      values.OIDC_CLIENT_ASSERTION_AUDIENCE !== undefined && !sendsAssertions,
      forAssertions,
    ],
    [
      'OIDC_CLIENT_ASSERTION_AUDIENCE',
      values.OIDC_CLIENT_ASSERTION_AUDIENCE !== undefined && assertionFile !== undefined,
      'must not be set together with OIDC_CLIENT_ASSERTION_FILE',
    ],
    [
      'OIDC_ISSUER',
      isRemoteHttp(issuer) && !values.OIDC_ALLOW_HTTP,
      'must be https (OIDC_ALLOW_HTTP=true permits http)',
    ],
    // If a profile is set, the profile's own rules report that the issuer is missing.
    ['OIDC_DPOP', values.OIDC_DPOP === true && !values.OIDC_PROFILE && issuer === undefined, 'needs OIDC_ISSUER'],
    ['METRICS_PORT', METRICS_PORT !== undefined && METRICS_PORT === PORT, 'must differ from PORT'],
    ['WORKERS', WORKERS > 1 && issuer === undefined, `above 1 needs OIDC_ISSUER: ${oneProcess}`],
    [
      'DEV_IDP_PORT',
      issuer === undefined && DEV_IDP_PORT !== undefined && DEV_IDP_PORT === PORT,
      'must differ from PORT',
    ],
    [
      'DEV_PEOPLE',
      values.DEV_PEOPLE !== undefined && !isDevelopmentProvider,
      'is for the development provider, which is not used with OIDC_ISSUER or in production',
    ],
    // Tokens and personal details never cross a network unencrypted, neither to browsers nor to the database.
    ['PUBLIC_URL', isRemoteHttp(publicUrl) && !ALLOW_PLAINTEXT, `must be https ${permits}`],
    [
      'DATABASE_URL',
      !isPrivateConnection(values.DATABASE_URL, defaultHost) && !ALLOW_PLAINTEXT,
      `must have sslmode=verify-full if the database is on another machine ${permits}`,
    ],
    ...(values.OIDC_PROFILE === 'fapi2' ? checkProfile(values, publicUrl) : []),
  ];
}

/** The rules of the FAPI 2.0 Security Profile. */
function checkProfile(values: Partial<Variables>, publicUrl: URL | undefined): Rule[] {
  const { OIDC_SIGNING_ALG: alg, OIDC_CLIENT_ASSERTION_AUDIENCE: audience } = values;
  const within = 'with OIDC_PROFILE=fapi2';
  const algs = allowedAlgs('fapi2');
  const settings = Object.entries(profileSettings) as [keyof typeof profileSettings, string][];
  return [
    ['OIDC_PROFILE', values.OIDC_ISSUER === undefined, 'needs OIDC_ISSUER'],
    ...settings.map(([name, wanted]): Rule => [name, String(values[name]) !== wanted, `must be ${wanted} ${within}`]),
    [
      'OIDC_CLIENT_ASSERTION_FILE',
      values.OIDC_CLIENT_ASSERTION_FILE !== undefined,
      `must not be set ${within}: Frontdesk has to sign assertions itself`,
    ],
    ['OIDC_CLIENT_ASSERTION_AUDIENCE', audience !== undefined, `must not be set ${within}: the audience is the issuer`],
    ['OIDC_SIGNING_ALG', alg !== undefined && !algs.includes(alg), `must be one of ${algs.join(', ')} ${within}`],
    ['OIDC_ALLOW_HTTP', values.OIDC_ALLOW_HTTP === true, `must not be true ${within}`],
    ['PUBLIC_URL', isRemoteHttp(publicUrl) && values.ALLOW_PLAINTEXT === true, `must be https ${within}`],
  ];
}

/** `defaultHost` is used for a DATABASE_URL that names no host. */
export function findBrokenRules(values: Partial<Variables>, defaultHost: string | undefined): ConfigFault[] {
  const broken = checkRules(values, defaultHost).filter(([, isBroken]) => isBroken);
  return broken.map(([variable, , fault]) => ({ variable, fault }));
}

const parseUrl = (text: string | undefined) => (text === undefined ? undefined : new URL(text));
const isRemoteHttp = (url: URL | undefined) => url?.protocol === 'http:' && !isLoopback(url.hostname);

/** Whether the connection stays on this machine, or is encrypted and verifies the server (no-verify would accept any server). */
function isPrivateConnection(databaseUrl = 'sqlite:', defaultHost: string | undefined): boolean {
  if (databaseUrl.startsWith('sqlite:')) return true;
  return readPostgresAddress(databaseUrl).urls.every((url) => {
    const { hostname, searchParams } = new URL(url);
    const host = searchParams.get('host') || decodeURIComponent(hostname) || defaultHost || 'localhost';
    // A path is a socket in the file system.
    if (host.startsWith('/') || isLoopback(host)) return true;
    const mode = searchParams.get('sslmode');
    return mode === null ? ['true', '1'].includes(searchParams.get('ssl') ?? '') : mode === 'verify-full';
  });
}
