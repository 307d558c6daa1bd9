import type { Caller } from '../../audit/audit.ts';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { AccessTokens } from '../access-token.ts';
import type { LoginResult } from '../auth.schema.ts';
import type { BrowserSessions } from '../browser-session.ts';
import type { Identity } from '../provider/claims.ts';
import { openSession } from '../sign-in.queries.ts';
import type { LoginFlow } from './callback-checks.ts';

export interface SessionOptions {
  config: Pick<Config, 'tokenTtlSeconds' | 'peopleIssuer'>;
  db: Db;
  browserSessions: BrowserSessions;
  accessTokens: AccessTokens;
  now: () => Date;
  telemetry: Telemetry | undefined;
  log: Log;
}

/** A sign-in that passed every check. */
interface CheckedLogin {
  identity: Identity;
  idToken: string;
  provider: { issuer: string };
  flow: LoginFlow;
  caller: Caller;
}

/** The answer, and the cookie of a bound sign-in. */
export interface FinishedLogin {
  result: LoginResult;
  cookie: string | undefined;
}

// The HTTP server takes 16 KiB of headers, cookies included: a longer token could be issued, and never be used.
const longestToken = 8 * 1024;

export async function openSessionAndIssueToken(
  { config, db, browserSessions, accessTokens, now, telemetry, log }: SessionOptions,
  { identity, idToken, provider, flow: { name: flow }, caller }: CheckedLogin,
): Promise<FinishedLogin> {
  const sid = crypto.randomUUID();
  // Whole seconds, as the token has them: the session lasts exactly as long.
  const openedAt = new Date(Math.floor(now().getTime() / 1000) * 1000);
  const expiresAt = new Date(openedAt.getTime() + config.tokenTtlSeconds * 1000);
  const { employeeId, roles } = identity;
  const accessToken = await accessTokens.issue({ employeeId, sessionId: sid, roles, from: openedAt, until: expiresAt });
  if (accessToken.length > longestToken) {
    throw new Problem('account-not-permitted', { reason: 'the roles do not fit in a token: narrow ROLE_CLAIMS' });
  }
  const browser = flow === 'bound' ? await browserSessions.open(idToken) : undefined;
  const issuer = config.peopleIssuer ?? provider.issuer;
  const session = { sid, issuer, identity, openedAt, expiresAt, flow, browser, caller };
  const isTheirs = await openSession(db, session, now());
  if (!isTheirs) {
    const about = { person: employeeId, subject: identity.subject };
    throw new Problem('account-not-permitted', { reason: 'the employee ID belongs to another account', about });
  }
  telemetry?.signIn(flow, 'success');
  log.info({ requestId: caller.requestId, sid, way: flow }, 'signed in');
  return { result: { accessToken, expirationInSeconds: config.tokenTtlSeconds }, cookie: browser?.cookie };
}
