import { z } from 'zod';
import { anyone, signedInOrEnded } from '../../http/access.ts';
import { formBody } from '../../http/body.ts';
import { isFromNeighbour } from '../../http/fetch-metadata.ts';
import { pageHeaders } from '../../http/files.ts';
import { noStore } from '../../http/headers.ts';
import { htmlPage } from '../../http/pages/pages.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import type { Logout } from './logout.ts';
import { CookieHeader, LogoutForm, LogoutHeaders, LogoutQuery } from './session.schema.ts';

interface LogoutRoutesOptions {
  logout: Logout;
  publicUrl: string;
  /** Origins of applications that may sign people out without asking them. */
  corsOrigins: readonly string[];
}

export function logoutRoutes({ logout, publicUrl, corsOrigins }: LogoutRoutesOptions): Route[] {
  const ownOrigins = new Set([new URL(publicUrl).origin, ...corsOrigins]);
  const isOwnOrigin = (origin: string) => ownOrigins.has(origin);
  return [
    route({
      method: 'POST',
      path: '/auth/logout',
      operationId: 'endSession',
      access: signedInOrEnded,
      // Not limited, because requests with a stolen token must not prevent its owner from ending the session.
      limitedBy: 'nothing',
      tag: 'Sign-in',
      summary: 'End the session',
      description: 'The access token stops working at once. If the session has already ended, this is not an error.',
      headers: CookieHeader,
      answers: {
        204: {
          description: 'The session has ended',
          headers: { 'Set-Cookie': "Deletes the session's cookie, if the request had it" },
        },
      },
      problems: ['storage-unavailable'],
      async handle({ principal, headers, requestId, address }) {
        const cookie = await logout.end(principal.sessionId, headers.Cookie, { requestId, address });
        return new Response(null, { status: 204, headers: { ...noStore, ...setCookie(cookie) } });
      },
    }),
    route({
      method: 'GET',
      path: '/auth/logout',
      operationId: 'leaveProvider',
      access: anyone,
      limitedBy: 'login-address',
      actsOnGet: true,
      openedBy: 'navigation',
      refusalPage: {
        root: '../',
        again: (search) => `logout${search}`,
        address: { parameter: 'post_logout_redirect_uri', variable: 'OIDC_POST_LOGOUT_URIS' },
      },
      tag: 'Sign-in',
      summary: 'Sign out here and at the identity provider, in a browser',
      description:
        "Ends the session that the browser's cookie identifies, then sends the browser to the provider's sign-out page (with id_token_hint), which sends it back to an allowed address. If there is no cookie, as after a sign-in with only a code, this request ends no session. To be sure that the session ends, call POST /auth/logout first, and send no cookies with that call, because it would delete the cookie that this request needs.",
      query: LogoutQuery,
      headers: LogoutHeaders,
      answers: {
        200: {
          description:
            'A page that asks for confirmation, if a page of another origin on the same site sent the browser here',
          content: { 'text/html': z.string() },
        },
        204: { description: 'The request was a prefetch by the browser, so nothing was done' },
        302: {
          description: "A redirect to the provider's sign-out page, or back to the application",
          headers: { Location: 'The address of that page', 'Set-Cookie': "Deletes the session's cookie" },
        },
      },
      problems: ['invalid-request', 'invalid-redirect', 'idp-unavailable', 'storage-unavailable'],
      async handle({ query, headers, requestId, address }) {
        if (isFromNeighbour(headers['Sec-Fetch-Site'], headers.Referer, isOwnOrigin)) {
          return new Response(signOutPage(query), { headers: { ...pageHeaders(), ...noStore } });
        }
        const { location, cookie } = await logout.endInBrowser(query, headers.Cookie, { requestId, address });
        // The URL contains an ID token, which must not be passed on as a referrer.
        const answer = { ...noStore, 'Referrer-Policy': 'no-referrer', Location: location, ...setCookie(cookie) };
        return new Response(null, { status: 302, headers: answer });
      },
    }),
    route({
      method: 'POST',
      path: '/auth/backchannel-logout',
      operationId: 'receiveBackchannelLogout',
      access: anyone,
      // A provider sends the logouts of many people from one address.
      limitedBy: 'api-address',
      tag: 'Sign-in',
      summary: 'For the identity provider: end sessions that have ended there',
      description: 'OpenID Connect Back-Channel Logout 1.0.',
      body: formBody(
        LogoutForm,
        () => new Problem('invalid-logout-token', { reason: 'the body is not a form with one logout_token' }),
      ),
      answers: { 200: { description: 'The sessions have ended' } },
      problems: [
        'invalid-logout-token',
        'body-too-large',
        'idp-unavailable',
        'idp-timeout',
        'idp-bad-response',
        'storage-unavailable',
      ],
      async handle({ body, requestId, address }) {
        await logout.endFromProvider(body.logout_token, { requestId, address });
        return new Response(null, { status: 200, headers: noStore });
      },
    }),
  ];
}

/** Asks for confirmation. The link on this page is opened from our own origin, so it does sign out. */
function signOutPage(query: LogoutQuery): string {
  const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
  const again = `logout?${new URLSearchParams(given)}`;
  return htmlPage({
    title: 'Sign out? · Frontdesk',
    root: '../',
    body: `<main class="sheet">
<p class="eyebrow">Frontdesk</p>
<h1>Sign out?</h1>
<p>Another page wants to sign you out, here and at your company’s sign-in page.</p>
<p><a class="button" href="${Bun.escapeHTML(again)}">Sign out</a></p>
<p><a href="../">Stay signed in</a></p>
</main>`,
  });
}

const setCookie = (cookie: string | undefined) => (cookie === undefined ? undefined : { 'Set-Cookie': cookie });
