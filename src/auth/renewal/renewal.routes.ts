import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { type Route, route } from '../../http/route.ts';
import { CookieHeader, LoginResult } from '../sessions/session.schema.ts';
import type { Renewal } from './renewal.ts';

/** The edge has already checked the origin, and refused requests without one. */
const RenewHeaders = CookieHeader.extend({
  Origin: z.string().meta({ description: 'The origin of the page, which browsers send automatically', minLength: 1 }),
});

export function renewalRoutes({ renewal }: { renewal: Renewal }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/auth/renew',
      operationId: 'renewSession',
      access: anyone,
      // Not limited like sign-ins, because an office behind one address renews more often than it signs in.
      limitedBy: 'api-address',
      onlyFromOwnPages: true,
      tag: 'Sign-in',
      summary: "A new access token for the cookie's session",
      description:
        'For browsers, after a sign-in that began at /auth/login. The session cookie serves as the credential, so the page must come from PUBLIC_URL or one of CORS_ORIGINS, on the same site. The identity provider is asked again, so roles and details are current. After 401 a new sign-in is needed; after any other error the session is unchanged.',
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
  ];
}
