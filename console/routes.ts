// The addresses of the console's pages, after the #, and the filters in them.
import { listNamePattern, valuePattern } from '../src/lookup/rules/names.ts';
import { isDay, startOfDay } from './parts/catalogue.ts';

type SimplePage = 'home' | 'lists' | 'import' | 'preview' | 'profile';
type ListPage = 'list' | 'new-value' | 'translations' | 'list-import' | 'settings';

export type Place =
  | { page: SimplePage }
  | { page: 'audit'; query: string }
  | { page: ListPage; list: string }
  | { page: 'history'; list: string; query?: string }
  | { page: 'value'; list: string; value: string }
  /** `against` is the version to compare with, if it is not the current one. */
  | { page: 'version'; list: string; version: number; against?: number };

const simplePages: Record<string, SimplePage> = {
  '': 'home',
  lists: 'lists',
  import: 'import',
  preview: 'preview',
  profile: 'profile',
};
const listPages: Record<string, ListPage> = {
  '': 'list',
  new: 'new-value',
  translations: 'translations',
  import: 'list-import',
  settings: 'settings',
};

const listName = new RegExp(`^${listNamePattern}$`);
const itemValue = new RegExp(`^${valuePattern}$`);
const own = <T>(table: Record<string, T>, name: string) => (Object.hasOwn(table, name) ? table[name] : undefined);

/** Returns undefined if there is no page at this address. */
export function placeOf(hash: string): Place | undefined {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?');
  const [section = '', list = '', part = '', detail = '', ...rest] = path.split('/');
  if (rest.length > 0) return undefined;
  if (section === 'audit' && list === '') return { page: 'audit', query };
  if (list === '') {
    const page = own(simplePages, section);
    return page === undefined ? undefined : { page };
  }
  if (section !== 'lists' || !listName.test(list)) return undefined;
  if (part === 'values' && itemValue.test(detail)) return { page: 'value', list, value: detail };
  if (part === 'history' && isVersion(detail)) {
    const against = new URLSearchParams(query).get('with') ?? '';
    return { page: 'version', list, version: Number(detail), ...(isVersion(against) && { against: Number(against) }) };
  }
  if (part === 'history' && detail === '') return { page: 'history', list, ...(query !== '' && { query }) };
  const page = detail === '' ? own(listPages, part) : undefined;
  return page === undefined ? undefined : { page, list };
}

const isVersion = (text: string) => /^[1-9][0-9]{0,8}$/.test(text);

const nameIn = <T extends string>(table: Record<string, T>, page: T) =>
  Object.keys(table).find((name) => table[name] === page) ?? '';

export function addressOf(place: Place): string {
  switch (place.page) {
    case 'audit':
      return `#/audit${place.query === '' ? '' : `?${place.query}`}`;
    case 'value':
      return `#/lists/${place.list}/values/${place.value}`;
    case 'version':
      return `#/lists/${place.list}/history/${place.version}${place.against === undefined ? '' : `?with=${place.against}`}`;
    case 'history':
      return `#/lists/${place.list}/history${place.query === undefined ? '' : `?${place.query}`}`;
    case 'home':
    case 'lists':
    case 'import':
    case 'preview':
    case 'profile':
      return `#/${nameIn(simplePages, place.page)}`;
    default: {
      const part = nameIn(listPages, place.page);
      return `#/lists/${place.list}${part === '' ? '' : `/${part}`}`;
    }
  }
}

/** Identifies the page at a place. The panel of a value has the same key as the page of its list. */
export function pageKey(place: Place | undefined): string {
  if (place === undefined) return '';
  const kind = place.page === 'value' || place.page === 'new-value' ? 'list' : place.page;
  return `${kind} ${'list' in place ? place.list : ''}`;
}

/** The navigation entry that is highlighted for a page. */
export function sectionOf(place: Place): 'home' | 'lists' | 'preview' | 'audit' | 'profile' {
  if (place.page === 'home' || place.page === 'preview' || place.page === 'audit' || place.page === 'profile') {
    return place.page;
  }
  return 'lists';
}

/** Days in the reader's time zone, like 2027-01-31; empty for no limit. */
export type Period = { from: string; to: string };

/** Invalid days are ignored. */
export function readPeriod(given: URLSearchParams): Period {
  const [from = '', to = ''] = ['from', 'to'].map((name) => given.get(name) ?? '');
  return { from: isDay(from) ? from : '', to: isDay(to) ? to : '' };
}

/** The parameters of a request. Days are converted to instants, since they are in the reader's time zone, not UTC. */
export function periodParameters({ from, to }: Period): { since?: string; until?: string } {
  return { ...(from !== '' && { since: startOfDay(from) }), ...(to !== '' && { until: startOfDay(to, 1) }) };
}

/** Returns an empty string if nothing is filtered. */
export function writeFilter(filter: Readonly<Record<string, string>>): string {
  const given = Object.entries(filter).map(([name, text]): [string, string] => [name, text.trim()]);
  return new URLSearchParams(given.filter(([, text]) => text !== '')).toString();
}
