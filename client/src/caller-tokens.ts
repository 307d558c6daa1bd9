// Gets access tokens for a program, in exchange for signed assertions (RFC 7523).
import type { SendRequest } from './call.ts';
import { asFrontdeskError, otherPerson, unexpectedAnswer } from './error.ts';
import type { Tokens } from './request.ts';
import type { Session } from './session.ts';
import { canBeSent, dueAt } from './session.ts';

export type Assertion = string | (() => string | Promise<string>);

/** How long an exchange may take, and the pause after a failed exchange in the background. */
const exchangeMs = 30_000;

export function createCallerTokens(call: SendRequest, session: Session, assertion: Assertion): Tokens {
  let renewing: Promise<string> | undefined;
  let renewAt = 0;

  async function exchange(): Promise<string> {
    // Errors that the application's function throws are not wrapped.
    const proof = typeof assertion === 'string' ? assertion : await assertion();
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: proof });
    try {
      // An assertion is only for this service, so no redirect is followed.
      const init = { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(exchangeMs) } as const;
      const response = await call('/auth/token', init);
      const { access_token: token, expires_in: seconds } = (await response.json()) as Record<string, unknown>;
      if (typeof token !== 'string' || typeof seconds !== 'number') throw unexpectedAnswer(response.status);
      const receivedAt = Date.now();
      const next = { token, receivedAt, until: receivedAt + seconds * 1000 };
      if (!session.begin(next, false)) throw otherPerson();
      renewAt = dueAt(next);
      return token;
    } catch (error) {
      throw asFrontdeskError(error);
    }
  }

  /** Concurrent callers share one exchange. */
  function renew(): Promise<string> {
    renewing ??= exchange().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return {
    async token() {
      const current = session.current();
      const now = Date.now();
      if (current === undefined || !canBeSent(current, now)) return renew();
      if (now >= renewAt) {
        renewAt = now + exchangeMs;
        // Renews in the background while the old token works. Errors are ignored until that token has expired.
        renew().catch(() => {});
      }
      return current.token;
    },

    async replace(refused) {
      const token = session.current()?.token;
      return token === undefined || token === refused ? renew() : token;
    },

    // A program never has to wait for a person to be active.
    async presence() {},
  };
}
