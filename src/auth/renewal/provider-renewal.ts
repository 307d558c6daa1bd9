// Renews a session at the provider: redeems the refresh token, then reads the person's current identity. The provider's
// answer may end the session. If there is no usable answer, the session is unchanged.

import { decodeJwt } from 'jose';
import { type Caller, frontdesk } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import { expectCurrentSecret } from '../keys/signing-keys.ts';
import { identify } from '../login/callback-checks.ts';
import {
  type Authentication,
  type ClaimSettings,
  type Claims,
  type Identity,
  withoutEmpty,
} from '../provider/claims.ts';
import { type ProviderConnection, rediscoverAfter } from '../provider/connection.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { OtherSubject } from '../provider/tokens.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import { readStoredAuthentication, renewAuthentication } from '../sessions/authentication.ts';
import type { Revocations } from '../sessions/revocation.ts';
import type { SealedTokens } from '../sessions/sealed-tokens.ts';
import type { LoginResult } from '../sessions/session.schema.ts';
import { issueSessionToken, type SessionLimits, type SessionTimes, timesAtRenewal } from '../sessions/session-token.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { FailedRenewals } from './failed-renewals.ts';
import { type Claim, type Failure, finishRenewal, keepRefreshToken, type RenewableSession } from './renewal.queries.ts';

export interface ProviderRenewalOptions {
  config: SessionLimits & ClaimSettings & Pick<Config, 'peopleIssuer'>;
  secretKey: string;
  db: Db;
  reads: Db;
  connection: ProviderConnection;
  sessions: Sessions;
  sealedTokens: SealedTokens;
  accessTokens: AccessTokens;
  revocations: Revocations;
  now: () => Date;
  log: Log;
}

interface RenewalParts extends ProviderRenewalOptions {
  failedRenewals: FailedRenewals;
}

type ClaimedSession = RenewableSession & Claim & { sealedIdToken: string | null };

export async function renewAtProvider(
  options: RenewalParts,
  provider: IdentityProvider,
  session: ClaimedSession,
  caller: Caller,
): Promise<LoginResult> {
  const { config, db, connection, sealedTokens, revocations, now } = options;
  let granted: string | undefined;
  let sealedRefreshToken: string | null | undefined;
  try {
    const refreshToken = await openRefreshToken(options, session, provider);
    const tokens = await provider.refresh(refreshToken);
    granted = tokens.refreshToken ?? refreshToken;
    sealedRefreshToken = await sealedTokens.sealRefreshToken(granted);
    // Stored before the next call, because the previous token may no longer work.
    if (granted !== refreshToken) await keepRefreshToken(db, session, sealedRefreshToken, now());
    const { subject, employeeId, sealedIdToken: last } = session;
    const lastIdToken = last === null ? undefined : await sealedTokens.openIdToken(last);
    const authentication = readStoredAuthentication(session.authentication);
    const asked = { provider, tokens, subject, employeeId, authentication, lastIdToken, settings: config, now: now() };
    const identity = await confirmIdentity(asked);
    const { times, result } = await issueRenewedToken(options, session, identity);
    const sealedIdToken = tokens.idToken === undefined ? undefined : await sealedTokens.sealIdToken(tokens.idToken);
    await finishRenewal(db, { ...session, identity, sealedRefreshToken, sealedIdToken }, times, now());
    return result;
  } catch (error) {
    rediscoverAfter(error, connection);
    // A sign-out during the renewal can make the provider refuse the token that it has just issued. Recording the failure
    // then shows that the session has ended.
    const end = endOf(error) ?? endOf(await recordFailure(options, session, error, sealedRefreshToken));
    if (end === undefined) throw error;
    await endSession(options, session, end, caller);
    if (granted !== undefined) revocations.revoke(granted);
    throw end;
  }
}

async function openRefreshToken(
  { config, secretKey, reads, sealedTokens }: ProviderRenewalOptions,
  { sealedRefreshToken, issuer }: RenewableSession,
  provider: IdentityProvider,
): Promise<string> {
  // Throws after `keys reseal`. Nobody could decrypt what this replica encrypts, so it has to be restarted.
  await expectCurrentSecret(reads, secretKey);
  if (issuer !== (config.peopleIssuer ?? provider.issuer)) {
    throw new Problem('session-ended', { reason: 'it was opened at another provider' });
  }
  const opened = await sealedTokens.openRefreshToken(sealedRefreshToken ?? '');
  if (opened === undefined) throw new Problem('session-ended', { reason: 'the refresh token cannot be opened' });
  return opened;
}

