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
        'Searches the lists that you see under /admin, in the order of their names. Lists are found by title and name. Items, including retired ones, are found by label, value, translations and codes.',
      query: SearchQuery,
      answers: { 200: { description: 'The lists and items found', content: { 'application/json': SearchResult } } },
      problems: [],
      async handle({ principal, query: { q, limit } }) {
        const lists = catalog.all().filter(({ list }) => rights.maySee(principal, list));
        lists.sort((a, b) => (a.list < b.list ? -1 : 1));
        return Response.json(await search(lists, q, limit), { headers: noStore });
      },
    }),
  ];
}
