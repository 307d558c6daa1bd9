import { z } from 'zod';
import { anyone, signedInPerson } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { faultsIn, invalidRequest } from '../http/parse.ts';
import { Problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';
import { inBatches } from '../storage/batch.ts';
import type { Db } from '../storage/storage.ts';
import { CallbackHeaders, CallbackQuery, CookieHeader, CurrentUser, LoginQuery, LoginResult } from './auth.schema.ts';
import { drawAvatar, initialsPattern } from './avatar.ts';
import { currentUser } from './current-user.ts';
import type { Login } from './login/login.ts';
import type { LoginAttempts } from './login/login-attempt.ts';
import { findPeople } from './person.queries.ts';
import { finishAddress } from './trial/addresses.ts';
import type { Trials } from './trial/trial.ts';

interface AuthRoutesOptions {
  publicUrl: string;
  reads: Db;
  login: Login;
  attempts: LoginAttempts;
  trials: Trials;
}

const afterLogin = { ...noStore, 'Referrer-Policy': 'no-referrer' };

export function authRoutes({ publicUrl, reads, login, attempts, trials }: AuthRoutesOptions): Route[] {
  const findPerson = inBatches((sids: readonly string[]) => findPeople(reads, sids));
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
        'Sends the browser to the identity provider, with PKCE, state and nonce kept in an encrypted cookie. To be opened in a browser: a script cannot follow it to another site.',
      limitedBy: 'login-address',
      actsOnGet: true,
      openedBy: 'navigation',
      query: LoginQuery,
      headers: CookieHeader,
      answers: {
        204: { description: 'A prefetch by the browser: nothing was done' },
        302: {
          description: 'To the identity provider',
          headers: { Location: 'The sign-in page', 'Set-Cookie': 'The sign-in under way, encrypted' },
        },
      },
      // Some only where the parameters are pushed to the provider (RFC 9126).
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
        'Finishes a sign-in started at /auth/login (state and cookie present), or takes the code of a sign-in the client did by itself. A code works once.',
      query: CallbackQuery,
      refuseQuery: refuseCallback,
      headers: CallbackHeaders,
      answers: {
        200: {
          description: 'Signed in',
          content: { 'application/json': LoginResult },
          headers: {
            'Set-Cookie':
              'Where the sign-in began at /auth/login: takes its cookie away, and sets one that names the session to POST /auth/renew and GET /auth/logout',
          },
        },
        204: { description: 'A prefetch by the browser: nothing was done' },
        303: {
          description: 'A trial sign-in (frontdesk check --sign-in), which ends on a page of its own',
          headers: { Location: 'That page' },
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
      async onProblem(problem, { search, requestId, address }) {
        const state = new URLSearchParams(search).get('state');
        if (problem.code !== 'rate-limited') await login.recordRefusal(problem, state, { requestId, address });
        Object.assign(problem.headers, afterLogin);
        // After 503 the same attempt may be finished later. Any other answer ends it.
        if (problem.status !== 503) Object.assign(problem.headers, clearAttempt(state));
      },
      async handle({ headers, requestId, address, query }) {
        if (await trials.isTrial(query.state, headers.Cookie)) {
          return new Response(null, {
            status: 303,
            headers: { ...afterLogin, Location: finishAddress(publicUrl, query) },
          });
        }
        const { result, cookie } = await login.finish(query, headers, { requestId, address });
        const answer = Response.json(result, { headers: { ...afterLogin, ...clearAttempt(query.state) } });
        if (cookie !== undefined) answer.headers.append('Set-Cookie', cookie);
        return answer;
      },
    }),
    route({
      method: 'GET',
      path: '/auth/me',
      operationId: 'getCurrentUser',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'The details of the signed-in person',
      description:
        'As the identity provider told them at the sign-in or the last renewal, with the roles of the access token.',
      answers: { 200: { description: 'The current user', content: { 'application/json': CurrentUser } } },
      problems: ['storage-unavailable'],
      async handle({ principal }) {
        const person = await findPerson(principal.sessionId);
        if (person === undefined) throw new Problem('invalid-token', { reason: 'the session or person is gone' });
        return Response.json(currentUser({ ...person, roles: [...principal.roles] }, publicUrl), { headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/auth/avatars/{initials}',
      operationId: 'getAvatar',
      access: anyone,
      tag: 'Sign-in',
      summary: 'A picture with initials, for people without one',
      description: 'The target of `picture` of the current user if the identity provider has none.',
      params: z.object({
        initials: z
          .string()
          .refine((initials) => initialsPattern.test(initials))
          .meta({ description: 'Letters and digits', example: 'AP', minLength: 1, maxLength: 4 }),
      }),
      answers: { 200: { description: 'The picture', content: { 'image/svg+xml': z.string() } } },
      problems: ['not-found'],
      handle: ({ params: { initials } }) =>
        new Response(drawAvatar(initials), {
          headers: {
            'Content-Type': 'image/svg+xml; charset=utf-8',
            'Cache-Control': 'public, max-age=86400',
            'Content-Security-Policy': "default-src 'none'",
          },
        }),
    }),
  ];
}

function refuseCallback(faults: z.ZodError): Problem {
  // A parameter of the wrong type is one that was sent twice.
  const isOnlyTheCode = faults.issues.every(({ code, path }) => code !== 'invalid_type' && path[0] === 'code');
  return invalidRequest(faultsIn(faults), isOnlyTheCode ? 'invalid-code' : 'invalid-callback');
}
