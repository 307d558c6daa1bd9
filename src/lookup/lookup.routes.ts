import { z } from '@hono/zod-openapi';
import { type Access, withAnyRole } from '../http/access.ts';
import { checkBody, faultsIn, invalidRequest, readJsonValue } from '../http/body.ts';
import { serveDocument } from '../http/document.ts';
import { plainTexts } from '../http/fault-text.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import { type IncomingCall, type Route, route } from '../http/route.ts';
import { isObject } from '../telemetry/guards.ts';
import { type Catalog, isValidOn, type Selection } from './catalog.ts';
import type { ChangeStream } from './change-stream.ts';
import { AllLookups, ItemValue, ListName, LookupList, ValidateRequest, ValidateResult } from './lookup.schema.ts';

/** That `POST /lookups/validate` judges at once. Said in its description, too. */
const mostValues = 1000;

interface LookupRoutesOptions {
  catalog: Catalog;
  stream: ChangeStream;
  /** Roles that may read the lists; none named means every signed-in person. */
  readRoles: readonly string[];
}

/** The interface's own. Others are data: the last list route serves whatever list there is. */
const standardLists = {
  position: { operationId: 'listPositions', summary: 'Employee positions' },
  'overtime-eligibility': {
    operationId: 'listOvertimeEligibilities',
    summary: 'Employee overtime eligibility statuses',
  },
  'employment-type': { operationId: 'listEmploymentTypes', summary: 'Employment types' },
  'employee-level': { operationId: 'listEmployeeLevels', summary: 'Employee levels' },
};

/** What a list may be asked for, beyond the plain one. Checked by readSelection: the plain list reads no query. */
const SelectionQuery = z.object({
  include: z
    .array(ItemValue)
    .max(100, 'must be 100 values at most')
    .optional()
    .openapi({ description: 'A value to show although it is retired or not valid that day. May be repeated' }),
  asOf: z.iso
    .date('must be one date like 2027-01-31')
    .optional()
    .openapi({ description: 'The list of that day, by its dates and retirements' }),
});

const unchanged = { 304: { description: 'Still the one named by If-None-Match', headers: { ETag: 'Its name' } } };
const requestHeaders = {
  'If-None-Match': 'The ETag of what you have: if it is unchanged, that costs a 304',
  'Accept-Language': 'The languages wanted for labels; items without a translation keep their own',
};

export function lookupRoutes({ catalog, stream, readRoles }: LookupRoutesOptions): Route[] {
  const access = withAnyRole(readRoles);
  return [
    ...Object.entries(standardLists).map(([list, described]) =>
      listRoute(catalog, access, { path: `/employee/${list}`, ...described }, () => list),
    ),
    listRoute(
      catalog,
      access,
      { path: '/employee/{list}', operationId: 'listItems', summary: 'Any list, by its name' },
      ({ list = '' }) => list,
    ),
    route({
      method: 'GET',
      path: '/lookups',
      operationId: 'getAllLists',
      access,
      tag: 'Lists',
      summary: 'All lists in one answer',
      description: 'What each list answers by itself, under one ETag: for a page with many fields.',
      requestHeaders,
      answers: {
        200: {
          description: 'Each list under its name',
          content: { 'application/json': AllLookups },
          headers: { ETag: 'Names this state of all lists' },
        },
        ...unchanged,
      },
      problems: [],
      handle: async ({ headers }) => serveDocument(await catalog.findAll(headers), headers),
    }),
    route({
      method: 'POST',
      path: '/lookups/validate',
      operationId: 'validateValues',
      access,
      tag: 'Lists',
      summary: 'Are these stored values known, active, replaced?',
      description:
        'Takes a value, or several, for each list, and judges them as of today. At most 1,000 values, in all lists together.',
      body: { 'application/json': ValidateRequest },
      answers: { 200: { description: 'One result for each value', content: { 'application/json': ValidateResult } } },
      problems: ['body-too-large', 'unsupported-type'],
      async handle({ request }) {
        const sent = await readJsonValue(request);
        expectFewValues(sent);
        const wanted = checkBody(sent, ValidateRequest);
        const results = Object.entries(wanted).flatMap(([list, values]) =>
          [values].flat().map((value) => judge(catalog, list, value)),
        );
        const valid = results.every(({ status }) => status === 'active');
        return Response.json({ valid, results }, { headers: noStore });
      },
    }),
    route({
      method: 'GET',
      path: '/lookups/changes',
      operationId: 'streamListChanges',
      access,
      tag: 'Lists',
      summary: 'Server-sent events: which list changed',
      description:
        'Each event `change` has an id, which only grows, and `{"list","version"}`. A list that a new day changes, by the dates of its items, keeps its version: its event has `"day"` as well. Resumes after `Last-Event-ID`. A person has ten open at most: one more is refused with 429, and the others stay.',
      requestHeaders: { 'Last-Event-ID': 'The id of the last event you got' },
      answers: { 200: { description: 'Events until you leave', content: { 'text/event-stream': z.string() } } },
      problems: ['storage-unavailable'],
      handle: ({ headers, principal }) => stream.open(principal, headers.get('last-event-id')),
    }),
  ];
}

