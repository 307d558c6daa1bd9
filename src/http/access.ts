// Who may call a route. Every route declares its access, and one function enforces it.
import type { AuthenticationNeed } from '../config/config.ts';
import { providerClockToleranceSeconds } from '../config/token-times.ts';
import { bearerChallenge, Problem } from './problem.ts';

/** The calling person or program, according to the access token. */
export interface Principal extends Strength {
  /** For a program, `caller:` and its name. */
  readonly employeeId: string;
  readonly isPerson: boolean;
  readonly sessionId: string;
  readonly roles: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export type Access =
  | { readonly kind: 'anyone' }
  | {
      readonly kind: 'signed-in';
      readonly anyOf: readonly string[];
      readonly acceptsEndedSession: boolean;
      readonly onlyPeople: boolean;
      readonly need: AuthenticationNeed | undefined;
      readonly check: AccessCheck | undefined;
    };

/** Checks rights that depend on the path. Throws a Problem. Never asynchronous. */
export type AccessCheck = (principal: Principal, params: Readonly<Record<string, string>>) => void;

export const anyone = { kind: 'anyone' } as const satisfies Access;
export const signedIn = {
  kind: 'signed-in',
  anyOf: [],
  acceptsEndedSession: false,
  onlyPeople: false,
  need: undefined,
  check: undefined,
} as const satisfies Access;
/** Access for routes about a person's own details and sessions. */
export const signedInPerson = { ...signedIn, onlyPeople: true } as const satisfies Access;
/** For logout, which is idempotent, so ending a session that has already ended is not an error. */
export const signedInOrEnded = { ...signedInPerson, acceptsEndedSession: true } as const satisfies Access;
/** Requires a sign-in as strong and recent as `need` says, and one of these roles (none if the list is empty). */
export const withAnyRole = (anyOf: readonly string[], need?: AuthenticationNeed) =>
  ({ ...signedIn, anyOf, need }) as const satisfies Access;

/** Requires a sign-in as strong and recent as `need` says, and that this check passes. */
export const checkedBy = (check: AccessCheck, need?: AuthenticationNeed) =>
  ({ ...signedIn, check, need }) as const satisfies Access;

export interface Authenticator {
  /** The principal of these credentials (`Bearer …`), if the token was verified before and has not expired. */
  findVerified(credentials: string, at: number): Principal | undefined;
  /** Rejects with `token-expired` or `invalid-token`. */
  verify(token: string): Promise<Principal>;
  hasEnded(sessionId: string): boolean;
  /** Whether the storage has been unavailable for so long that ended sessions may be unknown here. */
  isStale(): boolean;
}

/** The parts of a request that access depends on. */
interface Arrival {
  headers: Headers;
  search: string;
  at: number;
  params: Readonly<Record<string, string>>;
}

export type SignedIn = Extract<Access, { kind: 'signed-in' }>;

/** Returns the principal, or a promise of it if the token was not verified before. Throws or rejects with a Problem. */
export function authorize(
  arrival: Arrival,
  access: SignedIn,
  authenticator: Authenticator,
): Principal | Promise<Principal> {
  const { headers, search, at } = arrival;
  const credentials = headers.get('authorization');
  if (credentials === null) throw new Problem('unauthorized');
  // Looked up by the whole header, because parsing it first would account for most of the cost of a request.
  let principal = authenticator.findVerified(credentials, at);
  const token = principal === undefined ? readBearer(credentials) : '';
  if (hasQueryToken(search)) throw ambiguousRequest();
  if (authenticator.isStale()) throw new Problem('storage-unavailable');
  // Tokens are stored under one spelling of the header. Otherwise a client could fill the memory with different spellings.
  principal ??= authenticator.findVerified(bearerHeader(token), at);
  return principal === undefined
    ? verifyFirst(token, access, authenticator, arrival)
    : permit(principal, access, authenticator, arrival.params, at);
}

async function verifyFirst(
  token: string,
  access: SignedIn,
  authenticator: Authenticator,
  arrival: Arrival,
): Promise<Principal> {
  return permit(await authenticator.verify(token), access, authenticator, arrival.params, arrival.at);
}

/** The Authorization header with this token, in its usual spelling. */
export const bearerHeader = (token: string) => `Bearer ${token}`;

/** Throws a Problem if this principal may not call a route with this access. */
export function permit(
  principal: Principal,
  access: SignedIn,
  authenticator: Authenticator,
  params: Arrival['params'],
  at: number,
): Principal {
  if (!access.acceptsEndedSession && authenticator.hasEnded(principal.sessionId)) throw new Problem('invalid-token');
  if (access.anyOf.length > 0 && !hasAnyRole(principal, access.anyOf)) throw new Problem('forbidden');
  access.check?.(principal, params);
  if (access.onlyPeople && !principal.isPerson) throw new Problem('not-a-person');
  // Programs have no second factor, so only their roles count.
  if (access.need !== undefined && principal.isPerson) requireStrength(principal, access.need, at);
  return principal;
}

/** RFC 9470 section 3: the challenge says what a new sign-in has to request. */
function requireStrength(principal: Principal, need: AuthenticationNeed, at: number): void {
  const shortfall = findShortfall(principal, need, at);
  if (shortfall === undefined) return;
  const kind = shortfall === 'acr' ? 'stronger' : 'more recent';
  const parameters = [
    `error="insufficient_user_authentication", error_description="A ${kind} sign-in is needed"`,
    ...(need.acrValues === undefined ? [] : [`acr_values="${need.acrValues.join(' ')}"`]),
    ...(need.maxAgeSeconds === undefined ? [] : [`max_age="${need.maxAgeSeconds}"`]),
  ];
  throw new Problem('stronger-sign-in-needed', {
    headers: { 'WWW-Authenticate': bearerChallenge(`, ${parameters.join(', ')}`) },
  });
}

export function hasAnyRole({ roles }: Principal, anyOf: readonly string[]): boolean {
  return anyOf.some((role) => roles.includes(role));
}

const bearer = /^Bearer +([^\s,]+)$/i;
const severalCredentials = /^Bearer .*,|, *Bearer /i;

/** RFC 6750: the token is sent once, in the Authorization header and nowhere else. */
function readBearer(credentials: string): string {
  const token = bearer.exec(credentials)?.[1];
  if (token !== undefined) return token;
  throw severalCredentials.test(credentials) ? ambiguousRequest() : new Problem('unauthorized');
}

function ambiguousRequest(): Problem {
  return new Problem('invalid-request', {
    headers: { 'WWW-Authenticate': bearerChallenge(', error="invalid_request"') },
  });
}

function hasQueryToken(search: string): boolean {
  return search !== '' && new URLSearchParams(search).has('access_token');
}

export interface Strength {
  /** When the person authenticated, in seconds since 1970 by the provider's clock; undefined if unknown. */
  readonly authTime?: number | undefined;
  /** The class of the authentication (`acr`); undefined if unknown. */
  readonly acr?: string | undefined;
}

/** Returns what does not meet the need; undefined if everything does. `at` is in milliseconds since 1970. */
export function findShortfall(
  { authTime, acr }: Strength,
  { acrValues, maxAgeSeconds }: AuthenticationNeed,
  at: number,
): 'acr' | 'auth_time' | undefined {
  if (acrValues !== undefined && (acr === undefined || !acrValues.includes(acr))) return 'acr';
  if (maxAgeSeconds === undefined) return undefined;
  if (authTime === undefined) return 'auth_time';
  const age = at / 1000 - authTime;
  // A time in the future (or in milliseconds) would stay recent forever.
  const isRecent = age >= -providerClockToleranceSeconds && age <= maxAgeSeconds + providerClockToleranceSeconds;
  return isRecent ? undefined : 'auth_time';
}
