// What the caller may do, so that a page can offer only that.
import { z } from 'zod';
import { type Principal, signedIn } from './access.ts';
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

type PermissionChecks = Record<keyof Permissions, (principal: Principal) => boolean>;

export function permissionsRoutes(checks: PermissionChecks): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/permissions',
      operationId: 'getPermissions',
      access: signedIn,
      tag: 'Service',
      summary: 'What you may do under /admin',
      description:
        'Depends only on your roles: a change may still require a stronger sign-in. Which lists you may change is in GET /admin/lookups.',
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
  ];
}
