// Whole documents over HTTP: what one would change, and the change.
import { z } from '@hono/zod-openapi';
import { withAnyRole } from '../http/access.ts';
import { contentTypeOf, invalidBody, readBytes } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';
import { ChangeRefused } from './changes.ts';
import { authorFrom } from './list-writing.ts';
import type { Author } from './lookup.queries.ts';
import { LookupDocument, Plan, Reason } from './lookup.schema.ts';
import type { AdminRoutesOptions } from './lookup-admin.routes.ts';

const DocumentQuery = z.object({ reason: Reason.openapi({ description: 'Why, for the history' }) });

export function lookupDocumentRoutes({ adminRoles, keeper, changed, now }: Omit<AdminRoutesOptions, 'reads'>): Route[] {
  const access = withAnyRole(adminRoles);

  /** Plan and apply differ in one word. */
  function documentRoute(
    path: string,
    summary: string,
    act: (document: LookupDocument, author: Author) => Promise<Plan>,
  ) {
    return route({
      method: 'POST',
      path,
      access,
      tag: 'Keeping lists',
      summary,
      description:
        'What the document leaves out stays as it is; `retired: true` retires. With the `version` a list was made from, a change since then is a conflict.',
      body: { 'application/json': LookupDocument, 'application/yaml': z.string(), 'text/csv': z.string() },
      answers: { 200: { description: 'What changes', content: { 'application/json': Plan } } },
      problems: ['version-conflict', 'body-too-large', 'unsupported-type', 'storage-unavailable'],
      query: DocumentQuery,
      async handle(call) {
        const file = await readDocument(call.request);
        try {
          return Response.json(await act(file.document, authorFrom(call, call.query.reason, now())), {
            headers: noStore,
          });
        } catch (error) {
          throw error instanceof ChangeRefused ? invalidBody(file.locate(error.faults).faults) : error;
        }
      },
    });
  }

  return [
    documentRoute('/admin/lookups/plan', 'What a document would change', (document) => keeper.plan(document, now())),
    documentRoute('/admin/lookups/apply', 'Apply a document, all of it or nothing', async (document, author) => {
      const plan = await keeper.apply(document, author);
      await changed();
      return plan;
    }),
  ];
}

async function readDocument(request: Request) {
  const type = contentTypeOf(request);
  const isYaml = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'].includes(type);
  if (!isYaml && type !== 'text/csv') throw new Problem('unsupported-type');
  // Loaded by the first who needs it, with its YAML parser: most processes never do.
  const { readLookupFile, WrongFile } = await import('./lookup-file.ts');
  try {
    return readLookupFile(await readBytes(request), isYaml ? 'yaml' : 'csv');
  } catch (error) {
    throw error instanceof WrongFile ? invalidBody(error.faults) : error;
  }
}
