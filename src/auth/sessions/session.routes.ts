import { z } from 'zod';
import { signedInPerson } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import type { Db } from '../../storage/storage.ts';
import type { Logout } from './logout.ts';
import { listSessions } from './session.queries.ts';
import { OwnSession } from './session.schema.ts';

/** Maximum number of sessions in an answer. The current one is always included. */
const maxListed = 100;

interface SessionRoutesOptions {
  reads: Db;
  logout: Pick<Logout, 'endOne'>;
  now: () => Date;
}

/** Lets people list and end their own sessions. */
export function sessionRoutes({ reads, logout, now }: SessionRoutesOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/auth/sessions',
      operationId: 'listOwnSessions',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'Your own sessions',
      description: 'Where you are signed in. Lists this session first, then the newest ones, at most 100 in all.',
      answers: { 200: { description: 'The sessions', content: { 'application/json': z.array(OwnSession) } } },
      problems: ['storage-unavailable'],
      async handle({ principal }) {
        const { employeeId, sessionId } = principal;
        const current = await listSessions(reads, now(), { sid: sessionId, employeeId });
        const newest = await listSessions(reads, now(), { employeeId }, maxListed);
        const others = newest.filter(({ sid }) => sid !== sessionId);
        const sessions = [...current, ...others].slice(0, maxListed).map(
          (session): OwnSession => ({
            id: session.sid,
            current: session.sid === sessionId,
            openedAt: session.openedAt,
            lastSeenAt: session.lastSeenAt,
            endsAt: session.expiresAt,
            ...(session.address !== null && { address: session.address }),
            ...(session.browser !== null && { browser: session.browser }),
          }),
        );
        return Response.json(sessions, { headers: noStore });
      },
    }),
    route({
      method: 'DELETE',
      path: '/auth/sessions/{id}',
      operationId: 'endOwnSession',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'End one of your own sessions',
      description: 'Within two seconds, every replica refuses its access tokens and its cookie.',
      params: z.object({ id: z.uuid().meta({ description: 'The `id` of a session in the list of your sessions' }) }),
      answers: { 204: { description: 'The session has ended' } },
      problems: ['not-found', 'storage-unavailable'],
      async handle({ principal, params, requestId, address }) {
        // Another person's session is treated like one that does not exist.
        const [own] = await listSessions(reads, now(), { sid: params.id, employeeId: principal.employeeId });
        if (own === undefined) throw new Problem('not-found');
        await logout.endOne(own.sid, { type: 'session-ended', detail: 'by the person', requestId, address });
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
