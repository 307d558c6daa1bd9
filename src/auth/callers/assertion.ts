// Checks the assertion of a caller: the rules of RFC 7523 section 3, and a maximum lifetime.
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { callerAssertionSeconds, providerClockToleranceSeconds } from '../../config/token-times.ts';
import { signingAlgs } from '../../config/variables.ts';
import { Problem } from '../../http/problem.ts';
import type { ProblemCode } from '../../http/problem-table.ts';
import type { Claims } from '../provider/claims.ts';
import { verifySigned } from '../provider/tokens.ts';
import type { RegisteredCaller } from './caller.queries.ts';
import type { Callers } from './callers.ts';
import type { IssuerKeys } from './issuer-keys.ts';

interface AssertionOptions {
  callers: Callers;
  issuerKeys: IssuerKeys;
  publicUrl: string;
  now: () => Date;
}

export interface VerifiedAssertion {
  caller: RegisteredCaller;
  /** Set only if the caller signed the assertion itself. Such an assertion works only once. */
  jti: string | undefined;
}

/** Three base64url parts. The library would also accept padding and white space. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Throws `assertion-rejected`, or a problem with fetching the issuer's keys. */
export async function verifyAssertion(
  assertion: string,
  { callers, issuerKeys, publicUrl, now }: AssertionOptions,
): Promise<VerifiedAssertion> {
  const { iss, sub, kid } = readUnverified(assertion);
  // Refused even if this service is registered as an issuer, because anyone with one of its tokens could get new ones
  // forever.
  if (iss === publicUrl) throw rejected('it is a token of this service');
  const caller = callers.find(iss, sub);
  // Checked before anything is fetched, so that a stranger's assertion causes no outgoing call.
  if (caller === undefined) throw rejected('no caller is registered with its issuer and subject');
  const { name, proof, audience = publicUrl } = caller;
  const isOwn = proof.kind === 'own-key';
  const finders = isOwn
    ? finderForEach(proof.keys, kid)
    : [proof.keys === undefined ? issuerKeys.finderFor(proof) : createLocalJWKSet({ keys: [...proof.keys] })];
  const checks = {
    algorithms: [...signingAlgs],
    issuer: iss,
    subject: sub,
    audience,
    currentDate: now(),
    requiredClaims: ['exp', ...(isOwn ? ['jti'] : [])],
  };
  const verify = (find: JWTVerifyGetKey) => verifySigned(assertion, find, ['jwt', 'at+jwt'], checks);
  const claims = await firstVerified(finders, verify).catch((error: unknown) => {
    throw aboutCaller(error, name);
  });
  checkTimes(claims, isOwn ? callerAssertionSeconds.ownKey : callerAssertionSeconds.issuer, now());
  return { caller, jti: isOwn ? readJti(claims) : undefined };
}

/** Returns the issuer, subject and key ID that the assertion claims. Nothing is verified yet. */
function readUnverified(assertion: string): { iss: string; sub: string; kid: string | undefined } {
  if (!compactForm.test(assertion)) throw rejected('it is not a signed JWT');
  try {
    const { kid } = decodeProtectedHeader(assertion);
    const { iss, sub } = decodeJwt(assertion);
    if (typeof iss === 'string' && typeof sub === 'string') return { iss, sub, kid };
  } catch {
    // The library throws several kinds of errors if it cannot read the assertion.
  }
  throw rejected('it is not a JWT with an issuer and a subject');
}

/** Maximum number of keys to try. Each costs a signature check of up to 2 ms, which anyone who knows a caller's name can cause. */
const maxTried = 3;

/**
 * Returns a finder for each key that may have signed the assertion. There may be several, because key IDs are optional in
 * assertions and in keys.
 */
function finderForEach(keys: readonly JWK[], kid: string | undefined): JWTVerifyGetKey[] {
  const possible = keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
  if (possible.length === 0) throw rejected('it names a key that is not registered');
  if (possible.length > maxTried)
    throw rejected(`more than ${maxTried} keys may have signed it, so it has to name one`);
  return possible.map(({ kid: _, ...key }) => createLocalJWKSet({ keys: [kid === undefined ? key : { ...key, kid }] }));
}

async function firstVerified(
  finders: readonly JWTVerifyGetKey[],
  verify: (find: JWTVerifyGetKey) => Promise<Claims>,
): Promise<Claims> {
  let failure: unknown;
  for (const find of finders) {
    try {
      return await verify(find);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function checkTimes({ exp, iat }: Claims, longestSeconds: number, now: Date): void {
  const latest = now.getTime() / 1000 + providerClockToleranceSeconds;
  if (typeof exp !== 'number' || exp > latest + longestSeconds) throw rejected('it is valid for too long');
  if (iat !== undefined && (typeof iat !== 'number' || iat > latest)) throw rejected('it is from the future');
}

const longestJti = 255;

function readJti({ jti }: Claims): string {
  if (typeof jti === 'string' && jti !== '' && jti.length <= longestJti) return jti;
  throw rejected(`its jti is not a text of 1 to ${longestJti} characters`);
}

export const rejected = (reason: string, cause?: unknown) => new Problem('assertion-rejected', { reason, cause });

/** Maps problems with an issuer's keys to the codes that programs get. */
const issuerProblems: Partial<Record<ProblemCode, ProblemCode>> = {
  'idp-unavailable': 'issuer-unavailable',
  'idp-timeout': 'issuer-timeout',
  'idp-bad-response': 'issuer-bad-response',
};

function aboutCaller(error: unknown, name: string): unknown {
  if (!(error instanceof Problem)) return error;
  const { code, cause } = error;
  const reason = [`caller ${name}`, faultIn(cause) ?? (cause === undefined ? error.reason : undefined)]
    .filter((part) => part)
    .join(': ');
  const ofIssuer = issuerProblems[code];
  return ofIssuer === undefined ? rejected(reason, cause) : new Problem(ofIssuer, { reason, cause });
}

/** Tells the author of the program which claim is wrong, but never its value. */
function faultIn(cause: unknown): string | undefined {
  if (cause instanceof errors.JWTExpired) return 'the assertion has expired';
  if (cause instanceof errors.JWTClaimValidationFailed) return `the claim ${cause.claim} is missing or not as expected`;
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'the signature is not from a registered key';
  return undefined;
}
