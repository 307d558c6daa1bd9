import { anyone, signedInOrEnded } from '../http/access.ts';
import { contentTypeOf, readBytes } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';
import { LogoutForm, LogoutQuery } from './auth.schema.ts';
import type { Logout } from './logout.ts';
import type { Sessions } from './sessions.ts';

interface LogoutRoutesOptions {
  logout: Logout;
  sessions: Sessions;
}

export function logoutRoutes({ logout, sessions }: LogoutRoutesOptions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/auth/logout',
      access: signedInOrEnded,
      // Whoever floods with somebody's token must not keep them from ending it.
      limitedBy: 'nothing',
      tag: 'Sign-in',
      summary: 'End the session',
      description: 'The access token stops working at once. Ending an ended session is fine.',
      answers: { 204: { description: 'The session has ended' } },
      problems: ['storage-unavailable'],
      async handle({ principal, requestId, address }) {
        await sessions.end({ sid: principal.sessionId }, { type: 'logout', requestId, address });
        return new Response(null, { status: 204, headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/auth/logout',
      access: anyone,
      limitedBy: 'login-address',
      actsOnGet: true,
      openedBy: 'navigation',
      tag: 'Sign-in',
      summary: 'Leave the identity provider too, in a browser',
      description:
        "Sends the browser to the provider's own sign-out page, and from there back to an allowed address. Ends no session here by itself: call POST /auth/logout first.",
      query: LogoutQuery,
      answers: {
        204: { description: 'A prefetch by the browser: nothing was done' },
        302: { description: 'On the way out', headers: { Location: 'Where to' } },
      },
      problems: ['invalid-request', 'invalid-redirect', 'idp-unavailable'],
      async handle({ query }) {
        return new Response(null, { status: 302, headers: { ...noStore, Location: await logout.leave(query) } });
      },
    }),
    route({
      method: 'POST',
      path: '/auth/backchannel-logout',
      access: anyone,
      // A provider tells of many people from one address.
      limitedBy: 'api-address',
      tag: 'Sign-in',
      summary: 'For the identity provider: end sessions that ended there',
      description: 'OpenID Connect Back-Channel Logout 1.0.',
      body: { 'application/x-www-form-urlencoded': LogoutForm },
      answers: { 200: { description: 'The sessions have ended' } },
      problems: [
        'invalid-logout-token',
        'body-too-large',
        'idp-unavailable',
        'idp-timeout',
        'idp-bad-response',
        'storage-unavailable',
      ],
      async handle({ request, requestId, address }) {
        await logout.endFromProvider(await readLogoutToken(request), { requestId, address });
        return new Response(null, { status: 200, headers: noStore });
      },
    }),
  ];
}

async function readLogoutToken(request: Request): Promise<string> {
  const text = new TextDecoder().decode(await readBytes(request));
  const isForm = contentTypeOf(request) === 'application/x-www-form-urlencoded';
  const [token, ...others] = isForm ? new URLSearchParams(text).getAll('logout_token') : [];
  if (token === undefined || others.length > 0) {
    throw new Problem('invalid-logout-token', { reason: 'not one logout_token in a form' });
  }
  return token;
}
