// Settings that are valid but probably not what was meant. They are reported at startup and by `frontdesk check`.
import { closestName } from '../base/closest-name.ts';
import { type ConfigFault, variables } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Addresses = Record<'redirectUris' | 'postLogoutUris' | 'corsOrigins', readonly string[]> & { publicUrl: string };
type Times = Record<'tokenTtlSeconds' | 'sessionIdleSeconds' | 'sessionMaxSeconds', number>;

const names = Object.keys(variables);

export function findWarnings(env: Environment, config: Addresses & Times): ConfigFault[] {
  return [...findMisspelt(env), ...findAddressFaults(config), ...findTimeFaults(env, config)];
}

/** Finds times that have no effect because a shorter limit is reached first. Defaults are not reported. */
function findTimeFaults(env: Environment, { tokenTtlSeconds, sessionIdleSeconds, sessionMaxSeconds }: Times) {
  const longer = [
    ['TOKEN_TTL_SECONDS', tokenTtlSeconds, 'SESSION_IDLE_SECONDS', sessionIdleSeconds],
    ['TOKEN_TTL_SECONDS', tokenTtlSeconds, 'SESSION_MAX_SECONDS', sessionMaxSeconds],
    ['SESSION_IDLE_SECONDS', sessionIdleSeconds, 'SESSION_MAX_SECONDS', sessionMaxSeconds],
  ] as const;
  return longer
    .filter(([variable, seconds, , limit]) => env[variable] && seconds > limit)
    .map(([variable, , other, limit]) => ({
      variable,
      fault: `is longer than ${other} (${limit}), so it has no effect`,
    }));
}

/**
 * Unknown OIDC_ variables are faults, because otherwise a misspelt OIDC_ISSUER would silently select the development
 * provider.
 */
export function findUnknownOidc(env: Environment): ConfigFault[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith('OIDC_') && !Object.hasOwn(variables, name));
  return unknown.map((variable) => {
    const meant = closestName(variable, names, 3);
    return { variable, fault: meant === undefined ? unknownText : didYouMean([meant]) };
  });
}

function findMisspelt(env: Environment): ConfigFault[] {
  return Object.keys(env).flatMap((variable) => {
    const meant = findMeant(variable);
    // If the correct name is set as well, this one belongs to another program.
    return meant.length === 0 || meant.some((name) => env[name]) ? [] : [{ variable, fault: didYouMean(meant) }];
  });
}

/**
 * Finds our names that differ from this one only in separators and case, or by one letter (two in a long name), or that begin
 * with it. Names of one word (HOST, PORT) are left out, because they are too close to common variables such as HOSTNAME and
 * PORTAL.
 */
function findMeant(name: string): string[] {
  if (Object.hasOwn(variables, name) || !/^[\w-]+$/.test(name)) return [];
  const candidates = names.filter((each) => each.includes('_'));
  const same = candidates.filter((each) => plain(each) === plain(name));
  if (same.length > 0) return same;
  const longer = name.includes('_') ? candidates.filter((each) => each.startsWith(`${name}_`)) : [];
  if (longer.length > 0) return longer;
  const near = closestName(name, candidates, 2);
  const isNear = near !== undefined && (near.length >= longName || closestName(name, [near], 1) !== undefined);
  return isNear ? [near] : [];
}

/**
 * In names of at least this length, two letters may differ. More than the length of DATABASE_URL, because DATABASE_SSL, which
 * differs from it in two letters, is a common variable.
 */
const longName = 16;
const plain = (name: string) => name.replaceAll(/[_-]/g, '').toUpperCase();
const unknownText = 'is not a Frontdesk variable';
const didYouMean = (meant: readonly string[]) => `${unknownText}: did you mean ${meant.join(' or ')}?`;

function findAddressFaults({ publicUrl, redirectUris, postLogoutUris, corsOrigins }: Addresses): ConfigFault[] {
  const slashless = (variable: string, uris: readonly string[]) =>
    uris.filter(lacksSlash).map((uri) => {
      const fault = `${uri} has no path: a browser sends ${uri}/, and addresses are compared character by character`;
      return { variable, fault };
    });
  const callers = new Set([new URL(publicUrl).origin, ...corsOrigins]);
  const origins = redirectUris.filter(isWebAddress).map((uri) => new URL(uri).origin);
  const otherOrigins = [...new Set(origins)].filter((origin) => !callers.has(origin));
  return [
    ...slashless('OIDC_REDIRECT_URIS', redirectUris),
    ...slashless('OIDC_POST_LOGOUT_URIS', postLogoutUris),
    ...otherOrigins.map((origin) => {
      const fault = `pages from ${origin} may not call Frontdesk, because CORS_ORIGINS does not name that origin`;
      return { variable: 'OIDC_REDIRECT_URIS', fault };
    }),
  ];
}

const isWebAddress = (uri: string) => /^https?:/i.test(uri);
const lacksSlash = (uri: string) => isWebAddress(uri) && new URL(uri).origin === uri.toLowerCase();
