// HTTP routes for documents of lists: plan what a document would change, or apply it.
import { z } from 'zod';
import type { Principal, SignedIn } from '../../http/access.ts';
import { fileBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import { Problem } from '../../http/problem.ts';
import { type Route, route } from '../../http/route.ts';
import { VersionConflict } from '../changing/list-changes.schema.ts';
import { authorFrom } from '../changing/list-writing.ts';
import type { AdminRoutesOptions } from '../changing/lookup-admin.routes.ts';
import { LookupDocument, Plan } from '../changing/lookup-document.schema.ts';
import type { PlanBytes, PlannableDocument } from '../changing/plan-document.ts';
import type { Author } from '../changing/version.queries.ts';
import { largestDocumentBytes } from '../rules/list.ts';
import { Reason } from '../stored/fields.schema.ts';
import type { DocumentReader } from './document-reader.ts';
import { WrongFile } from './faults.ts';
import type { FileFormat } from './read-document.ts';

type DocumentRoutesOptions = Omit<AdminRoutesOptions, 'publicUrl' | 'reads'> & { reader: DocumentReader };

const DocumentQuery = z.object({
  reason: Reason.meta({ description: 'The reason for the change, for the history' }),
  mirror: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Overrides `mirror` in the document. Also works for CSV' }),
});

export function lookupDocumentRoutes({ rights, listChanges, reader, changed, now }: DocumentRoutesOptions): Route[] {
  function documentRoute(
    described: Pick<Route, 'path' | 'operationId' | 'summary'> & { access: SignedIn },
    may: { one: (principal: Principal, list: string) => boolean; all: (principal: Principal) => boolean },
    act: (document: PlannableDocument, author: Author) => Promise<PlanBytes>,
  ) {
    return route({
      method: 'POST',
      ...described,
      tag: 'Keeping lists',
      description:
        'Whatever the document leaves out does not change; `retired: true` retires an item. With `mirror`, existing items that are missing from the `items` of a list are retired. If the document gives the `version` of a list that it is based on, a later change to that list causes a conflict. The answer contains the first 1,000 changes; `counts` includes all of them.',
      body: fileBody(
        formats,
        {
          'application/json': LookupDocument,
          'application/yaml': z.string(),
          'text/csv': z.string(),
        },
        { mostBytes: largestDocumentBytes, mostOfPerson: 4 },
      ),
      answers: { 200: { description: 'The changes', content: { 'application/json': Plan } } },
      problems: [
        'version-conflict',
        'body-too-large',
        'unsupported-type',
        'documents-busy',
        'document-too-slow',
        'storage-unavailable',
      ],
      problemSchemas: { 'version-conflict': VersionConflict },
      query: DocumentQuery,
      async handle(call) {
        const { principal } = call;
        const mayName = (list: string) => rights.mayName(principal, list);
        const author = authorFrom(call, call.query.reason, now(), { mayKeepAll: may.all(principal), mayName });
        const use = (document: PlannableDocument) => {
          if (!document.names.every((list) => may.one(principal, list))) throw new Problem('forbidden');
          return act(document, author);
        };
        const sent = { ...call.body, person: principal.employeeId, mirror: call.query.mirror };
        try {
          return new Response(await reader.read(sent, use), { headers: planHeaders });
        } catch (error) {
          throw error instanceof WrongFile ? wrongDocument(error) : error;
        }
      },
    });
  }

  return [
    documentRoute(
      {
        path: '/admin/lookups/plan',
        operationId: 'planDocument',
        summary: 'Show what a document would change',
        access: rights.planners,
      },
      { one: rights.mayPlan, all: rights.mayPlanAll },
      (document, author) => listChanges.plan(document, author),
    ),
    documentRoute(
      {
        path: '/admin/lookups/apply',
        operationId: 'applyDocument',
        summary: 'Apply a document as a whole, or not at all',
        access: rights.keepers,
      },
      { one: rights.mayKeep, all: rights.mayKeepAll },
      async (document, author) => {
        const plan = await listChanges.apply(document, author);
        await changed();
        return plan;
      },
    ),
  ];
}

const planHeaders = { ...noStore, 'Content-Type': 'application/json' };

const formats = new Map<string, FileFormat>([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['text/csv', 'csv'],
]);

function wrongDocument({ faults, hasMore }: WrongFile): Problem {
  return new Problem('invalid-request', { extension: { errors: faults, ...(hasMore && { moreErrors: true }) } });
}
