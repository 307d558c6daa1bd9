// Whether one of our access tokens can still be used: RFC 7662.
import { decodeJwt } from 'jose';
import { type Authenticator, bearerHeader } from '../../http/access.ts';
import { Problem } from '../../http/problem.ts';

export type Introspect = (token: string) => Promise<{ active: boolean; [claim: string]: unknown }>;

/** Makes the same checks as for a request: signature, times, and whether the session has ended. */
export function createIntrospect(authenticator: Authenticator, clock: () => number): Introspect {
  async function isActive(token: string): Promise<boolean> {
    try {
      const known = authenticator.findVerified(bearerHeader(token), clock()) ?? (await authenticator.verify(token));
      return !authenticator.hasEnded(known.sessionId);
    } catch (error) {
      // Any other error is a defect, or the storage is unavailable: it says nothing about the token.
      if (error instanceof Problem && error.status === 401) return false;
      throw error;
    }
  }

  return async (token) => {
    // RFC 7662 section 2.2: nothing more is said about a token that is not active.
    if (!(await isActive(token))) return { active: false };
    return { active: true, token_type: 'Bearer', ...decodeJwt(token) };
  };
}
