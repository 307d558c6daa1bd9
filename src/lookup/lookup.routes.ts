import { z } from '@hono/zod-openapi';
import { withAnyRole } from '../http/access.ts';
import { serveDocument } from '../http/document.ts';
import { Problem } from '../http/problem.ts';
import { type IncomingCall, type Route, route } from '../http/route.ts';
import type { Catalog } from './catalog.ts';
import { LookupList, listName } from './lookup.schema.ts';

interface LookupRoutesOptions {
  catalog: Catalog;
  /** Roles that may read the lists; none named means every signed-in person. */
  readRoles: readonly string[];
}

/** The interface's own. Others are data: the last route serves whatever list there is. */
const standardLists = {
  position: 'Employee positions',
  'overtime-eligibility': 'Employee overtime eligibility statuses',
  'employment-type': 'Employment types',
  'employee-level': 'Employee levels',
};

export function lookupRoutes({ catalog, readRoles }: LookupRoutesOptions): Route[] {
  const listRoute = (path: string, summary: string, listOf: (params: IncomingCall['params']) => string) =>
    route({
      method: 'GET',
      path,
      access: withAnyRole(readRoles),
      direct: true,
      tag: 'Lists',
      summary,
      ...(path.includes('{') && { params: z.object({ list: listName.openapi({ example: 'position' }) }) }),
      requestHeaders: { 'If-None-Match': 'The ETag of the list you have: an unchanged one costs a 304' },
      answers: {
        200: {
          description: 'The list, in display order',
          content: { 'application/json': LookupList },
          headers: { ETag: 'Names this state of the list' },
        },
        304: { description: 'The list is still the one named by If-None-Match', headers: { ETag: 'Its name' } },
      },
      problems: ['not-found'],
      handle({ request, params }) {
        const document = catalog.find(listOf(params));
        if (document === undefined) throw new Problem('not-found');
        return serveDocument(document, request);
      },
    });
  return [
    ...Object.entries(standardLists).map(([list, summary]) => listRoute(`/employee/${list}`, summary, () => list)),
    listRoute('/employee/{list}', 'Any list, by its name', ({ list = '' }) => list),
  ];
}
