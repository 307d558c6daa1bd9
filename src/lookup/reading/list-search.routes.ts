// Searches lists and items for keepers, by title, name, label, value, translation and code. Searches in memory, with
// pauses for other requests, because searching 50,000 items in several languages takes tens of milliseconds, and the
// first search takes hundreds.
import { KeptOnRequest } from '../../base/kept-on-request.ts';
import { Pauses } from '../../base/pauses.ts';
import { noStore } from '../../http/headers.ts';
import { type Route, route } from '../../http/route.ts';
import type { KeptItem } from '../rules/item.ts';
import { hasTerms, searchable, searchTerms } from '../rules/search.ts';
import type { StoredList } from '../stored/list.queries.ts';
import type { ListRights } from '../stored/list-rights.ts';
import type { Catalog } from './catalog.ts';
import { SearchQuery, SearchResult } from './list-search.schema.ts';

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
        'Searches the lists that you see under /admin, in the order of their names. Lists are found by title, in every language, and by name. Items, including retired ones, are found by label, value, translations and codes.',
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

/** Finds at most `limit` lists and `limit` items, in the order of `lists`. */
type SearchLists = (lists: readonly StoredList[], words: string, limit: number) => Promise<SearchResult>;

/** The cache takes at most twice this amount. */
const keptBytes = 32 * 1024 * 1024;
/** The memory that a text takes in addition to its characters. */
const objectBytes = 50;
const itemsBetween = 200;

function createListSearch(): SearchLists {
  // For each item, one text that contains everything it can be found by. Searching it rules out most items quickly.
  const known = new KeptOnRequest<string[]>(keptBytes, (texts) =>
    texts.reduce((sum, text) => sum + text.length + objectBytes, 0),
  );
  const textsOf = (list: StoredList, pauses: Pauses) =>
    known.getOrMake(`${list.list} ${list.version} ${list.updatedAt}`, () =>
      pauses.map(list.items, (item) => namesOf(item).map(searchable).join('\n')),
    );

  async function findItems(
    stored: StoredList,
    terms: readonly string[],
    most: number,
    pauses: Pauses,
  ): Promise<SearchResult['items']> {
    const { list, title, items } = stored;
    const texts = await textsOf(stored, pauses);
    const found: SearchResult['items'] = [];
    for (let index = 0; index < items.length && found.length < most; index++) {
      if (index % itemsBetween === 0) await pauses.ifDue();
      const item = items[index] as KeptItem;
      // All words must be in the same text: an item with one word in its label and another in a code does not match.
      const match = hasTerms(texts[index] ?? '', terms) ? findMatch(namesOf(item), terms) : undefined;
      if (match === undefined) continue;
      const { value, label, status } = item;
      found.push({ list, title, value, label, match, status });
    }
    return found;
  }

  return async (lists, words, limit) => {
    const pauses = new Pauses();
    const terms = searchTerms(words);
    const result: SearchResult = { lists: [], items: [] };
    for (const list of lists) {
      const match = findMatch([list.title, list.list, ...Object.values(list.titles)], terms);
      if (match !== undefined && result.lists.length < limit) {
        result.lists.push({ list: list.list, title: list.title, match });
      }
      const left = limit - result.items.length;
      if (left > 0) result.items.push(...(await findItems(list, terms, left, pauses)));
    }
    return result;
  };
}

/** The texts that an item can be found by, the best-known first. */
const namesOf = ({ label, value, labels, codes }: KeptItem) => [
  label,
  value,
  ...Object.values(labels),
  ...Object.values(codes),
];

const findMatch = (names: readonly string[], terms: readonly string[]) =>
  names.find((name) => hasTerms(searchable(name), terms));
