// HTTP routes for the past of a list: its versions, the last change of each value, and the list at a version.
import { z } from 'zod';
import type { Principal } from '../../http/access.ts';
import { DocumentHeaders, prepareOnce, serveDocument } from '../../http/document.ts';
import { noStore } from '../../http/headers.ts';
import { optionalHeader, type Route, route } from '../../http/route.ts';
import type { Db } from '../../storage/storage.ts';
import { withReadableChange, withReadableChanges } from '../rules/readable-parents.ts';
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

  async function answerForValue(
    principal: Principal,
    list: string,
    value: string,
    { before, limit }: { before?: number | undefined; limit: number },
  ) {
    const found = await readValueHistory(reads, list, value, { before, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const next = found.length > limit && `value=${value}&before=${entries.at(-1)?.version}&limit=${limit}`;
    return answer(principal, list, entries, next);
  }

  return [
    route({
      ...shared,
      path: '/admin/lookups/{list}/history',
      operationId: 'getListHistory',
      summary: 'The changes of a list, newest first',
      description:
        'One answer has at most 1,000 changes. If changes of a version are left out, `changesLeftOut` says how many: to get them, set `before` to that version plus 1, and `changesFrom` to the number of its changes that you have. With `value`, `changesFrom` is ignored.',
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
      async handle({ principal, params: { list }, query: { value, changesFrom, ...page } }) {
        if (value !== undefined) return answerForValue(principal, list, value, page);
        const entries = await readHistoryPage(reads, list, page, changesFrom);
        const oldest = entries.at(-1)?.version ?? 1;
        return answer(principal, list, entries, oldest > 1 && `before=${oldest}&limit=${page.limit}`);
      },
    }),
    route({
      ...shared,
      path: '/admin/lookups/{list}/last-changes',
      operationId: 'getLastChanges',
      summary: 'The last change of each item',
      description: 'Changes of order alone are left out: they are changes of the list, not of an item.',
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
