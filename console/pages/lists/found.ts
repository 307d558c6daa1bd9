// What a search over lists, values and pages finds. Pure.
import { hasTerms, searchable, searchTerms } from '../../../src/lookup/rules/search.ts';
import { sharedListTexts, shownTitle } from '../../lists/texts.ts';
import { browserLocale } from '../../parts/catalogue.ts';
import type { Place } from '../../routes.ts';
import type { ListSummary, Permissions, SearchResult } from '../../shell/api.ts';
import { shellTexts } from '../../shell/texts.ts';
import { listsTexts as texts } from './texts.ts';

export interface Found {
  id: string;
  name: string;
  /** The text that matched, if it was not the name. */
  match?: string;
  /** The title of the value's list. */
  title?: string;
  isRetired: boolean;
  place: Place;
}

export interface FoundSection {
  id: 'lists' | 'values';
  name: string;
  found: Found[];
}

const titlesOf = (summaries: readonly ListSummary[]) =>
  new Map(summaries.map((summary) => [summary.list, shownTitle(summary)]));

function foundValues(items: SearchResult['items'], summaries: readonly ListSummary[]): Found[] {
  const titles = titlesOf(summaries);
  return items.map(({ list, title, value, label, match, status }) => ({
    // The ID is unique, since list names have no slash.
    id: `${list}/${value}`,
    name: label,
    ...(match !== label && { match }),
    title: titles.get(list) ?? title,
    isRetired: status === 'retired',
    place: { page: 'value', list, value },
  }));
}

/** Empty sections are left out. */
export function foundSections({ lists, items }: SearchResult, summaries: readonly ListSummary[]): FoundSection[] {
  const titles = titlesOf(summaries);
  const sections: FoundSection[] = [
    {
      id: 'lists',
      name: shellTexts.lists,
      found: lists.map(({ list, title, match }) => ({
        id: list,
        name: titles.get(list) ?? title,
        ...(match !== title && match !== list && match !== titles.get(list) && { match }),
        isRetired: false,
        place: { page: 'list', list },
      })),
    },
    {
      id: 'values',
      name: sharedListTexts.values,
      found: foundValues(items, summaries),
    },
  ];
  return sections.filter(({ found }) => found.length > 0);
}

/** Maximum number of entries in each section of the Ctrl+K dialog. */
const most = { lists: 6, pages: 8, add: 4, values: 12 };

/** An entry without a place opens the overview of keyboard shortcuts. */
export type GoToEntry = Omit<Found, 'place'> & { place?: Place };

export interface GoToSection {
  id: 'lists' | 'pages' | 'add' | 'values';
  name: string;
  entries: GoToEntry[];
}

interface GoToInput {
  text: string;
  place: Place | undefined;
  permissions: Permissions;
  lists: readonly ListSummary[];
  /** The values that the service found. */
  items: SearchResult['items'];
}

const { compare } = new Intl.Collator(browserLocale);

/**
 * The entries that match this text, without empty sections. Values arrive later, because the service finds them. They
 * come last, so that their arrival does not change what Enter opens.
 */
export function goToSections({ text, place, permissions, lists, items }: GoToInput): GoToSection[] {
  const terms = searchTerms(text);
  const isFound = (...names: string[]) => hasTerms(names.map(searchable).join('\n'), terms);
  const here = place !== undefined && 'list' in place ? lists.find(({ list }) => list === place.list) : undefined;
  const isEmpty = terms.length === 0;
  const ordered = isEmpty
    ? lists.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    : lists.toSorted((a, b) => compare(shownTitle(a), shownTitle(b)));
  const foundLists = ordered.filter(({ list, title, titles }) =>
    [title, list, ...Object.values(titles)].some((name) => isFound(name)),
  );
  const pages = pagesFor(permissions, here, lists).filter(({ name, title = '' }) => isFound(`${name} ${title}`));
  // With two or more words, such as “position history”, the pages of other lists are found too.
  const others = terms.length < 2 ? [] : ordered.filter(({ list }) => list !== here?.list);
  const ofOthers = others.flatMap((list) => pagesOf(list).filter(({ name, title }) => isFound(`${name} ${title}`)));
  const kept = (isEmpty ? [here] : [here, ...ordered]).filter((list) => list?.mayKeep === true);
  const adding = [...new Set(kept)]
    .filter((list) => list !== undefined)
    .map((list): GoToEntry => ({ ...entryOf('add', texts.addValueTo(shownTitle(list)), 'new-value', list) }))
    .filter(({ name }) => isFound(name));
  const sections: GoToSection[] = [
    {
      id: 'lists',
      name: isEmpty ? texts.lastChanged : shellTexts.lists,
      entries: foundLists.slice(0, most.lists).map((list) => entryOf('list', shownTitle(list), 'list', list)),
    },
    { id: 'add', name: texts.addValue, entries: adding.slice(0, most.add) },
    { id: 'pages', name: texts.pages, entries: [...pages, ...ofOthers.slice(0, most.pages)] },
    {
      id: 'values',
      name: sharedListTexts.values,
      entries: isEmpty ? [] : foundValues(items, lists).slice(0, most.values),
    },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

type PageOfList = 'list' | 'new-value' | 'translations' | 'history' | 'list-import' | 'settings';

const entryOf = (kind: string, name: string, page: PageOfList, { list }: ListSummary): GoToEntry => ({
  id: `${kind} ${list}`,
  name,
  isRetired: false,
  place: { page, list },
});

function pagesFor(permissions: Permissions, here: ListSummary | undefined, lists: readonly ListSummary[]): GoToEntry[] {
  const page = (name: string, place?: Place): GoToEntry => ({
    id: `page ${place?.page ?? 'keyboard'}`,
    name,
    isRetired: false,
    ...(place !== undefined && { place }),
  });
  const mayImport = permissions.createLists || lists.some(({ mayKeep }) => mayKeep);
  return [
    ...(here === undefined ? [] : pagesOf(here)),
    page(shellTexts.home, { page: 'home' }),
    ...(permissions.seeLists ? [page(shellTexts.lists, { page: 'lists' })] : []),
    ...(permissions.seeLists && mayImport ? [page(sharedListTexts.import, { page: 'import' })] : []),
    page(shellTexts.preview, { page: 'preview' }),
    ...(permissions.readAudit ? [page(shellTexts.audit, { page: 'audit', query: '' })] : []),
    page(shellTexts.profile, { page: 'profile' }),
    page(shellTexts.keyboard),
  ];
}

/** The pages of a list, except the page with its values. */
function pagesOf(list: ListSummary): GoToEntry[] {
  const pages: [PageOfList, string][] = [
    ['translations', sharedListTexts.translations],
    ['history', sharedListTexts.history],
    ...(list.mayKeep ? [['list-import', sharedListTexts.import] satisfies [PageOfList, string]] : []),
    ['settings', sharedListTexts.settings],
  ];
  return pages.map(([page, name]) => ({ ...entryOf(page, name, page, list), title: shownTitle(list) }));
}
