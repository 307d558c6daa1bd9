import { Problem } from '../../http/problem.ts';
import type { AccessTokens } from '../access-token.ts';
import type { LoginResult } from '../auth.schema.ts';
import type { Authentication } from '../provider/claims.ts';
import { issueSessionToken, type SessionLimits, type SessionTimes, timesAtRenewal } from '../session-token.ts';
import type { RenewableSession } from './renewal.queries.ts';

interface TokenOptions {
  config: SessionLimits;
  accessTokens: AccessTokens;
  now: () => Date;
}

/** To be handed out only after it was recorded, which fails where the session has ended meanwhile. */
export async function issueRenewedToken(
  { config, accessTokens, now }: TokenOptions,
  { sid, employeeId, expiresAt }: RenewableSession,
  renewed: { roles: readonly string[]; authentication: Authentication },
): Promise<{ times: SessionTimes; result: LoginResult }> {
  const times = timesAtRenewal(now(), new Date(expiresAt), config);
  if (times.until <= times.from) throw new Problem('session-ended');
  return { times, result: await issueSessionToken(accessTokens, { employeeId, sid, ...renewed }, times) };
}
