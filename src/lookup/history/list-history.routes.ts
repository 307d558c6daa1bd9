// HTTP routes for the past of a list: its versions, the last change to each value, and the list at a version.
import { z } from 'zod';
import { endOfPeriod, startOfPeriod } from '../../audit/audit.schema.ts';
import type { Principal } from '../../http/access.ts';
import { DocumentHeaders, prepareOnce, serveDocument } from '../../http/document.ts';
import { noStore } from '../../http/headers.ts';
import { invalidRequest } from '../../http/parse.ts';
import { optionalHeader, type Route, route } from '../../http/route.ts';
import type { Db } from '../../storage/storage.ts';
import { withReadableChange, withReadableChanges } from '../rules/readable-parents.ts';
import { hasTerms, searchable, searchTerms } from '../rules/search.ts';
import { ListParams } from '../stored/fields.schema.ts';
import { stateAnswer, stateResponse } from '../stored/kept-list-answer.ts';
import { findList, findVersion } from '../stored/list.queries.ts';
import { listNotFound } from '../stored/list-not-found.ts';
import type { ListRights } from '../stored/list-rights.ts';
import { type NamesOf, withNames } from './author-names.ts';
import {
  type EntryWithLater,
  lastChangesText,
  laterKey,
  listBefore,
  readAuthorsOf,
  readHistoryPage,
  readLaterChanges,
  readPast,
  readValueHistory,
} from './history.queries.ts';
import { HistoryEntry, LastChanges, ValueHistoryQuery, VersionParams } from './list-history.schema.ts';

interface HistoryRoutesOptions {
  rights: ListRights;
  reads: Db;
  namesOf: NamesOf;
}

/** Maximum number of authors that one name in the query can match. */
const mostAuthors = 20;

/** The query of the next page, with the same filter. */
function nextPage({ limit, value, by, since, until }: ValueHistoryQuery, before: number): string {
  const query = new URLSearchParams();
  const given = { value, before: String(before), limit: String(limit), by, since, until };
  for (const [name, text] of Object.entries(given)) if (text !== undefined) query.set(name, text);
  return query.toString();
}

export function listHistoryRoutes({ rights, reads, namesOf }: HistoryRoutesOptions): Route[] {
  const shared = {
    method: 'GET',
    access: rights.viewersOfList,
    refuseMissing: listNotFound,
    tag: 'Keeping lists',
    problems: ['not-found', 'storage-unavailable'],
  } as const;

  /** `next` is the query of the next page, or false if there is none. */
  async function answer(
    principal: Principal,
    list: string,
    entries: readonly EntryWithLater[],
    next: string | false,
  ): Promise<Response> {
    const link = next !== false && { Link: `<?${next}>; rel="next"` };
    const mayName = (other: string) => rights.mayName(principal, other);
    const laterChanges = await withNames(reads, namesOf, await readLaterChanges(reads, list, entries));
    const byKey = new Map(
      laterChanges.map((each) => [
        laterKey({ version: each.version, value: each.change.value }),
        { ...each, change: withReadableChange(each.change, mayName) },
      ]),
    );
    const named = await withNames(reads, namesOf, withReadableChanges(entries, mayName));
    const shown = named.map(({ later, ...entry }) => ({
      ...entry,
      ...(later !== undefined && { laterChange: byKey.get(laterKey(later)) }),
    }));
    return Response.json(shown, { headers: { ...noStore, ...link } });
  }

  /** The authors whose name matches these words, or the author with exactly this ID. */
  async function findAuthors(list: string, words: string): Promise<string[]> {
    const authors = await readAuthorsOf(reads, list);
    const names = await namesOf(reads, authors);
    const terms = searchTerms(words);
    const found = authors.filter((by) => by === words || hasTerms(searchable(names.get(by) ?? ''), terms));
    if (found.length > mostAuthors) {
      const message = `matches more than ${mostAuthors} people: give more of the name`;
      throw invalidRequest([{ field: 'by', message }]);
    }
    // No author has an empty ID, so this finds nothing.
    return found.length === 0 ? [''] : found;
  }

  return [
    route({
      ...shared,
      path: '/admin/lookups/{list}/history',
      operationId: 'getListHistory',
      summary: 'The changes of a list, newest first',
      description:
        'One answer contains at most 1,000 changes. If changes of a version are left out, `changesLeftOut` says how many. To get them, set `before` to that version plus 1, and `changesFrom` to the number of its changes that you have. With `value`, `changesFrom` is ignored.',
      params: ListParams,
      find: ({ list }) => findVersion(reads, list),
      query: ValueHistoryQuery,
      answers: {
        200: {
          description: 'The versions',
          content: { 'application/json': z.array(HistoryEntry) },
          headers: { Link: 'The next page (rel="next"), if there are older versions' },
        },
      },
      async handle({ principal, params: { list }, query }) {
        const { value, before, limit, changesFrom, by, since, until } = query;
        const page = {
          before,
          limit: limit + 1,
          by: by === undefined ? undefined : await findAuthors(list, by),
          since: since === undefined ? undefined : startOfPeriod(since),
          until: until === undefined ? undefined : endOfPeriod(until),
        };
        const found =
          value === undefined
            ? await readHistoryPage(reads, list, page, changesFrom)
            : await readValueHistory(reads, list, value, page);
        const entries = found.slice(0, limit);
        const next = found.length > limit && nextPage(query, entries.at(-1)?.version ?? 1);
        return answer(principal, list, entries, next);
      },
    }),
    route({
      ...shared,
      path: '/admin/lookups/{list}/last-changes',
      operationId: 'getLastChanges',
      summary: 'The last change to each item',
      description: 'Leaves out changes that only reorder items, because such a change affects the list, not the item.',
      params: ListParams,
      find: ({ list }) => findVersion(reads, list),
      headers: DocumentHeaders.extend({ 'If-None-Match': optionalHeader('The ETag of your copy') }),
      answers: {
        200: {
          description: 'The changes',
          content: { 'application/json': LastChanges },
          headers: { ETag: 'Identifies this answer' },
        },
        304: { description: 'Not modified' },
      },
      async handle({ params: { list }, headers }) {
        const text = await lastChangesText(reads, list, namesOf);
        return serveDocument(prepareOnce(text, { ...noStore, 'Content-Type': 'application/json' }), headers);
      },
    }),
    route({
      ...shared,
      path: '/admin/lookups/{list}/versions/{version}',
      operationId: 'getListVersion',
      summary: 'The list as it was at a version',
      description: 'With its settings at that time, and without items that were added later.',
      params: VersionParams,
      find: async ({ list, version }) =>
        version <= ((await findVersion(reads, list)) ?? 0) ? findList(reads, list) : undefined,
      answers: { 200: { ...stateAnswer, description: 'The list as it was' } },
      async handle({ principal, params: { version }, found: present }) {
        const list = { ...listBefore(present, await readPast(reads, present.list, version)), version };
        return stateResponse(list, 200, (other) => rights.mayName(principal, other));
      },
    }),
  ];
}
