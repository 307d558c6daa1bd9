// Signing in, as named steps. `begin` sends the browser to the provider, and `finish` handles its return with a code. Each
// step throws a Problem, or returns what the next one needs.
import type { Caller } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import { describeError, type Log } from '../../telemetry/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import {
  type ClaimSettings,
  type Claims,
  claimOf,
  findEmployeeId,
  type Identity,
  mergeClaims,
} from '../provider/claims.ts';
import { type ProviderConnection, rediscoverAfter } from '../provider/connection.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import { askedAuthentication, requireAuthentication } from '../sessions/authentication.ts';
import type { BrowserSessions } from '../sessions/cookies.ts';
import type { SealedTokens } from '../sessions/sealed-tokens.ts';
import { findByCookie } from '../sessions/session.queries.ts';
import type { LoginResult } from '../sessions/session.schema.ts';
import { issueSessionToken, type SessionLimits, timesAtSignIn } from '../sessions/session-token.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { nameBrowser } from './browser-name.ts';
import {
  allowedRedirect,
  identify,
  type LoginFlow,
  refuseForeignStart,
  refuseProviderError,
  requireCode,
  startRedirect,
} from './callback-checks.ts';
import { nameClaims } from './claim-names.ts';
import type { CallbackHeaders, CallbackQuery, LoginQuery } from './login.schema.ts';
import { isOurState, type LoginAttempts } from './login-attempt.ts';
import { authorizationUrl, fetchClaims } from './provider-steps.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import { openSession } from './sign-in.queries.ts';

interface LoginOptions {
  config: SessionLimits &
    ClaimSettings &
    Pick<Config, 'peopleIssuer' | 'redirectUris' | 'scopes' | 'requireBoundLogin' | 'loginNeed' | 'keepNeed'>;
  db: Db;
  reads: Db;
  sessions: Sessions;
  connection: ProviderConnection;
  attempts: LoginAttempts;
  refusedSignIns: RefusedSignIns;
  browserSessions: BrowserSessions;
  sealedTokens: SealedTokens;
  accessTokens: AccessTokens;
  now: () => Date;
  telemetry: Telemetry | undefined;
  log: Log;
}

/** A sign-in that passed every check. */
interface CheckedLogin {
  identity: Identity;
  tokens: { idToken: string; refreshToken: string | undefined };
  provider: { issuer: string };
  flow: LoginFlow;
  userAgent: string | null;
  caller: Caller;
}

/** The answer, and the cookie of a bound sign-in. */
interface FinishedLogin {
  result: LoginResult;
  cookie: string | undefined;
}

export type Login = ReturnType<typeof createLogin>;

