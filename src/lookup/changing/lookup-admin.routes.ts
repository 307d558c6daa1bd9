// HTTP routes for keepers: all lists, a new list, and one list with its items.
import { z } from 'zod';
import { jsonBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import { type Route, route } from '../../http/route.ts';
import { namesByWeight } from '../../http/weighted-list.ts';
import type { Db } from '../../storage/storage.ts';
import { ListSummary } from '../reading/list-summaries.schema.ts';
import type { ListSummaries } from '../reading/list-summaries.ts';
import { ListParams } from '../stored/fields.schema.ts';
import { readableList, stateAnswer, stateResponse } from '../stored/kept-list-answer.ts';
import { findList, type StoredList } from '../stored/list.queries.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { ListRights } from '../stored/list-rights.ts';
import { NewList } from './list-changes.schema.ts';
import type { ListChanges } from './list-changes.ts';
import { attempt, authorFrom } from './list-writing.ts';

export interface AdminRoutesOptions {
  publicUrl: string;
  rights: ListRights;
  listChanges: ListChanges;
  reads: Db;
  /** Called after each change, so that this process serves it at once. */
  changed: (written?: StoredList) => Promise<void>;
  now: () => Date;
}

type WriteDocument = (lists: readonly StoredList[], format: 'yaml' | 'csv', withVersions: boolean) => Promise<string>;

export function lookupAdminRoutes({
  publicUrl,
  summaries,
  rights,
  listChanges,
  reads,
  changed,
  now,
  writeDocument,
}: AdminRoutesOptions & { summaries: ListSummaries; writeDocument: WriteDocument }): Route[] {
  return [
    route({
      method: 'GET',
      path: '/admin/lookups',
      operationId: 'getListSummaries',
      access: rights.viewers,
      tag: 'Keeping lists',
      summary: 'Lists with their versions and item counts',
      description: 'Without items, sorted by name. People who keep only some lists see only those.',
      answers: { 200: { description: 'The lists', content: { 'application/json': z.array(ListSummary) } } },
      problems: ['storage-unavailable'],
      async handle({ principal }) {
        return Response.json(await summaries(principal), { headers: noStore });
      },
    }),
    route({
      method: 'POST',
      path: '/admin/lookups',
      operationId: 'createList',
      access: rights.admins,
      tag: 'Keeping lists',
      summary: 'Add a list',
      description: 'The list is available at GET /employee/{list} at once.',
      body: jsonBody(NewList),
      answers: { 201: { ...stateAnswer, headers: { ...stateAnswer.headers, Location: 'The URL of the list' } } },
      problems: ['already-exists', 'body-too-large', 'unsupported-type', 'storage-unavailable'],
      async handle(call) {
        const { list, reason, ...settings } = call.body;
        const created = await attempt({ list }, () =>
          listChanges.create(list, settings, authorFrom(call, reason, now(), { mayKeepAll: true })),
        );
        await changed();
        const response = await stateResponse(created, 201, () => true);
        response.headers.set('Location', `${publicUrl}/admin/lookups/${list}`);
        return response;
      },
    }),
    route({
      method: 'GET',
      path: '/admin/lookups/{list}',
      operationId: 'getList',
      access: rights.viewersOfList,
      tag: 'Keeping lists',
      summary: 'A list with all details of its items',
      description:
        'With `Accept: text/csv` or `application/yaml`, the answer is a file that can be edited and applied.',
      params: ListParams,
      find: ({ list }) => findList(reads, list),
      refuseMissing: listNotFound,
      headers: z.object({ Accept: z.string().default('') }),
      answers: {
        200: {
          ...stateAnswer,
          content: { ...stateAnswer.content, 'text/csv': z.string(), 'application/yaml': z.string() },
        },
      },
      problems: ['not-found', 'storage-unavailable'],
      async handle({ principal, found: list, headers: { Accept } }) {
        const type = fileTypeFor(Accept);
        const mayName = (other: string) => rights.mayName(principal, other);
        if (type === undefined) return stateResponse(list, 200, mayName);
        const text = await writeDocument(
          [await readableList(list, mayName)],
          type === 'text/csv' ? 'csv' : 'yaml',
          true,
        );
        const fileHeaders = {
          ...noStore,
          Vary: 'Accept',
          ETag: `"${list.version}"`,
          'Content-Type': `${type}; charset=utf-8`,
        };
        return new Response(text, { headers: fileHeaders });
      },
    }),
  ];
}

/**
 * Returns the file type that the Accept header prefers to JSON, if any (RFC 9110 section 12.5.1). Ignores wildcards, and
 * tolerates weights above 1.
 */
function fileTypeFor(accept: string): 'text/csv' | 'application/yaml' | undefined {
  for (const type of namesByWeight(accept, Number.POSITIVE_INFINITY)) {
    if (type === 'text/csv' || type === 'application/yaml') return type;
    if (type === 'application/json') return undefined;
  }
  return undefined;
}
