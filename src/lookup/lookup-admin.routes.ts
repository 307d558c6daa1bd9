// Keeping the lists over HTTP.
import { z } from '@hono/zod-openapi';
import { withAnyRole } from '../http/access.ts';
import { readJson } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { type AnswerDescription, type Route, route } from '../http/route.ts';
import { namesByWeight } from '../http/weighted-list.ts';
import type { Db } from '../storage/storage.ts';
import { type ListChanges, type ListPlan, undoTo } from './list-changes.ts';
import { type AuthorCall, attempt, authorFrom, readIfMatch, stateResponse } from './list-writing.ts';
import {
  boundHistory,
  readHistory,
  readLists,
  readSummaries,
  readVersions,
  type StoredList,
} from './lookup.queries.ts';
import {
  HistoryEntry,
  HistoryQuery,
  ItemChanges,
  ItemValue,
  KeptList,
  ListName,
  ListSummary,
  NewItem,
  NewList,
  NewOrder,
  Restoration,
  Retirement,
  Undo,
  VersionConflict,
} from './lookup.schema.ts';
import { planAdd, planChange, planOrder, planRestore, planRetire } from './planning.ts';

export interface AdminRoutesOptions {
  publicUrl: string;
  adminRoles: readonly string[];
  listChanges: ListChanges;
  reads: Db;
  /** Called after each change, so that this process serves it at once. */
  changed: () => Promise<void>;
  now: () => Date;
}

const listParams = z.object({ list: ListName.openapi({ example: 'position' }) });
const itemParams = listParams.extend({ value: ItemValue.openapi({ example: 'ACCOUNTANT' }) });
const stateAnswer: AnswerDescription = {
  description: 'The list as it is now',
  content: { 'application/json': KeptList },
  headers: { ETag: 'Its version' },
};
const needsVersion = { 'If-Match': 'The ETag of the version the change was made from' };