export function createLogin(options: LoginOptions) {
  const { config, db, reads, sessions, connection, attempts, refusedSignIns } = options;
  const { browserSessions, sealedTokens, accessTokens, now, telemetry, log } = options;
  const warnOfFallback = createFallbackWarning(options);

  async function begin(
    query: LoginQuery,
    cookieHeader: string | null,
  ): Promise<{ location: string; cookies: string[] }> {
    const redirectUri = startRedirect(query, config.redirectUris);
    const provider = await connection.ready();
    refuseForeignStart(query, provider);
    const asked = askedAuthentication(config.loginNeed, query);
    const attempt = attempts.start(redirectUri, asked, now());
    const location = await authorizationUrl(provider, attempt, query, config).catch((error: unknown) => {
      // With pushed parameters, the provider may refuse the client here already, and the callback is then never reached.
      rediscoverAfter(error, connection);
      if (error instanceof Problem) telemetry?.signIn('bound', error.code);
      throw error;
    });
    return { location, cookies: await attempts.keep(attempt, cookieHeader, now()) };
  }

  async function finish(
    callback: CallbackQuery,
    { Cookie: cookieHeader, 'User-Agent': userAgent }: CallbackHeaders,
    caller: Caller,
  ): Promise<FinishedLogin> {
    refuseProviderError(callback);
    const code = requireCode(callback);
    const flow = await chooseFlow(callback, cookieHeader);
    // Checked before the code is used up, so that the client may send the same code again later if no key can sign now.
    accessTokens.expectKey();
    const { provider, tokens, idToken, userinfo } = await fetchClaims(options, callback, code, flow);
    try {
      const identity = identify(idToken, userinfo, config);
      requireAuthentication(identity.authentication, flow.asked, now());
      const finished = await openSessionAndIssueToken({ identity, tokens, provider, flow, userAgent, caller });
      warnOfFallback(idToken, userinfo);
      if (finished.cookie !== undefined) await endEarlierSession(cookieHeader, caller);
      return finished;
    } catch (error) {
      if (error instanceof Problem) error.about = { ...error.about, claims: nameClaims(idToken, userinfo) };
      throw error;
    }
  }

  async function openSessionAndIssueToken({
    identity,
    tokens,
    provider,
    flow: { name: flow },
    userAgent,
    caller,
  }: CheckedLogin): Promise<FinishedLogin> {
    const sid = crypto.randomUUID();
    const isBound = flow === 'bound';
    const times = timesAtSignIn(now(), isBound, config);
    const { employeeId } = identity;
    const result = await issueSessionToken(accessTokens, { ...identity, sid }, times);
    const browser = isBound && {
      ...browserSessions.open(),
      sealedIdToken: await sealedTokens.sealIdToken(tokens.idToken),
      sealedRefreshToken: await sealedTokens.sealRefreshToken(tokens.refreshToken),
    };
    const issuer = config.peopleIssuer ?? provider.issuer;
    const browserName = nameBrowser(userAgent);
    const session = { sid, issuer, identity, times, flow, browser: browser || undefined, browserName, caller };
    const isTheirs = await openSession(db, session, now());
    if (!isTheirs) {
      const about = { person: employeeId, subject: identity.subject };
      throw new Problem('account-not-permitted', { reason: 'the employee ID belongs to another account', about });
    }
    telemetry?.signIn(flow, 'success');
    log.info({ requestId: caller.requestId, sid, way: flow }, 'signed in');
    return { result, cookie: browser ? browser.cookie : undefined };
  }

  /** Ends the session of the browser's previous cookie. The browser cannot sign out of it once the cookie is replaced. */
  async function endEarlierSession(cookieHeader: string | null, caller: Caller): Promise<void> {
    const hash = browserSessions.hashIn(cookieHeader);
    if (hash === undefined) return;
    try {
      const earlier = await findByCookie(reads, hash);
      const audit = { type: 'session-ended', detail: 'signed in again', ...caller } as const;
      if (earlier !== undefined) await sessions.end({ sid: earlier.sid }, audit);
    } catch (error) {
      // Only a warning, because the sign-in itself has succeeded.
      log.warn({ requestId: caller.requestId, ...describeError(error) }, 'the earlier session was not ended');
    }
  }

  async function chooseFlow(callback: CallbackQuery, cookieHeader: string | null): Promise<LoginFlow> {
    if (isOurState(callback.state)) {
      const attempt = await attempts.find(callback.state, cookieHeader, now());
      if (attempt === undefined) throw new Problem('login-session-lost');
      return { ...attempt, name: 'bound' };
    }
    // The provider returns the state of every sign-in that began here, so a code without a state is from another sign-in.
    if (callback.state === undefined && (await attempts.isUnderWay(cookieHeader, now())))
      throw new Problem('login-session-lost', { reason: 'a code without a state while a sign-in is under way' });
    if (config.requireBoundLogin) throw new Problem('login-session-lost', { reason: 'REQUIRE_BOUND_LOGIN' });
    return {
      name: 'code-only',
      redirectUri: allowedRedirect(callback.redirect_uri, config.redirectUris),
      codeVerifier: callback.code_verifier,
      nonce: callback.nonce,
      asked: config.loginNeed,
    };
  }

  async function recordRefusal(problem: Problem, state: string | null, caller: Caller): Promise<void> {
    telemetry?.signIn(isOurState(state ?? undefined) ? 'bound' : 'code-only', problem.code);
    await refusedSignIns.record(problem, caller);
  }

  return {
    begin,
    finish: (...request: Parameters<typeof finish>) =>
      finish(...request).catch((error: unknown) => {
        rediscoverAfter(error, connection);
        throw error;
      }),
    recordRefusal,
  };
}

/** Minimum pause between two warnings, because the same cause affects many people. */
const pauseMs = 3_600_000;

/**
 * EMPLOYEE_ID_CLAIM may name `sub` after other claims. If those other claims do not arrive, people silently get the
 * provider's subject as their employee ID. Logs the names of the missing claims, and nothing about the person.
 */
function createFallbackWarning({ config: { employeeIdClaims: sources }, log, now }: LoginOptions) {
  const before = sources.findIndex((source) => claimOf(source) === 'sub');
  const names = sources.slice(0, Math.max(before, 0));
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (idToken: Claims, userinfo: Claims): void => {
    if (names.length === 0 || now().getTime() - warnedAt < pauseMs) return;
    if (findEmployeeId(mergeClaims(idToken, userinfo), names) !== undefined) return;
    warnedAt = now().getTime();
    log.warn(
      { missing: names },
      'the subject is used as the employee ID, because the provider sent none of the claims listed before it in EMPLOYEE_ID_CLAIM',
    );
  };
}
