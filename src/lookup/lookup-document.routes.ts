// Whole documents over HTTP: what one would change, and the change.
import { z } from '@hono/zod-openapi';
import { type Principal, withAnyRole } from '../http/access.ts';
import { contentTypeOf, invalidBody } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';
import { ChangeRefused } from './changes.ts';
import { LookupDocument, Plan } from './lookup.schema.ts';
import type { AdminRoutesOptions } from './lookup-admin.routes.ts';
import { readLookupFile, WrongFile } from './lookup-file.ts';

const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export function lookupDocumentRoutes({ adminRoles, keeper, changed, now }: Omit<AdminRoutesOptions, 'reads'>): Route[] {
  const access = withAnyRole(adminRoles);

  /** Plan and apply differ in one word. */
  function documentRoute(
    path: string,
    summary: string,
    act: (document: LookupDocument, by: Principal) => Promise<Plan>,
  ) {
    return route({
      method: 'POST',
      path,
      access,
      tag: 'Keeping lists',
      summary,
      description: 'What the document leaves out stays as it is; `retired: true` retires.',
      body: { 'application/json': LookupDocument, 'application/yaml': z.string(), 'text/csv': z.string() },
      answers: { 200: { description: 'What changes', content: { 'application/json': Plan } } },
      problems: ['unsupported-type', 'storage-unavailable'],
      async handle({ request, principal }) {
        const file = await readDocument(request);
        try {
          return Response.json(await act(file.document, principal), { headers: noStore });
        } catch (error) {
          throw error instanceof ChangeRefused ? invalidBody(file.locate(error.faults).faults) : error;
        }
      },
    });
  }

  return [
    documentRoute('/admin/lookups/plan', 'What a document would change', (document) => keeper.plan(document, now())),
    documentRoute('/admin/lookups/apply', 'Apply a document, all of it or nothing', async (document, principal) => {
      const plan = await keeper.apply(document, { by: principal.employeeId, reason: undefined, at: now() });
      await changed();
      return plan;
    }),
  ];
}

async function readDocument(request: Request) {
  const type = contentTypeOf(request);
  const isYaml = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'].includes(type);
  if (!isYaml && type !== 'text/csv') throw new Problem('unsupported-type');
  try {
    return readLookupFile(await request.text(), isYaml ? 'yaml' : 'csv');
  } catch (error) {
    throw error instanceof WrongFile ? invalidBody(error.faults) : error;
  }
}