export function lookupAdminRoutes({
  publicUrl,
  adminRoles,
  listChanges,
  reads,
  changed,
  now,
}: AdminRoutesOptions): Route[] {
  const access = withAnyRole(adminRoles);

  /** A change of one list: body, plan, and what both may be refused for. */
  function writeRoute<S extends z.ZodObject>(declaration: {
    method: 'POST' | 'PATCH' | 'PUT';
    path: string;
    operationId: string;
    summary: string;
    description: string;
    body: S;
    status?: 201;
    plan: (body: z.output<S>, params: Readonly<Record<string, string>>) => ListPlan;
  }): Route {
    const { method, path, operationId, summary, description, body: schema, status = 200, plan } = declaration;
    return route({
      method,
      path,
      operationId,
      access,
      tag: 'Keeping lists',
      summary,
      description,
      params: path.includes('{value}') ? itemParams : listParams,
      requiredHeaders: needsVersion,
      body: { 'application/json': schema },
      // readJson takes no body for an empty object.
      isBodyOptional: schema.safeParse({}).success,
      answers: { [status]: stateAnswer },
      problems: [
        'not-found',
        'already-exists',
        'version-required',
        'version-conflict',
        'body-too-large',
        'unsupported-type',
        'storage-unavailable',
      ],
      problemSchemas: { 'version-conflict': VersionConflict },
      async handle(call) {
        const { request, params } = call;
        await expectKnown(params.list);
        const seen = readIfMatch(request);
        const body = await readJson(request, schema);
        const author = authorOf(call, 'reason' in body ? (body.reason as string | undefined) : undefined);
        const list = await attempt(() => listChanges.change(params.list ?? '', seen, author, plan(body, params)));
        await changed();
        return stateResponse(list, status);
      },
    });
  }

  const authorOf = (call: AuthorCall, reason: string | undefined) => authorFrom(call, reason, now());

  return [
    route({
      method: 'GET',
      path: '/admin/lookups',
      operationId: 'getListSummaries',
      access,
      tag: 'Keeping lists',
      summary: 'The lists, with versions and counts',
      description: 'Every list there is, without its items.',
      answers: { 200: { description: 'The lists', content: { 'application/json': z.array(ListSummary) } } },
      problems: ['storage-unavailable'],
      handle: async () => Response.json(await readSummaries(reads), { headers: noStore }),
    }),
    route({
      method: 'POST',
      path: '/admin/lookups',
      operationId: 'createList',
      access,
      tag: 'Keeping lists',
      summary: 'Add a list',
      description: 'GET /employee/{list} serves it at once.',
      body: { 'application/json': NewList },
      answers: { 201: { ...stateAnswer, headers: { ...stateAnswer.headers, Location: 'Its address' } } },
      problems: ['already-exists', 'body-too-large', 'unsupported-type', 'storage-unavailable'],
      async handle(call) {
        const { list, title, reason } = await readJson(call.request, NewList);
        const created = await attempt(() => listChanges.create(list, title, authorOf(call, reason)));
        await changed();
        const response = stateResponse(created, 201);
        response.headers.set('Location', `${publicUrl}/admin/lookups/${list}`);
        return response;
      },
    }),
    route({
      method: 'GET',
      path: '/admin/lookups/{list}',
      operationId: 'getList',
      access,
      tag: 'Keeping lists',
      summary: 'A list with everything about its items',
      description: 'As a file that can be edited and applied again, with `Accept: text/csv` or `application/yaml`.',
      params: listParams,
      answers: {
        200: {
          ...stateAnswer,
          content: { ...stateAnswer.content, 'text/csv': z.string(), 'application/yaml': z.string() },
        },
      },
      problems: ['not-found', 'storage-unavailable'],
      async handle({ request, params }) {
        const list = await expectList(params.list);
        const type = fileTypeFor(request.headers.get('accept') ?? '');
        if (type === undefined) return stateResponse(list, 200);
        const { writeDocument } = await import('./documents/write-document.ts');
        const text = writeDocument([list], type === 'text/csv' ? 'csv' : 'yaml', true);
        const headers = {
          ...noStore,
          Vary: 'Accept',
          ETag: `"${list.version}"`,
          'Content-Type': `${type}; charset=utf-8`,
        };
        return new Response(text, { headers });
      },
    }),
    route({
      method: 'GET',
      path: '/admin/lookups/{list}/history',
      operationId: 'getListHistory',
      access,
      tag: 'Keeping lists',
      summary: 'What changed, newest first',
      description:
        'At most 1,000 changes in one answer. Where a version has more, `changesLeftOut` says how many: ask again with `before` one above that version, and `changesFrom`.',
      params: listParams,
      query: HistoryQuery,
      answers: {
        200: {
          description: 'The versions',
          content: { 'application/json': z.array(HistoryEntry) },
          headers: { Link: 'The next page (rel="next"), while there are older versions' },
        },
      },
      problems: ['not-found', 'storage-unavailable'],
      async handle({ params, query }) {
        const list = await expectKnown(params.list);
        const entries = boundHistory(await readHistory(reads, list, query), query.changesFrom);
        const oldest = entries.at(-1)?.version ?? 1;
        const link = oldest > 1 && { Link: `<?before=${oldest}&limit=${query.limit}>; rel="next"` };
        return Response.json(entries, { headers: { ...noStore, ...link } });
      },
    }),
    writeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items',
      operationId: 'addItem',
      summary: 'Add an item',
      description: 'Behind the last one, unless `sortOrder` says where. A value is used once in a list, for good.',
      body: NewItem,
      status: 201,
      plan: (body) => (list) => planAdd(list, body),
    }),
    writeRoute({
      method: 'PATCH',
      path: '/admin/lookups/{list}/items/{value}',
      operationId: 'changeItem',
      summary: 'Change an item; its value never changes',
      description: 'What is left out stays as it is; null takes a date away.',
      body: ItemChanges,
      plan:
        (body, { value = '' }) =>
        (list) =>
          planChange(list, value, body),
    }),
    writeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items/{value}/retire',
      operationId: 'retireItem',
      summary: 'Retire an item, and name what replaces it',
      description: 'It is offered no more, and stays known to those who have stored it.',
      body: Retirement,
      plan:
        ({ replacedBy }, { value = '' }) =>
        (list) =>
          planRetire(list, value, replacedBy, now()),
    }),
    writeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/items/{value}/restore',
      operationId: 'restoreItem',
      summary: 'Bring a retired item back',
      description: 'It is active again, and has no replacement any more.',
      body: Restoration,
      plan:
        (_, { value = '' }) =>
        (list) =>
          planRestore(list, value),
    }),
    writeRoute({
      method: 'PUT',
      path: '/admin/lookups/{list}/order',
      operationId: 'orderItems',
      summary: 'Put the active items in order',
      description: 'Takes every active value once; `sortOrder` is counted anew from it.',
      body: NewOrder,
      plan:
        ({ values }) =>
        (list) =>
          planOrder(list, values),
    }),
    writeRoute({
      method: 'POST',
      path: '/admin/lookups/{list}/undo',
      operationId: 'undoListChanges',
      summary: 'The list as it was at a version, as a new version',
      description: 'What was added since is retired: nothing is deleted.',
      body: Undo,
      plan: ({ version }) => undoTo(version, now()),
    }),
  ];

  async function expectKnown(name = ''): Promise<string> {
    if (!(await readVersions(reads)).has(name)) throw new Problem('not-found');
    return name;
  }

  async function expectList(name: string | undefined): Promise<StoredList> {
    const [list] = await readLists(reads, [name ?? '']);
    if (list === undefined) throw new Problem('not-found');
    return list;
  }
}

/**
 * The file that is wanted before JSON, if one is: RFC 9110 section 12.5.1, without wildcards, and taking weights above 1.
 */
function fileTypeFor(accept: string): 'text/csv' | 'application/yaml' | undefined {
  for (const type of namesByWeight(accept, Number.POSITIVE_INFINITY)) {
    if (type === 'text/csv' || type === 'application/yaml') return type;
    if (type === 'application/json') return undefined;
  }
  return undefined;
}
