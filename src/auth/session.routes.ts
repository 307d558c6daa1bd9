import { z } from 'zod';
import { anyone, signedInPerson } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { type Route, route } from '../http/route.ts';
import { LoginResult, OwnSession, RenewHeaders } from './auth.schema.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { Renewal } from './renewal/renewal.ts';

interface SessionRoutesOptions {
  renewal: Renewal;
  ownSessions: OwnSessions;
}

export function sessionRoutes({ renewal, ownSessions }: SessionRoutesOptions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/auth/renew',
      operationId: 'renewSession',
      access: anyone,
      // Not as sign-ins are: an office behind one address renews more often than it signs in.
      limitedBy: 'api-address',
      onlyFromOwnPages: true,
      tag: 'Sign-in',
      summary: 'A new access token for the session of the cookie',
      description:
        'For browsers, after a sign-in that began at /auth/login: the session cookie takes the place of credentials, so the page has to be one of PUBLIC_URL or of CORS_ORIGINS, on the same site. The identity provider is asked again, so roles and details are as they are there now; after 401 a new sign-in is needed, after any other answer the session is as it was.',
      headers: RenewHeaders,
      answers: {
        200: { description: 'A new access token', content: { 'application/json': LoginResult } },
      },
      problems: [
        'session-ended',
        'idp-unavailable',
        'idp-timeout',
        'idp-bad-response',
        'idp-configuration',
        'idp-invalid-token',
        'storage-unavailable',
      ],
      async onProblem(problem) {
        if (problem.code !== 'rate-limited') renewal.recordRefusal(problem);
      },
      async handle({ headers, requestId, address }) {
        const result = await renewal.renew(headers.Cookie, { requestId, address });
        return Response.json(result, { headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/auth/sessions',
      operationId: 'listOwnSessions',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'Your own sessions',
      description: 'Where you are signed in: this session first, then the newest; at most 100.',
      answers: { 200: { description: 'The sessions', content: { 'application/json': z.array(OwnSession) } } },
      problems: ['storage-unavailable'],
      async handle({ principal }) {
        return Response.json(await ownSessions.list(principal), { headers: noStore });
      },
    }),
    route({
      method: 'DELETE',
      path: '/auth/sessions/{id}',
      operationId: 'endOwnSession',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'End one of your own sessions',
      description: 'Its access tokens and its cookie are refused, at every replica within two seconds.',
      params: z.object({ id: z.uuid().meta({ description: 'The id in the list of sessions' }) }),
      answers: { 204: { description: 'It has ended' } },
      problems: ['not-found', 'storage-unavailable'],
      async handle({ principal, params, requestId, address }) {
        await ownSessions.end(principal, params.id, { requestId, address });
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
