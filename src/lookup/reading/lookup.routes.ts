import { z } from 'zod';
import type { Principal } from '../../http/access.ts';
import { jsonBody } from '../../http/body.ts';
import { type PreparedDocument, serveDocument, serveVariant } from '../../http/document.ts';
import { noStore } from '../../http/headers.ts';
import { type DirectCall, directRoute, optionalHeader, type Route, route } from '../../http/route.ts';
import { judgeValues } from '../rules/judging.ts';
import { standardLists } from '../rules/list.ts';
import { ListParams } from '../stored/fields.schema.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { ListRights } from '../stored/list-rights.ts';
import type { Catalog } from './catalog.ts';
import type { ChangeStream } from './change-stream.ts';
import { labelsFor } from './language.ts';
import type { FoundDocument } from './list-answers.ts';
import {
  AllLookups,
  LabelHeaders,
  ListHeaders,
  ListTitles,
  SelectedList,
  TitleHeaders,
  ValidateRequest,
  ValidateResult,
} from './lookup.schema.ts';
import { SelectionQuery, selectionFrom } from './selection.schema.ts';

interface LookupRoutesOptions {
  catalog: Catalog;
  rights: ListRights;
  stream: ChangeStream;
}

const unchanged = { 304: { description: 'Not modified', headers: { ETag: 'Identifies the current state' } } };
type ListCall = DirectCall<unknown, z.infer<typeof SelectionQuery>, z.infer<typeof ListHeaders>>;

export function lookupRoutes({ catalog, rights, stream }: LookupRoutesOptions): Route[] {
  const { readers, readersOf } = rights;
  const readableBy = (principal: Principal) => (list: string) => rights.standingOf(principal, list) === 'readable';
  const described = {
    method: 'GET',
    tag: 'Lists',
    description: 'The items that can be chosen today. Store `value`, show `label`, sort by `sortOrder`, ignore `id`.',
    query: SelectionQuery,
    headers: ListHeaders,
    answers: {
      200: {
        description: 'The list, in display order',
        content: { 'application/json': SelectedList },
        headers: { ETag: 'Identifies this state of the list', 'Content-Language': 'The language of translated labels' },
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
      description: 'All lists that you may read, with one ETag, for a page with many fields.',
      headers: ListHeaders,
      answers: {
        200: {
          description: 'Each list under its name',
          content: { 'application/json': AllLookups },
          headers: { ETag: 'Identifies this state of all lists' },
        },
        ...unchanged,
      },
      problems: [],
      async handle({ headers, principal }) {
        return serveDocument(await catalog.findAll(headers['Accept-Language'], readableBy(principal)), headers);
      },
    }),
    route({
      method: 'GET',
      path: '/lookups/titles',
      operationId: 'getListTitles',
      access: readers,
      tag: 'Lists',
      summary: 'The titles and descriptions of all lists',
      description: 'The title and description of each list that you may read, in your preferred language.',
      headers: TitleHeaders,
      answers: {
        200: {
          description: 'Each title and description under the name of the list',
          content: { 'application/json': ListTitles },
          headers: { ETag: 'Identifies this state of all titles', 'Content-Language': 'The language of translations' },
        },
        ...unchanged,
      },
      problems: [],
      handle: ({ headers, principal }) =>
        serveDocument(catalog.findTitles(headers['Accept-Language'], readableBy(principal)), headers),
    }),
    route({
      method: 'POST',
      path: '/lookups/validate',
      operationId: 'validateValues',
      access: readers,
      tag: 'Lists',
      summary: 'Check whether stored values are known, active or replaced',
      description:
        'Takes the values of each list, and checks them as of today. A single value may be sent without an array. At most 1,000 values, in all lists together. The status is the first of these that applies: `unknown-list`, `forbidden` (you may not read the list), `unknown` (value), `archived` (the list), `retired`, `scheduled`, `expired`, `not-with-parent`, `active`. `not-with-parent`: the item is offered only with certain values of another list, and the request has values of that list, but not one of these. Lists that you may not read are ignored here, and a replaced value counts as its replacement. `valid` is true if all values are active.',
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
      summary: 'Server-sent events about changed lists',
      description:
        'Sends an event `change` with the data `{"list","version"}` for each change to a list that you may read. If a list changes only because of the dates of its items, its version stays the same, and the event also has `"day"`. Resumes after `Last-Event-ID`. Each person can have ten open streams. An eleventh is refused with 429, and the others stay open.',
      headers: z.object({ 'Last-Event-ID': optionalHeader('The id of the last event that you received') }),
      answers: { 200: { description: 'A stream of events', content: { 'text/event-stream': z.string() } } },
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
