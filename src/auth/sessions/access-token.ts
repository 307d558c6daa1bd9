// Frontdesk's own access token: RFC 9068, signed here and checked here.
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { RecentMap } from '../../base/recent-map.ts';
import { longestLeadSeconds, ownClockToleranceSeconds, tokenLifeSeconds } from '../../config/token-times.ts';
import { bearerHeader, type Principal } from '../../http/access.ts';
import { Problem } from '../../http/problem.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { VerificationKey } from '../keys/stored-keys.ts';
import { type Authentication, callerSubject, isCallerSubject } from '../provider/claims.ts';
import { authenticationClaims } from './authentication.ts';

export interface TokenSubject {
  employeeId: string;
  /** The ID of the session. */
  sid: string;
  roles: readonly string[];
  authentication: Authentication;
}

interface CallerSubject {
  id: string;
  name: string;
  roles: readonly string[];
}

interface TokenTimes {
  from: Date;
  until: Date;
}

interface AccessTokenOptions {
  issuer: string;
  audience: string;
  clientId: string;
  keys: SigningKeys;
  clock: () => number;
}

// The remembered tokens take up to 100 MB. If more people than this are active at once, some tokens are verified again
// (docs/performance.md).
const rememberedTokens = 10_000;

const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens({ issuer, audience, clientId, keys, clock }: AccessTokenOptions) {
  /** Verified tokens, by Authorization header. Expiry, removed keys and ended sessions are still checked on every request. */
  const verified = new RecentMap<{ principal: Principal; key: VerificationKey }>(rememberedTokens);

  const checks = { remembered: 0, verified: 0, refused: 0 };

  async function verify(token: string): Promise<Principal> {
    // Stricter than the library, which accepts padding and white space.
    try {
      if (!compactForm.test(token)) throw new Problem('invalid-token');
      const { payload, key } = await verifySignatureAndClaims(token);
      const principal = principalOf(payload);
      verified.set(bearerHeader(token), { principal, key });
      checks.verified++;
      return principal;
    } catch (error) {
      const refusal = refusalFor(error);
      if (refusal === undefined) throw error;
      checks.refused++;
      throw refusal;
    }
  }

  async function verifySignatureAndClaims(token: string): Promise<{ payload: JWTPayload; key: VerificationKey }> {
    const kid = keyIdOf(token);
    const key = kid === undefined ? undefined : keys.find(kid);
    if (kid === undefined || key === undefined) throw new Problem('invalid-token');
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [key.alg],
      typ: 'at+jwt',
      issuer,
      audience,
      clockTolerance: ownClockToleranceSeconds,
      currentDate: new Date(clock()),
      requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti', 'sid', 'roles'],
    });
    // The key may have been removed while the signature was being verified.
    if (keys.find(kid) === undefined) throw new Problem('invalid-token');
    const { iat = Number.POSITIVE_INFINITY, exp = Number.POSITIVE_INFINITY } = payload;
    if (iat > clock() / 1000 + longestLeadSeconds || exp - iat > tokenLifeSeconds.longest) {
      throw new Problem('invalid-token');
    }
    return { payload, key };
  }

  function sign(claims: JWTPayload, { from, until }: TokenTimes): Promise<string> {
    const times = { iat: secondsOf(from), exp: secondsOf(until) };
    const jti = crypto.randomUUID();
    return keys.active().sign({ ...claims, iss: issuer, aud: audience, ...times, jti }, 'at+jwt');
  }

  return {
    issue({ employeeId: sub, sid, roles, authentication }: TokenSubject, times: TokenTimes): Promise<string> {
      return sign({ client_id: clientId, sub, sid, roles, ...authenticationClaims(authentication) }, times);
    },
    /** Issues a token to a program. Its `sid` is the ID of the program's registration. */
    issueToCaller({ id: sid, name, roles }: CallerSubject, times: TokenTimes): Promise<string> {
      return sign({ client_id: name, sub: callerSubject(name), sid, roles }, times);
    },
    /** Throws if no token can be signed now. Called before a code is redeemed. */
    expectKey: () => void keys.active(),
    /** The principal of credentials that were verified before and have not expired. */
    findVerified(credentials: string, at: number): Principal | undefined {
      const remembered = verified.get(credentials);
      // After the keys are reloaded, each token is verified once more, because its key may have been removed.
      if (remembered === undefined || remembered.key.isOutdated) return undefined;
      const { principal } = remembered;
      if (principal.expiresAt + ownClockToleranceSeconds <= at / 1000) {
        verified.delete(credentials);
        return undefined;
      }
      checks.remembered++;
      return principal;
    },
    verify,
    /** The number of tokens found in memory, verified, and refused. */
    checks: () => checks,
  };
}

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

/** Returns undefined for an error that says nothing about the token. Such an error is a defect. */
function refusalFor(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof errors.JWTExpired) return new Problem('token-expired');
  return error instanceof errors.JOSEError ? new Problem('invalid-token') : undefined;
}

/** Returns undefined for an unreadable header, for which the library throws a plain TypeError. */
function keyIdOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

function principalOf({ sub, sid, roles, exp, auth_time: authTime, acr }: JWTPayload): Principal {
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (!isText(sub) || !isText(sid) || exp === undefined || !Array.isArray(roles) || !roles.every(isText)) {
    throw new Problem('invalid-token');
  }
  return {
    employeeId: sub,
    isPerson: !isCallerSubject(sub),
    sessionId: sid,
    roles,
    expiresAt: exp,
    authTime: typeof authTime === 'number' ? authTime : undefined,
    acr: isText(acr) ? acr : undefined,
  };
}
