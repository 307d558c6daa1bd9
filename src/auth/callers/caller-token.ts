// Issues an access token to a program in exchange for its assertion.
import { type Caller, writeAudit } from '../../audit/audit.ts';
import { callerTokenSeconds } from '../../config/token-times.ts';
import type { Limiter } from '../../http/limits.ts';
import type { Problem } from '../../http/problem.ts';
import type { Db } from '../../storage/storage.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { callerSubject } from '../provider/claims.ts';
import type { AccessTokens } from '../sessions/access-token.ts';
import { timesOfToken } from '../sessions/session-token.ts';
import { rememberCodeIn } from '../sessions/used-code.queries.ts';
import { rejected, type VerifiedAssertion } from './assertion.ts';
import { isRegistered } from './caller.queries.ts';
import type { TokenAnswer } from './caller.schema.ts';

interface CallerTokensOptions {
  db: Db;
  accessTokens: AccessTokens;
  verify: (assertion: string) => Promise<VerifiedAssertion>;
  /** Limits each caller. Counts only valid assertions that were not used before, so that strangers cannot use up the quota. */
  limiter: Limiter | undefined;
  /** Lifetime of people's tokens. A program's token lasts no longer. */
  tokenTtlSeconds: number;
  telemetry: Telemetry | undefined;
  now: () => Date;
}

export type CallerTokens = ReturnType<typeof createCallerTokens>;

export function createCallerTokens(options: CallerTokensOptions) {
  const { db, accessTokens, verify, limiter, tokenTtlSeconds, telemetry, now } = options;
  const lifeSeconds = Math.min(callerTokenSeconds, tokenTtlSeconds);

  async function issue(assertion: string, from: Caller): Promise<TokenAnswer> {
    const verified = await verify(assertion);
    // Checked before the assertion is used up, so that the program may send it again if no key can sign now.
    accessTokens.expectKey();
    await recordIssue(verified, from);
    const times = timesOfToken(now(), lifeSeconds);
    const token = await accessTokens.issueToCaller(verified.caller, times);
    telemetry?.callerToken('success');
    return { access_token: token, token_type: 'Bearer', expires_in: lifeSeconds };
  }

  /** Asks the database, because another process may just have removed the caller or accepted the assertion. */
  async function recordIssue({ caller: { id, name }, jti }: VerifiedAssertion, from: Caller): Promise<void> {
    const at = now();
    await db.transaction().execute(async (tx) => {
      if (!(await isRegistered(tx, id))) throw rejected(`caller ${name} was removed`);
      // Remembered under the caller's name, not its ID, so that an old assertion does not work again after the caller is
      // registered anew.
      const isNew = jti === undefined || (await rememberCodeIn(tx, hashOf(name, jti), at));
      if (!isNew) throw rejected(`caller ${name}: the assertion was used before`);
      // Throws inside the transaction, so that the assertion is not remembered and may be sent again later.
      limiter?.take(name, at.getTime());
      const who = { person: callerSubject(name), actor: callerSubject(name), session: id };
      writeAudit(tx, { type: 'token-issued', ...who, ...from }, at);
    });
  }

  return { issue, recordRefusal: ({ code }: Problem) => telemetry?.callerToken(code) };
}

const hashOf = (name: string, jti: string) => Bun.SHA256.hash(`assertion ${name} ${jti}`, 'hex');
