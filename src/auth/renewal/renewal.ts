// Renewing a session: across all tabs and replicas, one renewal at a time asks the provider, and the others wait for its
// result. No transaction is open while they wait.
import { z } from 'zod';
import type { Caller } from '../../audit/audit.ts';
import { atMost } from '../../base/stop-times.ts';
import type { Limiter } from '../../http/limits.ts';
import { Problem } from '../../http/problem.ts';
import { type ProblemCode, problemTable } from '../../http/problem-table.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { readStoredAuthentication } from '../sessions/authentication.ts';
import type { BrowserSessions } from '../sessions/cookies.ts';
import type { LoginResult } from '../sessions/session.schema.ts';
import { createFailedRenewals } from './failed-renewals.ts';
import { issueRenewedToken, type ProviderRenewalOptions, renewAtProvider } from './provider-renewal.ts';
import {
  claimRenewal,
  findSession,
  isAbandoned,
  isClaimed,
  isOver,
  type RenewableSession,
  recordToken,
  wasConfirmed,
} from './renewal.queries.ts';

interface RenewalOptions extends ProviderRenewalOptions {
  config: ProviderRenewalOptions['config'] & { renewNeedsProvider: boolean };
  browserSessions: BrowserSessions;
  /** Limits the renewals of each session. */
  limiter: Limiter | undefined;
  telemetry: Telemetry | undefined;
}

export type Renewal = ReturnType<typeof createRenewal>;

/** How long a renewal may wait for another one: as long as a request waits for the result. */
interface Turn {
  waitsUntil: number;
}

/** A waiting request is answered after this time, however long the other renewal takes. */
const longestWaitMs = 20_000;
const pollMs = 200;
/**
 * How long a replica waits before it takes over an abandoned renewal. The other replica may be about to store the refresh
 * token it received, and the provider would end the session if this replica used the previous refresh token again.
 */
const handOverMs = 1500;

export function createRenewal(options: RenewalOptions) {
  const { config, db, reads, connection, browserSessions, accessTokens, limiter, now, telemetry, log } = options;
  /** Renewals in progress, by the hash of the cookie. Tabs of one browser that renew at the same time share an answer. */
  const underWay = new Map<string, { work: Promise<LoginResult>; turn: Turn }>();
  const parts = { ...options, failedRenewals: createFailedRenewals(options) };

  async function renew(cookieHeader: string | null, caller: Caller): Promise<LoginResult> {
    const cookieHash = browserSessions.hashIn(cookieHeader);
    if (cookieHash === undefined) throw new Problem('session-ended');
    limiter?.take(cookieHash, now().getTime());
    const { work, turn } = underWay.get(cookieHash) ?? start(cookieHash, caller);
    // A request that joins later may wait as long as the first one.
    turn.waitsUntil = performance.now() + longestWaitMs;
    return withinLimit(work);
  }

  function start(cookieHash: string, caller: Caller) {
    const turn = { waitsUntil: Number.POSITIVE_INFINITY };
    const work = renewInTurn(cookieHash, turn, caller).finally(() => underWay.delete(cookieHash));
    const started = { work, turn };
    underWay.set(cookieHash, started);
    return started;
  }

  async function renewInTurn(cookieHash: string, turn: Turn, caller: Caller): Promise<LoginResult> {
    let awaited: string | null = null;
    let takenOver: string | null = null;
    while (performance.now() < turn.waitsUntil) {
      const session = await findSession(reads, cookieHash);
      if (session === undefined || isOver(session, now())) throw new Problem('session-ended');
      if (session.sealedRefreshToken === null && config.renewNeedsProvider) {
        throw new Problem('session-ended', { reason: 'there is no refresh token: see RENEW_NEEDS_PROVIDER' });
      }
      if (session.sealedRefreshToken === null || wasConfirmed(session, now())) return renewWithoutCall(session, caller);
      if (awaited !== null && session.claim === awaited && session.failure !== null) throw sharedFailure(session);
      if (isClaimed(session, now())) {
        if (awaited !== session.claim) log.debug({ sid: session.sid }, 'waiting for another renewal');
        awaited = session.claim;
        await Bun.sleep(pollMs);
        continue;
      }
      if (isAbandoned(session, now()) && takenOver !== session.claim) {
        log.debug({ sid: session.sid }, 'taking over another renewal');
        takenOver = session.claim;
        await Bun.sleep(handOverMs);
        continue;
      }
      // Done before the claim is taken, because a claim lasts only as long as the calls to the provider may take.
      accessTokens.expectKey();
      const provider = await connection.ready();
      const claim = { sid: session.sid, claim: crypto.randomUUID() };
      const sealed = await claimRenewal(db, claim, now());
      if (sealed === undefined) {
        await Bun.sleep(pollMs / 4);
        continue;
      }
      const result = await renewAtProvider(parts, provider, { ...session, ...sealed, ...claim }, caller);
      report(session, 'success', caller);
      return result;
    }
    throw tookTooLong();
  }

  async function renewWithoutCall(session: RenewableSession, caller: Caller): Promise<LoginResult> {
    const { times, result } = await issueRenewedToken(options, session, {
      roles: z.array(z.string()).parse(JSON.parse(session.roles)),
      authentication: readStoredAuthentication(session.authentication),
    });
    await recordToken(db, session.sid, times, now());
    report(session, 'without-call', caller);
    return result;
  }

  function report({ sid }: RenewableSession, outcome: 'success' | 'without-call', { requestId }: Caller): void {
    telemetry?.renewal(outcome);
    log.info({ requestId, sid, asked: outcome === 'success' }, 'session renewed');
  }

  return {
    renew,
    recordRefusal: ({ code }: Problem) => telemetry?.renewal(code),
    /** Resolves when all failures are recorded, or after a second. */
    stop: parts.failedRenewals.stop,
  };
}

function sharedFailure({ failure }: RenewableSession): Problem {
  // A newer replica may write codes that are not known here.
  const isKnown = failure !== null && Object.hasOwn(problemTable, failure);
  const code = isKnown ? (failure as ProblemCode) : 'idp-unavailable';
  return new Problem(code, { reason: 'another renewal of the same session failed with this problem' });
}

const tookTooLong = () =>
  new Problem('idp-unavailable', { reason: 'another renewal of the same session is taking too long' });

/** Limits how long a request waits. The renewal itself continues, and its result is stored. */
async function withinLimit(work: Promise<LoginResult>): Promise<LoginResult> {
  const result = await atMost(longestWaitMs, work);
  if (result === undefined) throw tookTooLong();
  return result;
}
