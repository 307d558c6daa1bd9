import type { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { faultsIn, invalidRequest } from '../../http/parse.ts';
import type { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { CookieHeader, LoginResult } from '../sessions/session.schema.ts';
import { CallbackHeaders, CallbackQuery, LoginQuery } from './login.schema.ts';
import type { Login } from './login.ts';
import type { LoginAttempts } from './login-attempt.ts';

interface LoginRoutesOptions {
  login: Login;
  attempts: LoginAttempts;
  trials: {
    isTrial(state: string | undefined, cookieHeader: string | null): Promise<boolean>;
    /** The address to which the callback of a trial sends the browser. */
    finishAddress(query: CallbackQuery): string;
  };
}

const address = { parameter: 'redirect_uri', variable: 'OIDC_REDIRECT_URIS' };
const afterLogin = { ...noStore, 'Referrer-Policy': 'no-referrer' };

export function loginRoutes({ login, attempts, trials }: LoginRoutesOptions): Route[] {
  const clearAttempt = (state: string | null | undefined) => {
    const cookie = attempts.forget(state ?? undefined);
    return cookie === undefined ? {} : { 'Set-Cookie': cookie };
  };

  return [
    route({
      method: 'GET',
      path: '/auth/login',
      operationId: 'startLogin',
      access: anyone,
      tag: 'Sign-in',
      summary: 'Start a sign-in',
      description:
        'Sends the browser to the identity provider, with PKCE, state and nonce kept in an encrypted cookie. Open this address in a browser, because a script cannot follow the redirect to another site.',
      limitedBy: 'login-address',
      actsOnGet: true,
      openedBy: 'navigation',
      refusalPage: { root: '../', again: (search) => `login${search}`, address },
      query: LoginQuery,
      headers: CookieHeader,
      answers: {
        204: { description: 'The request was a prefetch by the browser, so nothing was done' },
        302: {
          description: 'A redirect to the identity provider',
          headers: { Location: 'The sign-in page', 'Set-Cookie': 'The sign-in in progress, encrypted' },
        },
      },
      // Some of these occur only if the parameters are pushed to the provider (RFC 9126).
      problems: [
        'invalid-request',
        'invalid-redirect',
        'login-mismatch',
        'login-failed',
        'idp-unavailable',
        'idp-timeout',
        'idp-bad-response',
        'idp-configuration',
      ],
      async handle({ headers, query }) {
        const { location, cookies } = await login.begin(query, headers.Cookie);
        const answer = new Response(null, { status: 302, headers: { ...afterLogin, Location: location } });
        for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie);
        return answer;
      },
    }),
    route({
      method: 'GET',
      path: '/auth/login/callback',
      operationId: 'finishLogin',
      access: anyone,
      tag: 'Sign-in',
      summary: 'Exchange an authorization code for an access token',
      description:
        'Finishes a sign-in that was started at /auth/login (with state and cookie), or takes the code of a sign-in that the client began itself. A code works once.',
      query: CallbackQuery,
      refuseQuery: refuseCallback,
      headers: CallbackHeaders,
      answers: {
        200: {
          description: 'Signed in',
          content: { 'application/json': LoginResult },
          headers: {
            'Set-Cookie':
              'If the sign-in began at /auth/login, the cookie that was set there is deleted, and a new one is set, by which POST /auth/renew and GET /auth/logout identify the session',
          },
        },
        204: { description: 'The request was a prefetch by the browser, so nothing was done' },
        303: {
          description: 'A trial sign-in (frontdesk check --sign-in), which ends on its own page',
          headers: { Location: 'The address of that page' },
        },
      },
      problems: [
        'missing-code',
        'invalid-code',
        'invalid-callback',
        'invalid-redirect',
        'login-denied',
        'login-failed',
        'login-session-lost',
        'login-mismatch',
        'code-rejected',
        'account-not-permitted',
        'stronger-sign-in-failed',
        'idp-unavailable',
        'idp-timeout',
        'idp-bad-response',
        'idp-configuration',
        'idp-invalid-token',
        'storage-unavailable',
      ],
      limitedBy: 'login-address',
      actsOnGet: true,
      openedBy: 'navigation-or-script',
      // Starts again without the query, because a code or a state works only once.
      refusalPage: { root: '../../', again: () => '../login', address },
      async onProblem(problem, { search, requestId, address }) {
        const state = new URLSearchParams(search).get('state');
        if (problem.code !== 'rate-limited') await login.recordRefusal(problem, state, { requestId, address });
        Object.assign(problem.headers, afterLogin);
        // After 503, the same attempt may be finished later. Any other problem ends it.
        if (problem.status !== 503) Object.assign(problem.headers, clearAttempt(state));
      },
      async handle({ headers, requestId, address, query }) {
        if (await trials.isTrial(query.state, headers.Cookie)) {
          return new Response(null, {
            status: 303,
            headers: { ...afterLogin, Location: trials.finishAddress(query) },
          });
        }
        const { result, cookie } = await login.finish(query, headers, { requestId, address });
        const answer = Response.json(result, { headers: { ...afterLogin, ...clearAttempt(query.state) } });
        if (cookie !== undefined) answer.headers.append('Set-Cookie', cookie);
        return answer;
      },
    }),
  ];
}

function refuseCallback(faults: z.ZodError): Problem {
  // A parameter that was sent twice is an array, so it has the wrong type.
  const isOnlyTheCode = faults.issues.every(({ code, path }) => code !== 'invalid_type' && path[0] === 'code');
  return invalidRequest(faultsIn(faults), isOnlyTheCode ? 'invalid-code' : 'invalid-callback');
}