/** The problem to answer with if this error means that the session is over; undefined if the session may continue. */
function endOf(error: unknown): Problem | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'session-ended') return error;
  const isAboutPerson = error instanceof OtherSubject || error.code === 'account-not-permitted';
  return isAboutPerson ? new Problem('session-ended', { reason: error.reason ?? error.code }) : undefined;
}

async function endSession(
  { sessions }: ProviderRenewalOptions,
  { sid }: Claim,
  { reason = 'the session had already ended' }: Problem,
  caller: Caller,
): Promise<void> {
  const audit = { type: 'session-ended', detail: `renewal: ${reason}`, actor: frontdesk, ...caller } as const;
  await sessions.end({ sid }, audit);
}

/**
 * Records the failure for the requests that wait for this renewal. If recording fails, returns the error, which may mean that
 * the session has ended.
 */
async function recordFailure(
  { failedRenewals }: RenewalParts,
  claim: Claim,
  error: unknown,
  sealedRefreshToken: string | null | undefined,
): Promise<unknown> {
  const failure: Failure = { code: error instanceof Problem ? error.code : undefined, sealedRefreshToken };
  try {
    // The storage has just failed, so the request must not wait for it again.
    if (!(error instanceof Problem)) throw error;
    await failedRenewals.record(claim, failure);
    return undefined;
  } catch (caught) {
    if (!(caught instanceof Problem)) failedRenewals.recordLater(claim, failure);
    return caught;
  }
}

interface Confirmation {
  provider: IdentityProvider;
  tokens: { accessToken: string; idToken: string | undefined };
  /** The person the session belongs to. */
  subject: string;
  employeeId: string;
  /** How the person authenticated, as stored with the session. */
  authentication: Authentication;
  /** The last ID token, if it was stored. */
  lastIdToken: string | undefined;
  settings: ClaimSettings;
  now: Date;
}

/** Returns the person as the provider describes them now. Throws if it is a different person, or no longer known. */
async function confirmIdentity(confirmation: Confirmation): Promise<Identity> {
  const { provider, tokens, subject, employeeId, settings, now } = confirmation;
  const idToken = tokens.idToken === undefined ? undefined : await provider.verifyIdToken(tokens.idToken, now);
  // OpenID Connect Core section 12.2.
  if (idToken !== undefined && idToken.sub !== subject) throw new OtherSubject();
  const userinfo = await provider.fetchUserinfo(tokens.accessToken, subject);
  const identity =
    idToken === undefined
      ? identify({ ...lastClaims(confirmation), ...withoutEmpty(userinfo), sub: subject }, {}, settings)
      : identify(idToken, userinfo, settings);
  if (identity.employeeId !== employeeId) {
    throw new Problem('account-not-permitted', { reason: 'the employee ID has changed' });
  }
  const { authentication: stored } = confirmation;
  // Only an ID token says how a person authenticated.
  const authentication = idToken === undefined ? stored : renewAuthentication(stored, identity.authentication);
  return { ...identity, authentication };
}

/** The claims of the last ID token, which was verified when it arrived. Claims from userinfo are newer and take precedence. */
function lastClaims({ lastIdToken }: Confirmation): Claims {
  if (lastIdToken !== undefined) return decodeJwt(lastIdToken);
  throw new Problem('account-not-permitted', {
    reason: 'the provider sent no ID token, and the last one was not stored',
  });
}

interface TokenOptions {
  config: SessionLimits;
  accessTokens: AccessTokens;
  now: () => Date;
}

/** The token must be recorded before the client gets it. Recording fails if the session has ended in the meantime. */
export async function issueRenewedToken(
  { config, accessTokens, now }: TokenOptions,
  { sid, employeeId, expiresAt }: RenewableSession,
  renewed: { roles: readonly string[]; authentication: Authentication },
): Promise<{ times: SessionTimes; result: LoginResult }> {
  const times = timesAtRenewal(now(), new Date(expiresAt), config);
  if (times.until <= times.from) throw new Problem('session-ended');
  return { times, result: await issueSessionToken(accessTokens, { employeeId, sid, ...renewed }, times) };
}
