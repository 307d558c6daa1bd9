// What the caller may do (so that a page can offer only that), and which roles can be given rights.
import { z } from 'zod';
import { type Principal, signedIn, withAnyRole } from './access.ts';
import { noStore } from './headers.ts';
import { type Route, route } from './route.ts';

const Permissions = z
  .strictObject({
    seeLists: z.boolean().meta({ description: 'Whether any list is shown under /admin' }),
    createLists: z
      .boolean()
      .meta({ description: 'Whether you may create lists, archive them, and change who reads and keeps them' }),
    readAudit: z.boolean(),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof Permissions>;

/** Maximum number of roles in an answer. */
const maxRoles = 1000;

const KnownRoles = z
  .strictObject({ roles: z.array(z.string()).max(maxRoles).meta({ description: 'Sorted, without duplicates' }) })
  .meta({ id: 'KnownRoles' });
export type KnownRoles = z.infer<typeof KnownRoles>;

interface PermissionsOptions {
  checks: Record<keyof Permissions, (principal: Principal) => boolean>;
  /** The roles that may change who reads and keeps lists. */
  adminRoles: readonly string[];
  findRoles: () => Promise<readonly string[]>;
}

export function permissionsRoutes({ checks, adminRoles, findRoles }: PermissionsOptions): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/permissions',
      operationId: 'getPermissions',
      access: signedIn,
      tag: 'Service',
      summary: 'What you may do under /admin',
      description:
        'Depends only on your roles, so a change may still require a stronger sign-in. GET /admin/lookups says which lists you may change.',
      answers: { 200: { description: 'Your permissions', content: { 'application/json': Permissions } } },
      problems: [],
      handle({ principal }) {
        const { seeLists, createLists, readAudit } = checks;
        const permissions: Permissions = {
          seeLists: seeLists(principal),
          createLists: createLists(principal),
          readAudit: readAudit(principal),
        };
        return Response.json(permissions, { headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/admin/roles',
      operationId: 'listKnownRoles',
      access: withAnyRole(adminRoles),
      tag: 'Service',
      summary: 'The roles that Frontdesk knows',
      description:
        'Roles that a page can offer as readers and keepers of a list. They come from people who signed in recently (whose sessions are still stored), from registered programs, and from settings. Other roles can be used, too. The answer has at most 1,000 names, and does not say who has which role.',
      answers: { 200: { description: 'The roles', content: { 'application/json': KnownRoles } } },
      problems: [],
      async handle() {
        const roles = [...new Set(await findRoles())].sort().slice(0, maxRoles);
        return Response.json({ roles } satisfies KnownRoles, { headers: noStore });
      },
    }),
  ];
}
