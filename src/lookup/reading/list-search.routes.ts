import { noStore } from '../../http/headers.ts';
import { type Route, route } from '../../http/route.ts';
import type { ListRights } from '../stored/list-rights.ts';
import type { Catalog } from './catalog.ts';
import { SearchQuery, SearchResult } from './list-search.schema.ts';
import { createListSearch } from './list-search.ts';

interface SearchRoutesOptions {
  catalog: Pick<Catalog, 'all'>;
  rights: ListRights;
}

export function listSearchRoutes({ catalog, rights }: SearchRoutesOptions): Route[] {
  const search = createListSearch();
  return [
    route({
      method: 'GET',
      path: '/admin/search',
      operationId: 'searchLists',
      access: rights.viewers,
      tag: 'Keeping lists',
      summary: 'Search lists and items',
      description:
        'Over the lists that you see under /admin, by name: lists by their title and name, items by label, value, translations and codes, retired ones as well.',
      query: SearchQuery,
      answers: { 200: { description: 'What was found', content: { 'application/json': SearchResult } } },
      problems: [],
      async handle({ principal, query: { q, limit } }) {
        const lists = catalog.all().filter(({ list }) => rights.maySee(principal, list));
        lists.sort((a, b) => (a.list < b.list ? -1 : 1));
        return Response.json(await search(lists, q, limit), { headers: noStore });
      },
    }),
  ];
}
