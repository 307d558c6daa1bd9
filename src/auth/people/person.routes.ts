import { z } from 'zod';
import { anyone, signedInPerson } from '../../http/access.ts';
import { noStore } from '../../http/headers.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { inBatches } from '../../storage/batch.ts';
import type { Db } from '../../storage/storage.ts';
import { drawAvatar, initialsPattern } from './avatar.ts';
import { CurrentUser, currentUser } from './current-user.ts';
import { findPeople } from './person.queries.ts';

export function personRoutes({ publicUrl, reads }: { publicUrl: string; reads: Db }): Route[] {
  const findPerson = inBatches((sids: readonly string[]) => findPeople(reads, sids));
  return [
    route({
      method: 'GET',
      path: '/auth/me',
      operationId: 'getCurrentUser',
      access: signedInPerson,
      tag: 'Sign-in',
      summary: 'The details of the signed-in person',
      description:
        'The details that the identity provider stated at the sign-in or the last renewal, and the roles of the access token.',
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
      description: 'The `picture` of the current user links here if the identity provider has none.',
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
