// A call to the service. Every refusal is thrown as a FrontdeskError.
import { type Challenge, FrontdeskError, networkError, unexpectedAnswer } from './error.ts';
import type { Problem } from './types.ts';

/** The page that uses the client; undefined outside a browser. */
declare const location: { href: string; origin: string } | undefined;

/** Time limit for the second request, which finds out why the first one failed. */
const probeMs = 3000;

export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** Creates a function that sends a request without an access token. */
export function createCall(root: string, send: (url: string, init?: RequestInit) => Promise<Response>): SendRequest {
  let mayRead = false;

  /**
   * Browsers do not say whether a server is down or does not permit this origin. So this sends a second request in no-cors
   * mode, which needs no permission, although its answer cannot be read. Once an answer to any request has been read, the
   * origin is known to be permitted, and no second request is sent.
   */
  async function explain(): Promise<Partial<Problem> | undefined> {
    if (mayRead || typeof location === 'undefined' || new URL(root, location.href).origin === location.origin) return;
    const init = {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(probeMs),
    } as const;
    return send(`${root}/health/live`, init).then(
      () => ({
        detail: `${root} is running, but this page cannot read its answers. ${location.origin} may be missing in CORS_ORIGINS.`,
      }),
      () => undefined,
    );
  }

  return async (path, init) => {
    let response: Response;
    try {
      response = await send(root + path, init);
      mayRead = true;
    } catch (cause) {
      throw init?.signal?.aborted ? cause : networkError(cause, await explain());
    }
    if (response.ok || response.status === 304) return response;
    const answer = (await response.json().catch(() => ({}))) as Partial<Problem> & OAuthError;
    throw new FrontdeskError(
      { ...unexpectedAnswer(response.status).problem, ...answer, ...fromOAuth(answer) },
      {
        retryAfter: secondsUntil(response.headers.get('retry-after')),
        challenge: challengeIn(response.headers.get('www-authenticate')),
      },
    );
  };
}

/** RFC 6749, section 5.2: the errors of POST /auth/token. `error_uri` is the type of the problem. */
interface OAuthError {
  error_uri?: string;
  error_description?: string;
}

const fromOAuth = (answer: OAuthError | null) =>
  answer?.error_uri && { type: answer.error_uri, title: 'No access token', detail: answer.error_description ?? '' };

/** Whether a request was refused only because of its token, before anything was done. */
export const isTokenRefused = (error: unknown): error is FrontdeskError =>
  error instanceof FrontdeskError && (error.code === 'token-expired' || error.code === 'invalid-token');

/** Retry-After is in seconds, or a date (RFC 9110, section 10.2.3). */
function secondsUntil(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = Number.isNaN(Number(retryAfter)) ? (Date.parse(retryAfter) - Date.now()) / 1000 : Number(retryAfter);
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** RFC 9470, section 3. */
function challengeIn(header: string | null): Challenge | undefined {
  if (!header?.includes('error="insufficient_user_authentication"')) return undefined;
  const acrValues = /\bacr_values="([^"]*)"/.exec(header)?.[1];
  const maxAge = /\bmax_age="?(\d+)/.exec(header)?.[1];
  return { ...(acrValues !== undefined && { acrValues }), ...(maxAge !== undefined && { maxAge: Number(maxAge) }) };
}

/** Writes each entry as a parameter, and entries of an object as `name:value`. Undefined or empty values are left out. */
export function writeQuery(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(asked)) {
    for (const each of [given ?? []].flat()) {
      if (typeof each !== 'object') query.append(name, each);
      else {
        for (const [key, values] of Object.entries(each)) {
          for (const value of [values || []].flat()) query.append(name, `${key}:${value}`);
        }
      }
    }
  }
  return query.size > 0 ? `?${query}` : '';
}
