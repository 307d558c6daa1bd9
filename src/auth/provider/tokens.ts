// Verifies the provider's tokens. All verification is done here, because libraries are more lenient.
import { errors, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { isObject } from '../../base/guards.ts';
import { longestLogoutTokenSeconds, providerClockToleranceSeconds } from '../../config/token-times.ts';
import { Problem } from '../../http/problem.ts';
import { type Claims, isStorable, nonEmptyText } from './claims.ts';
import { problemIn } from './fetch.ts';
import type { ProviderKeys } from './keys.ts';

/** The keys and expected values for verifying the provider's tokens. */
export interface Trust {
  keys: ProviderKeys;
  issuer: string;
  clientId: string;
  /** The algorithms that are accepted for ID and logout tokens. */
  algs: readonly string[];
  userinfoAlgs: readonly string[];
}

/** `ended` says which sessions have to end: those opened in one session at the provider, or all sessions of a subject. */
export interface LogoutToken {
  jti: string;
  ended: { providerSid: string; subject?: string } | { subject: string };
}

/** The provider answered about a person other than the one it was asked about. */
export class OtherSubject extends Problem {
  constructor(cause?: unknown) {
    super('idp-invalid-token', { cause, reason: 'the provider answered about another subject' });
  }
}

/** OpenID Connect Core section 3.1.3.7. The nonce is checked by the sign-in, which knows it. */
export async function verifyIdToken(idToken: string, trust: Trust, now: Date): Promise<Claims & { sub: string }> {
  const checks = { ...forUs(trust), currentDate: now, requiredClaims: ['exp', 'iat'] };
  const claims = await verifySigned(idToken, trust.keys.forSignIn, ['jwt'], checks);
  const { sub, aud, azp, iat } = claims;
  const fault = (reason: string) => new Problem('idp-invalid-token', { reason });
  if (typeof sub !== 'string' || sub === '') throw fault('the ID token has no subject');
  if (azp !== undefined && azp !== trust.clientId) throw fault('the ID token was issued to a different client');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) throw fault('the ID token names no authorized party');
  if (typeof iat !== 'number' || iat > now.getTime() / 1000 + providerClockToleranceSeconds) {
    throw fault('the ID token is from the future');
  }
  return { ...claims, sub };
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** OpenID Connect Back-Channel Logout section 2.6. */
export async function verifyLogoutToken(logoutToken: string, trust: Trust, now: Date): Promise<LogoutToken> {
  const fault = (reason: string) => new Problem('invalid-logout-token', { reason });
  const required = ['iat', 'exp', 'jti', 'events'];
  const checks = {
    ...forUs(trust),
    currentDate: now,
    requiredClaims: required,
    maxTokenAge: longestLogoutTokenSeconds,
  };
  const types = ['logout+jwt', 'jwt'];
  const claims = await verifySigned(logoutToken, trust.keys.forLogout, types, checks).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'idp-invalid-token'
      ? fault(error.reason ?? 'it could not be verified')
      : error;
  });
  const { jti, sid, sub, events, nonce } = claims;
  const event = isObject(events) ? events[logoutEvent] : null;
  if (!isObject(event)) throw fault('it is not about a logout');
  // Only an ID token has a nonce, and it must not be accepted as a logout token.
  if (nonce !== undefined) throw fault('it has a nonce');
  if (typeof jti !== 'string' || jti === '') throw fault('it has no jti');
  const providerSid = nonEmptyText(sid);
  const subject = nonEmptyText(sub);
  const named = subject !== undefined && { subject };
  const ended = providerSid === undefined ? named : { providerSid, ...named };
  if (ended === false) throw fault('it names no session and no subject');
  if (!isStorable(providerSid) || !isStorable(subject)) throw fault('it holds control characters');
  return { jti, ended };
}

/** OpenID Connect Core section 5.3.2: signed userinfo SHOULD name issuer and audience, but not every provider does. */
export async function verifyUserinfo(signed: string, trust: Trust): Promise<Claims> {
  const { keys, issuer, clientId, userinfoAlgs } = trust;
  const claims = await verifySigned(signed, keys.forSignIn, ['jwt'], { algorithms: [...userinfoAlgs] });
  const { iss = issuer, aud = clientId } = claims;
  if (iss === issuer && [aud].flat().includes(clientId)) return claims;
  throw new Problem('idp-invalid-token', { reason: 'userinfo has the wrong issuer or audience' });
}

const forUs = ({ issuer, clientId: audience, algs }: Trust) => ({ issuer, audience, algorithms: [...algs] });

/** Verifies a signed token of one of these types. Throws `idp-invalid-token`, or a problem with fetching the keys. */
export async function verifySigned(
  token: string,
  find: JWTVerifyGetKey,
  types: readonly string[],
  checks: JWTVerifyOptions,
): Promise<Claims> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, find, {
      ...checks,
      clockTolerance: providerClockToleranceSeconds,
    });
    // RFC 8725 section 3.11: the type is checked, because a provider signs all kinds of tokens with the same keys.
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
    if (!types.includes(type)) throw new Problem('idp-invalid-token', { reason: 'the token has the wrong type' });
    return payload;
  } catch (cause) {
    if (cause instanceof errors.JOSEAlgNotAllowed) throw new Problem('idp-invalid-token', { cause, reason: otherAlg });
    const aboutKeys =
      cause instanceof errors.JOSEError && ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'].includes(cause.code);
    throw problemIn(cause) ?? new Problem(aboutKeys ? 'idp-bad-response' : 'idp-invalid-token', { cause });
  }
}

const otherAlg = 'the token is signed with an algorithm that is not expected: see OIDC_SIGNING_ALG';
