import { z } from 'zod';
import { jsonBody } from '../../http/body.ts';
import { type PreparedDocument, serveDocument, serveVariant } from '../../http/document.ts';
import { noStore } from '../../http/headers.ts';
import { type DirectCall, directRoute, optionalHeader, type Route, route } from '../../http/route.ts';
import { judgeValues } from '../rules/judging.ts';
import { standardLists } from '../rules/list.ts';
import { ListParams } from '../stored/fields.schema.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { ListRights } from '../stored/list-rights.ts';
import type { Catalog, FoundDocument } from './catalog.ts';
import type { ChangeStream } from './change-stream.ts';
import { labelsFor } from './language.ts';
import {
  AllLookups,
  LabelHeaders,
  ListHeaders,
  SelectedList,
  ValidateRequest,
  ValidateResult,
} from './lookup.schema.ts';
import { SelectionQuery, selectionFrom } from './selection.schema.ts';

interface LookupRoutesOptions {
  catalog: Catalog;
  rights: ListRights;
  stream: ChangeStream;
}

const unchanged = { 304: { description: 'Not modified', headers: { ETag: 'Its tag' } } };
type ListCall = DirectCall<unknown, z.infer<typeof SelectionQuery>, z.infer<typeof ListHeaders>>;

export function lookupRoutes({ catalog, rights, stream }: LookupRoutesOptions): Route[] {
  const { readers, readersOf } = rights;
  const described = {
    method: 'GET',
    tag: 'Lists',
    description: 'What may be chosen today. Store `value`, show `label`, sort by `sortOrder`, ignore `id`.',
    query: SelectionQuery,
    headers: ListHeaders,
    answers: {
      200: {
        description: 'The list, in display order',
        content: { 'application/json': SelectedList },
        headers: { ETag: 'Names this state of the list', 'Content-Language': 'The language of a translation' },
      },
      ...unchanged,
    },
    problems: ['not-found', 'invalid-request'],
  } as const;

  function serveList(list: string, { headers, query, principal }: ListCall): Response | Promise<Response> {
    const selection = selectionFrom(query);
    if (selection === undefined) return servePlainList(list, headers);
    const mayName = (other: string) => rights.mayName(principal, other);
    return serveFound(list, catalog.select(list, headers, selection, mayName), headers);
  }

  function servePlainList(list: string, headers: ListCall['headers']): Response | Promise<Response> {
    return serveFound(list, catalog.find(list, headers), headers);
  }

  return [
    ...Object.entries(standardLists).map(([list, names]) =>
      directRoute({
        ...described,
        ...names,
        path: `/employee/${list}`,
        access: readersOf(list),
        handlePlain: (headers) => servePlainList(list, headers),
        handle: (call) => serveList(list, call),
      }),
    ),
    directRoute({
      ...described,
      path: '/employee/{list}',
      access: readersOf(),
      operationId: 'listItems',
      summary: 'Any list, by its name',
      params: ListParams,
      handle: (call) => serveList(call.params.list, call),
    }),
    route({
      method: 'GET',
      path: '/lookups',
      operationId: 'getAllLists',
      access: readers,
      tag: 'Lists',
      summary: 'All lists in one answer',
      description: 'The answers of all lists that you may read, under one ETag, for a page with many fields.',
      headers: ListHeaders,
      answers: {
        200: {
          description: 'Each list under its name',
          content: { 'application/json': AllLookups },
          headers: { ETag: 'Names this state of all lists' },
        },
        ...unchanged,
      },
      problems: [],
      async handle({ headers, principal }) {
        const isReadable = (list: string) => rights.standingOf(principal, list) === 'readable';
        return serveDocument(await catalog.findAll(headers['Accept-Language'], isReadable), headers);
      },
    }),
    route({
      method: 'POST',
      path: '/lookups/validate',
      operationId: 'validateValues',
      access: readers,
      tag: 'Lists',
      summary: 'Are these stored values known, active, replaced?',
      description:
        'Takes values for each list, and judges them as of today. One value may stand without its array. At most 1,000 values, in all lists together. The status is the first of these that holds: `unknown-list`, `forbidden` (you may not read the list), `unknown` (value), `archived` (the list), `retired`, `scheduled`, `expired`, `not-with-parent`, `active`. `not-with-parent`: the item names values of another list it is offered with, the request has values of that list, and none of these is among them. A list that you may not read does not count, and a value that was replaced counts as its replacement. `valid` is true if all are active.',
      headers: LabelHeaders,
      body: jsonBody(ValidateRequest),
      answers: { 200: { description: 'One result for each value', content: { 'application/json': ValidateResult } } },
      problems: ['body-too-large', 'unsupported-type'],
      handle({ body, headers, principal }) {
        const results = judgeValues(body, {
          standingOf: (list) => rights.standingOf(principal, list),
          getItem: catalog.getItem,
          labelOf: labelsFor(headers['Accept-Language']),
          today: catalog.today(),
        });
        const valid = results.every(({ status }) => status === 'active');
        return Response.json({ valid, results }, { headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/lookups/changes',
      operationId: 'streamListChanges',
      access: readers,
      tag: 'Lists',
      summary: 'Server-sent events: which list changed',
      description:
        'Each event `change` has an id, which only grows, and `{"list","version"}`, for the lists that you may read. A list that a new day changes, by the dates of its items, keeps its version: its event has `"day"` as well. Resumes after `Last-Event-ID`. A person has ten open at most: one more is refused with 429, and the others stay.',
      headers: z.object({ 'Last-Event-ID': optionalHeader('The id of the last event you got') }),
      answers: { 200: { description: 'Events until it is closed', content: { 'text/event-stream': z.string() } } },
      problems: ['storage-unavailable'],
      handle: ({ headers, principal }) => stream.open(principal, headers['Last-Event-ID']),
    }),
  ];
}

function serveFound(list: string, document: FoundDocument | undefined, headers: ListCall['headers']) {
  if (document === undefined) throw listNotFound({ list });
  return document instanceof Promise
    ? document.then((made) => answerWith(made, headers))
    : answerWith(document, headers);
}

function answerWith(document: PreparedDocument, headers: ListCall['headers']): Response {
  return serveVariant(document, headers.get('Accept-Encoding') ?? undefined, headers.get('If-None-Match') ?? undefined);
}
