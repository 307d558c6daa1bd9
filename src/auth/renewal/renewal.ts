// Renewing a session: the provider is asked again, by one renewal at a time over all tabs and replicas; the others wait
// for what comes of it. No transaction is open during a call.
import type { Caller } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import type { Limiter } from '../../http/limits.ts';
import { Problem } from '../../http/problem.ts';
import { type ProblemCode, problemTable } from '../../http/problem-table.ts';
import type { Db } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { AccessTokens } from '../access-token.ts';
import type { LoginResult } from '../auth.schema.ts';
import type { BrowserSessions } from '../browser-session.ts';
import { expectCurrentSecret } from '../keys/signing-keys.ts';
import type { ClaimSettings } from '../provider/claims.ts';
import { type ProviderConnection, rediscoverAfter } from '../provider/connection.ts';
import type { IdentityProvider } from '../provider/identity-provider.ts';
import { OtherSubject } from '../provider/tokens.ts';
import type { Revocations } from '../revocation.ts';
import type { SealedTokens } from '../sealed-tokens.ts';
import { issueSessionToken, type SessionLimits, type SessionTimes, timesAtRenewal } from '../session-token.ts';
import type { Sessions } from '../sessions.ts';
import { confirmIdentity } from './confirmation.ts';
import {
  type Claim,
  claimRenewal,
  failRenewal,
  findSession,
  finishRenewal,
  isClaimed,
  isOver,
  keepRefreshToken,
  type RenewableSession,
  recordToken,
  wasConfirmed,
} from './renewal.queries.ts';

interface RenewalOptions {
  config: SessionLimits & ClaimSettings & Pick<Config, 'peopleIssuer' | 'renewNeedsProvider'>;
  secretKey: string;
  db: Db;
  reads: Db;
  connection: ProviderConnection;
  sessions: Sessions;
  browserSessions: BrowserSessions;
  sealedTokens: SealedTokens;
  accessTokens: AccessTokens;
  revocations: Revocations;
  /** By session. */
  limiter: Limiter | undefined;
  now: () => Date;
  telemetry: Telemetry | undefined;
  log: Log;
}

export type Renewal = ReturnType<typeof createRenewal>;

/** However long another renewal takes: whoever waits gets an answer by then. */
const longestWaitMs = 20_000;
const pollMs = 200;

