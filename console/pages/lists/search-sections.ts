// What a search has found, as the options of one box.
import type { SearchResult } from '../../../src/lookup/list-search.schema.ts';
import type { Place } from '../../routes.ts';

export interface Found {
  id: string;
  name: string;
  /** What matched, where that is not the name. */
  match?: string;
  /** Of the list that a value is in. */
  title?: string;
  isRetired: boolean;
  place: Place;
}

export interface FoundSection {
  id: 'lists' | 'values';
  name: string;
  found: Found[];
}

/** Sections without anything in them are left out. */
export function foundSections({ lists, items }: SearchResult, namedLists: string, namedValues: string): FoundSection[] {
  const sections: FoundSection[] = [
    {
      id: 'lists',
      name: namedLists,
      found: lists.map(({ list, title }) => ({
        id: list,
        name: title,
        isRetired: false,
        place: { page: 'list', list },
      })),
    },
    {
      id: 'values',
      name: namedValues,
      found: items.map(({ list, title, value, label, match, status }) => ({
        // No name of a list has a slash.
        id: `${list}/${value}`,
        name: label,
        ...(match !== label && { match }),
        title,
        isRetired: status === 'retired',
        place: { page: 'value', list, value },
      })),
    },
  ];
  return sections.filter(({ found }) => found.length > 0);
}
