// A renewal that asks the provider: its refresh token, then who and what the person is now. What it says may end the
// session; where it says nothing that can be used, the session stays as it was.
import { type Caller, frontdesk } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AccessTokens } from '../access-token.ts';
import type { LoginResult } from '../auth.schema.ts';
import { readStoredAuthentication } from '../authentication.ts';
import { expectCurrentSecret } from '../keys/signing-keys.ts';
import type { ClaimSettings } from '../provider/claims.ts';
import { type ProviderConnection, rediscoverAfter } from '../provider/connection.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { OtherSubject } from '../provider/tokens.ts';
import type { Revocations } from '../revocation.ts';
import type { SealedTokens } from '../sealed-tokens.ts';
import type { SessionLimits } from '../session-token.ts';
import type { Sessions } from '../sessions.ts';
import { confirmIdentity } from './confirmation.ts';
import type { FailedRenewals } from './failed-renewals.ts';
import { type Claim, type Failure, finishRenewal, keepRefreshToken, type RenewableSession } from './renewal.queries.ts';
import { issueRenewedToken } from './renewed-token.ts';

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
    // Before the next call: the previous one may not work any more.
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
    // A sign-out in the middle of it may have made the provider refuse what it had just given.
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
  // After `keys reseal`, nothing that this replica encrypts could be decrypted: it has to be restarted.
  await expectCurrentSecret(reads, secretKey);
  if (issuer !== (config.peopleIssuer ?? provider.issuer)) {
    throw new Problem('session-ended', { reason: 'it was opened at another provider' });
  }
  const opened = await sealedTokens.openRefreshToken(sealedRefreshToken ?? '');
  if (opened === undefined) throw new Problem('session-ended', { reason: 'the refresh token cannot be opened' });
  return opened;
}

/** The problem to answer with where this error means that the session is over; undefined where it may go on. */
function endOf(error: unknown): Problem | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'session-ended') return error;
  const isAboutPerson = error instanceof OtherSubject || error.code === 'account-not-permitted';
  return isAboutPerson ? new Problem('session-ended', { reason: error.reason ?? error.code }) : undefined;
}

async function endSession(
  { sessions }: ProviderRenewalOptions,
  { sid }: Claim,
  { reason = 'it had ended' }: Problem,
  caller: Caller,
): Promise<void> {
  const audit = { type: 'session-ended', detail: `renewal: ${reason}`, actor: frontdesk, ...caller } as const;
  await sessions.end({ sid }, audit);
}

/** Those who wait for this renewal share its failure. Returns why it could not be recorded: the session may have ended. */
async function recordFailure(
  { failedRenewals }: RenewalParts,
  claim: Claim,
  error: unknown,
  sealedRefreshToken: string | null | undefined,
): Promise<unknown> {
  const failure: Failure = { code: error instanceof Problem ? error.code : undefined, sealedRefreshToken };
  try {
    // The storage has just failed: do not make the request wait for it again.
    if (!(error instanceof Problem)) throw error;
    await failedRenewals.record(claim, failure);
    return undefined;
  } catch (caught) {
    if (!(caught instanceof Problem)) failedRenewals.recordLater(claim, failure);
    return caught;
  }
}