export function createRenewal(options: RenewalOptions) {
  const { config, db, reads, connection, sessions, browserSessions, sealedTokens, accessTokens, now } = options;
  /** By the hash of the cookie: tabs of one browser that renew at the same time share one answer. */
  const underWay = new Map<string, Promise<LoginResult>>();

  function renew(cookieHeader: string | null, caller: Caller): Promise<LoginResult> {
    const cookieHash = browserSessions.hashIn(cookieHeader);
    if (cookieHash === undefined) throw new Problem('session-ended');
    options.limiter?.take(cookieHash, now().getTime());
    return withinLimit(underWay.get(cookieHash) ?? start(cookieHash, caller));
  }

  function start(cookieHash: string, caller: Caller): Promise<LoginResult> {
    const work = renewInTurn(cookieHash, caller).finally(() => underWay.delete(cookieHash));
    underWay.set(cookieHash, work);
    return work;
  }

  async function renewInTurn(cookieHash: string, caller: Caller): Promise<LoginResult> {
    const deadline = performance.now() + longestWaitMs;
    let awaited: string | null = null;
    while (performance.now() < deadline) {
      const session = await findSession(reads, cookieHash);
      if (session === undefined || isOver(session, now())) throw new Problem('session-ended');
      if (session.sealedRefreshToken === null && config.renewNeedsProvider) {
        throw new Problem('session-ended', { reason: 'there is no refresh token: see RENEW_NEEDS_PROVIDER' });
      }
      if (session.sealedRefreshToken === null || wasConfirmed(session, now())) {
        return issueWithoutCall(session, caller);
      }
      if (awaited !== null && session.claim === awaited && session.failure !== null) throw sharedFailure(session);
      if (isClaimed(session, now())) {
        awaited = session.claim;
        await Bun.sleep(pollMs);
        continue;
      }
      // Before the claim, which is only as long as the calls may take.
      accessTokens.expectKey();
      const provider = await connection.ready();
      const claim = { sid: session.sid, claim: crypto.randomUUID() };
      const sealed = await claimRenewal(db, claim, now());
      if (sealed !== undefined) return renewAtProvider(provider, { ...session, ...sealed, ...claim }, caller);
      await Bun.sleep(pollMs / 4);
    }
    throw tookTooLong();
  }

  async function issueWithoutCall(session: RenewableSession, caller: Caller): Promise<LoginResult> {
    const { times, result } = await issue(session, JSON.parse(session.roles) as string[]);
    await recordToken(db, session.sid, times, now());
    report(session.sid, 'without-call', caller);
    return result;
  }

  async function renewAtProvider(
    provider: IdentityProvider,
    session: RenewableSession & Claim & { sealedIdToken: string | null },
    caller: Caller,
  ): Promise<LoginResult> {
    let granted: string | undefined;
    try {
      const refreshToken = await openRefreshToken(session, provider);
      const tokens = await provider.refresh(refreshToken);
      granted = tokens.refreshToken ?? refreshToken;
      const sealedRefreshToken = await sealedTokens.sealRefreshToken(granted);
      // Before anything else is asked: the one before it may not work any more.
      if (granted !== refreshToken) await keepRefreshToken(db, session, sealedRefreshToken);
      const { subject, employeeId, sealedIdToken } = session;
      const lastIdToken = sealedIdToken === null ? undefined : await sealedTokens.openIdToken(sealedIdToken);
      const about = { provider, tokens, subject, employeeId, lastIdToken, settings: config, now: now() };
      const identity = await confirmIdentity(about);
      const { times, result } = await issue(session, identity.roles);
      const newIdToken = tokens.idToken === undefined ? undefined : await sealedTokens.sealIdToken(tokens.idToken);
      const confirmed = { ...session, identity, sealedRefreshToken, sealedIdToken: newIdToken };
      await finishRenewal(db, confirmed, times, now());
      report(session.sid, 'success', caller);
      return result;
    } catch (error) {
      rediscoverAfter(error, connection);
      const end = endOf(error);
      if (end === undefined) await giveUp(session, error);
      else await endSession(session, end, granted, caller);
      throw end ?? error;
    }
  }

  async function issue(
    { sid, employeeId, expiresAt }: RenewableSession,
    roles: readonly string[],
  ): Promise<{ times: SessionTimes; result: LoginResult }> {
    const times = timesAtRenewal(now(), new Date(expiresAt), config);
    if (times.until <= times.from) throw new Problem('session-ended');
    return { times, result: await issueSessionToken(accessTokens, { employeeId, sid, roles }, times) };
  }

  async function openRefreshToken(
    { sealedRefreshToken, issuer }: RenewableSession,
    provider: IdentityProvider,
  ): Promise<string> {
    // After `keys reseal`, what this replica seals could be opened by nobody: it has to be started anew.
    await expectCurrentSecret(reads, options.secretKey);
    if (issuer !== (config.peopleIssuer ?? provider.issuer)) {
      throw new Problem('session-ended', { reason: 'it was opened at another provider' });
    }
    const opened = await sealedTokens.openRefreshToken(sealedRefreshToken ?? '');
    if (opened === undefined) throw new Problem('session-ended', { reason: 'the refresh token cannot be opened' });
    return opened;
  }

  /** What failed here is not lost: while the storage is away, the claim runs out by itself. */
  async function giveUp(claim: Claim, error: unknown): Promise<void> {
    await failRenewal(db, claim, error instanceof Problem ? error.code : undefined).catch(() => {});
  }

  async function endSession({ sid }: Claim, end: Problem, granted: string | undefined, caller: Caller): Promise<void> {
    const detail = `renewal: ${end.reason ?? 'it had ended'}`;
    await sessions.end({ sid }, { type: 'session-ended', detail, ...caller });
    if (granted !== undefined) options.revocations.revoke(granted);
  }

  function report(sid: string, outcome: 'success' | 'without-call', { requestId }: Caller): void {
    options.telemetry?.renewal(outcome);
    options.log.info({ requestId, sid, asked: outcome === 'success' }, 'session renewed');
  }

  return { renew, recordRefusal: ({ code }: Problem) => options.telemetry?.renewal(code) };
}

/** The problem to answer with where this error means that the session is over; undefined where it may go on. */
function endOf(error: unknown): Problem | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.code === 'session-ended') return error;
  const isAboutPerson = error instanceof OtherSubject || error.code === 'account-not-permitted';
  return isAboutPerson ? new Problem('session-ended', { reason: error.reason ?? error.code }) : undefined;
}

function sharedFailure({ failure }: RenewableSession): Problem {
  // A newer replica may write codes that are not known here.
  const isKnown = failure !== null && Object.hasOwn(problemTable, failure);
  const code = isKnown ? (failure as ProblemCode) : 'idp-unavailable';
  return new Problem(code, { reason: 'another renewal of the same session ended so' });
}

const tookTooLong = () =>
  new Problem('idp-unavailable', { reason: 'another renewal of the same session takes too long' });

/** The renewal itself goes on, and what comes of it is stored. */
async function withinLimit(work: Promise<LoginResult>): Promise<LoginResult> {
  const waited = Promise.withResolvers<never>();
  const timer = setTimeout(() => waited.reject(tookTooLong()), longestWaitMs);
  try {
    return await Promise.race([work, waited.promise]);
  } finally {
    clearTimeout(timer);
  }
}
