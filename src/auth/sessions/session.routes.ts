import { z } from 'zod';
import { signedInPerson } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { type Route, route } from '../../http/route.ts';
import type { OwnSessions } from './own-sessions.ts';
import { OwnSession } from './session.schema.ts';

export function sessionRoutes({ ownSessions }: { ownSessions: OwnSessions }): Route[] {
  return [
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
