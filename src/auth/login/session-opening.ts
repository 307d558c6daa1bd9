import type { Caller } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Identity } from '../provider/claims.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import type { BrowserSessions } from '../sessions/cookies.ts';
import type { SealedTokens } from '../sessions/sealed-tokens.ts';
import type { LoginResult } from '../sessions/session.schema.ts';
import { issueSessionToken, type SessionLimits, timesAtSignIn } from '../sessions/session-token.ts';
import { nameBrowser } from './browser-name.ts';
import type { LoginFlow } from './callback-checks.ts';
import { openSession } from './sign-in.queries.ts';

export interface SessionOptions {
  config: SessionLimits & Pick<Config, 'peopleIssuer'>;
  db: Db;
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
export interface FinishedLogin {
  result: LoginResult;
  cookie: string | undefined;
}

export async function openSessionAndIssueToken(
  { config, db, browserSessions, sealedTokens, accessTokens, now, telemetry, log }: SessionOptions,
  { identity, tokens, provider, flow: { name: flow }, userAgent, caller }: CheckedLogin,
): Promise<FinishedLogin> {
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