function listRoute(
  catalog: Catalog,
  access: Extract<Access, { kind: 'signed-in' }>,
  described: Pick<Route, 'path' | 'operationId' | 'summary'>,
  listOf: (params: IncomingCall['params']) => string,
): Route {
  return route({
    method: 'GET',
    ...described,
    access,
    direct: true,
    tag: 'Lists',
    description: 'What may be chosen today. Store `value`, show `label`, sort by `sortOrder`, ignore `id`.',
    ...(described.path.includes('{') && { params: z.object({ list: ListName.openapi({ example: 'position' }) }) }),
    documentedQuery: SelectionQuery,
    requestHeaders,
    answers: {
      200: {
        description: 'The list, in display order',
        content: { 'application/json': LookupList },
        headers: { ETag: 'Names this state of the list', 'Content-Language': 'The language of a translation' },
      },
      ...unchanged,
    },
    problems: ['not-found', 'invalid-request'],
    handle({ headers, search, params }) {
      const list = listOf(params);
      const selection = readSelection(search);
      const document = selection === undefined ? catalog.find(list, headers) : catalog.select(list, headers, selection);
      if (document === undefined) throw new Problem('not-found');
      return serveDocument(document, headers);
    },
  });
}

/** Undefined for the plain list, which almost every request is for. */
function readSelection(search: string): Selection | undefined {
  if (search === '') return undefined;
  const query = new URLSearchParams(search);
  if (!query.has('include') && !query.has('asOf')) return undefined;
  const days = query.getAll('asOf');
  const parsed = SelectionQuery.safeParse(
    {
      include: query.getAll('include'),
      asOf: days.length > 1 ? days : days[0],
    },
    plainTexts,
  );
  if (!parsed.success) throw invalidRequest(faultsIn(parsed.error));
  return { asOf: parsed.data.asOf, include: parsed.data.include ?? [] };
}

/** Counted before each is looked at, well-formed or not. */
function expectFewValues(sent: unknown): void {
  const lists = isObject(sent) ? Object.values(sent) : [];
  const count = lists.reduce((sum: number, values) => sum + (Array.isArray(values) ? values.length : 1), 0);
  if (count <= mostValues) return;
  throw invalidRequest([{ field: '', message: `must have ${mostValues} values at most, in all lists together` }]);
}

function judge(catalog: Catalog, list: string, value: string): ValidateResult['results'][number] {
  const item = catalog.getItem(list, value);
  if (item === undefined) return { list, value, status: 'unknown', replacedBy: null, retiredAt: null };
  const { replacedBy, retiredAt, validFrom } = item;
  const today = catalog.today();
  if (item.status === 'retired') return { list, value, status: 'retired', replacedBy, retiredAt };
  if (isValidOn(item, today)) return { list, value, status: 'active', replacedBy, retiredAt };
  const status = validFrom !== null && today < validFrom ? 'scheduled' : 'expired';
  return { list, value, status, replacedBy, retiredAt };
}
