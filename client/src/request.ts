// Requests to the service. Every refusal is thrown as a FrontdeskError.
import { FrontdeskError, networkError, unexpectedAnswer } from './error.ts';
import type { Session } from './session.ts';
import type { Problem } from './types.ts';

export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** A request without the access token. */
export function createCall(root: string, send: (url: string, init?: RequestInit) => Promise<Response>): SendRequest {
  return async (path, init) => {
    let response: Response;
    try {
      response = await send(root + path, init);
    } catch (cause) {
      throw init?.signal?.aborted ? cause : networkError(cause);
    }
    if (response.ok || response.status === 304) return response;
    const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
    throw new FrontdeskError(
      { ...unexpectedAnswer(response.status).problem, ...problem },
      secondsUntil(response.headers.get('retry-after')),
    );
  };
}

/** A request with the access token. A 401 ends the sign-in. */
export function createRequest(call: SendRequest, session: Session): SendRequest {
  return async (path, init = {}) => {
    const signIn = session.current();
    if (signIn === undefined) {
      throw new FrontdeskError({
        type: 'problems/unauthorized',
        status: 401,
        title: 'Not signed in',
        detail: 'Sign in first.',
      });
    }
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${signIn.token}`);
    try {
      return await call(path, { ...init, headers });
    } catch (error) {
      // Only the sign-in that was refused: another one may have begun meanwhile.
      if (error instanceof FrontdeskError && error.status === 401 && session.current() === signIn) session.expire();
      throw error;
    }
  };
}

/** Retry-After has seconds, or a date (RFC 9110, section 10.2.3). */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number.isNaN(Number(retryAfter)) ? (Date.parse(retryAfter) - Date.now()) / 1000 : Number(retryAfter);
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
