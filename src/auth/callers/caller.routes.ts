import type { z } from 'zod';
import { anyone, withAnyRole } from '../../http/access.ts';
import { oauthFormBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import { faultsIn, invalidRequest } from '../../http/parse.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { Introspection, IntrospectionForm, TokenAnswer, TokenForm } from './caller.schema.ts';
import type { CallerTokens } from './caller-token.ts';
import type { Introspect } from './introspection.ts';

interface CallerRoutesOptions {
  callerTokens: CallerTokens;
  introspect: Introspect;
  introspectRoles: readonly string[];
}

export function callerRoutes({ callerTokens, introspect, introspectRoles }: CallerRoutesOptions): Route[] {
  return [
    route({
      method: 'POST',
      path: '/auth/token',
      operationId: 'requestCallerToken',
      access: anyone,
      // Not limited like sign-ins: a program must not lock out the people on its network.
      limitedBy: 'api-address',
      problemFormat: 'oauth',
      tag: 'Programs',
      summary: 'An access token for a registered program',
      description:
        'RFC 7523: in exchange for an assertion signed by the issuer that the program was registered with, or by its own key (`iss` and `sub` are its name; its `jti` works once). The audience is PUBLIC_URL, unless a different one was registered.',
      body: oauthFormBody(TokenForm, refuseTokenRequest),
      answers: { 200: { description: 'An access token', content: { 'application/json': TokenAnswer } } },
      problems: [
        'unsupported-grant',
        'assertion-rejected',
        'body-too-large',
        'unsupported-type',
        'issuer-unavailable',
        'issuer-timeout',
        'issuer-bad-response',
        'storage-unavailable',
      ],
      async onProblem(problem) {
        if (problem.code !== 'rate-limited') callerTokens.recordRefusal(problem);
      },
      async handle({ body: { assertion }, requestId, address }) {
        return Response.json(await callerTokens.issue(assertion, { requestId, address }), { headers: noStore });
      },
    }),
    route({
      method: 'POST',
      path: '/auth/introspect',
      operationId: 'introspectToken',
      access: withAnyRole(introspectRoles),
      tag: 'Programs',
      summary: 'Whether an access token can still be used',
      description:
        "RFC 7662, for services that accept our access tokens: judged by its signature alone, a token is valid until it expires, even if its session has ended. Authorized by the caller's own access token.",
      body: oauthFormBody(IntrospectionForm),
      answers: { 200: { description: 'What is known about it', content: { 'application/json': Introspection } } },
      problems: ['body-too-large', 'unsupported-type'],
      handle: async ({ body: { token } }) => Response.json(await introspect(token), { headers: noStore }),
    }),
  ];
}

function refuseTokenRequest(faults: z.ZodError): Problem {
  const isOtherGrant = faults.issues.some(({ code, path }) => code === 'custom' && path[0] === 'grant_type');
  return isOtherGrant ? new Problem('unsupported-grant') : invalidRequest(faultsIn(faults));
}
