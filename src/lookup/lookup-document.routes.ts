// Whole documents over HTTP: what one would change, and the change.
import { z } from '@hono/zod-openapi';
import { withAnyRole } from '../http/access.ts';
import { contentTypeOf, readBytes } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';
import { ChangeRefused } from './changes.ts';
import { WrongFile } from './documents/faults.ts';
import type { FileFormat, ReadDocument } from './documents/read-document.ts';
import { authorFrom } from './list-writing.ts';
import type { Author } from './lookup.queries.ts';
import { LookupDocument, Plan, Reason, VersionConflict } from './lookup.schema.ts';
import type { AdminRoutesOptions } from './lookup-admin.routes.ts';

const DocumentQuery = z.object({ reason: Reason.openapi({ description: 'Why, for the history' }) });

export function lookupDocumentRoutes({
  adminRoles,
  keeper,
  changed,
  now,
}: Omit<AdminRoutesOptions, 'publicUrl' | 'reads'>): Route[] {
  const access = withAnyRole(adminRoles);

  /** Plan and apply differ in one word. */
  function documentRoute(
    described: Pick<Route, 'path' | 'operationId' | 'summary'>,
    act: (document: LookupDocument, author: Author) => Promise<Plan>,
  ) {
    return route({
      method: 'POST',
      ...described,
      access,
      tag: 'Keeping lists',
      description:
        'What the document leaves out stays as it is; `retired: true` retires. With the `version` a list was made from, a change since then is a conflict.',
      body: { 'application/json': LookupDocument, 'application/yaml': z.string(), 'text/csv': z.string() },
      answers: { 200: { description: 'What changes', content: { 'application/json': Plan } } },
      problems: ['version-conflict', 'body-too-large', 'unsupported-type', 'storage-unavailable'],
      problemSchemas: { 'version-conflict': VersionConflict },
      query: DocumentQuery,
      async handle(call) {
        const file = await readBody(call.request);
        try {
          return Response.json(await act(file.document, authorFrom(call, call.query.reason, now())), {
            headers: noStore,
          });
        } catch (error) {
          throw error instanceof ChangeRefused ? wrongDocument(file.locate(error.faults)) : error;
        }
      },
    });
  }

  return [
    documentRoute(
      { path: '/admin/lookups/plan', operationId: 'planDocument', summary: 'What a document would change' },
      (document) => keeper.plan(document, now()),
    ),
    documentRoute(
      { path: '/admin/lookups/apply', operationId: 'applyDocument', summary: 'Apply a document, all of it or nothing' },
      async (document, author) => {
        const plan = await keeper.apply(document, author);
        await changed();
        return plan;
      },
    ),
  ];
}

const formats: Record<string, FileFormat> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/csv': 'csv',
};

async function readBody(request: Request): Promise<ReadDocument> {
  const format = formats[contentTypeOf(request)];
  if (format === undefined) throw new Problem('unsupported-type');
  // Loaded by the first who needs it, with its YAML parser: most processes never do.
  const { readDocument } = await import('./documents/read-document.ts');
  try {
    return readDocument(await readBytes(request), format);
  } catch (error) {
    throw error instanceof WrongFile ? wrongDocument(error) : error;
  }
}

function wrongDocument({ faults, hasMore }: WrongFile): Problem {
  return new Problem('invalid-request', { extension: { errors: faults, ...(hasMore && { moreErrors: true }) } });
}
