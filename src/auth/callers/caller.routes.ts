import { decodeJwt } from 'jose';
import type { z } from 'zod';
import { type Authenticator, anyone, bearerHeader, withAnyRole } from '../../http/access.ts';
import { oauthFormBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import { faultsIn, invalidRequest } from '../../http/parse.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { Introspection, IntrospectionForm, TokenAnswer, TokenForm } from './caller.schema.ts';
import type { CallerTokens } from './caller-token.ts';

interface CallerRoutesOptions {
  callerTokens: CallerTokens;
  authenticator: Authenticator;
  introspectRoles: readonly string[];
  clock: () => number;
}

export function callerRoutes(options: CallerRoutesOptions): Route[] {
  const { callerTokens, authenticator, introspectRoles, clock } = options;
  const introspect = createIntrospect(authenticator, clock);
  return [
    route({
      method: 'POST',
      path: '/auth/token',
      operationId: 'requestCallerToken',
      access: anyone,
      // Not limited like sign-ins, because a program must not lock out the people on its network.
      limitedBy: 'api-address',
      problemFormat: 'oauth',
      tag: 'Programs',
      summary: 'An access token for a registered program',
      description:
        'RFC 7523. The program sends an assertion. Either the registered issuer signs it, or the program signs it with its own key. In the second case, `iss` and `sub` are the name of the program, and each `jti` works once. The audience is PUBLIC_URL, unless a different one was registered.',
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
        'RFC 7662, for services that accept our access tokens. The signature of a token does not show whether its session has ended. Authorize the call with your own access token.',
      body: oauthFormBody(IntrospectionForm),
      answers: { 200: { description: 'The state of the token', content: { 'application/json': Introspection } } },
      problems: ['body-too-large', 'unsupported-type'],
      handle: async ({ body: { token } }) => Response.json(await introspect(token), { headers: noStore }),
    }),
  ];
}

function refuseTokenRequest(faults: z.ZodError): Problem {
  const isOtherGrant = faults.issues.some(({ code, path }) => code === 'custom' && path[0] === 'grant_type');
  return isOtherGrant ? new Problem('unsupported-grant') : invalidRequest(faultsIn(faults));
}

/** Checks an access token as if a request carried it: its signature, its times, and whether its session has ended. */
function createIntrospect(authenticator: Authenticator, clock: () => number) {
  async function isActive(token: string): Promise<boolean> {
    try {
      const known = authenticator.findVerified(bearerHeader(token), clock()) ?? (await authenticator.verify(token));
      return !authenticator.hasEnded(known.sessionId);
    } catch (error) {
      // Any other error is a defect, or means that the storage is unavailable. It says nothing about the token.
      if (error instanceof Problem && error.status === 401) return false;
      throw error;
    }
  }

  return async (token: string): Promise<z.infer<typeof Introspection>> => {
    // RFC 7662 section 2.2: the answer about an inactive token contains only `active`.
    if (!(await isActive(token))) return { active: false };
    return { active: true, token_type: 'Bearer', ...decodeJwt(token) };
  };
}
