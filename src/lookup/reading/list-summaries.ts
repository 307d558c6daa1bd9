// Summaries of lists for their keepers. They come from memory, except for the last authors, who are read from the database.

import { frontdesk } from '../../audit/audit.ts';
import { Pauses } from '../../base/pauses.ts';
import type { Principal } from '../../http/access.ts';
import type { Db } from '../../storage/storage.ts';
import { type NamesOf, withNames } from '../history/author-names.ts';
import { readLastAuthors } from '../history/event.queries.ts';
import type { KeptItem } from '../rules/item.ts';
import { statusOn } from '../rules/list-on-day.ts';
import type { StoredList } from '../stored/list.queries.ts';
import type { ListRights } from '../stored/list-rights.ts';
import type { Catalog } from './catalog.ts';
import type { ListSummary } from './list-summaries.schema.ts';

interface ListSummariesOptions {
  catalog: Pick<Catalog, 'all' | 'get' | 'today'>;
  rights: Pick<ListRights, 'maySee' | 'mayKeep'>;
  reads: Db;
  namesOf: NamesOf;
  /** Loads what other processes have changed. */
  changed: () => Promise<void>;
}

/** Returns the lists that a person may see, sorted by name. */
export type ListSummaries = (principal: Principal) => Promise<ListSummary[]>;

export function createListSummaries({ catalog, rights, reads, namesOf, changed }: ListSummariesOptions): ListSummaries {
  const countItems = createListCounts(catalog.today);
  return async (principal) => {
    const authors = await readLastAuthors(reads);
    // Another process may just have changed a list.
    if ([...authors].some(([list, { version }]) => catalog.get(list)?.version !== version)) await changed();
    const seen = catalog
      .all()
      .filter(({ list }) => rights.maySee(principal, list))
      .sort((a, b) => (a.list < b.list ? -1 : 1))
      .map((list) => ({ list, by: authors.get(list.list)?.by ?? frontdesk }));
    const summaries: ListSummary[] = [];
    for (const { list: stored, by, byName } of await withNames(reads, namesOf, seen)) {
      const { items: _, updatedAt, ...head } = stored;
      const counts = await countItems(stored);
      const mayKeep = rights.mayKeep(principal, stored.list);
      summaries.push({ ...head, ...counts, updatedAt, updatedBy: by, updatedByName: byName, mayKeep });
    }
    return summaries;
  };
}

type ListCounts = Pick<ListSummary, 'active' | 'retired' | 'scheduled' | 'translations'>;

function createListCounts(today: () => string): (list: StoredList) => Promise<ListCounts> {
  const known = new WeakMap<StoredList, { day: string; counts: Promise<ListCounts> }>();
  return (list) => {
    const day = today();
    const found = known.get(list);
    if (found?.day === day) return found.counts;
    const counts = count(list.items, day);
    known.set(list, { day, counts });
    return counts;
  };
}

/** Pauses regularly for other requests, because 50,000 items in several languages take tens of milliseconds. */
async function count(items: readonly KeptItem[], day: string): Promise<ListCounts> {
  let active = 0;
  let scheduled = 0;
  const languages = new Map<string, number>();
  await new Pauses().map(items, (item) => {
    if (item.status !== 'active') return;
    active++;
    if (statusOn(item, day).kind === 'scheduled') scheduled++;
    for (const language in item.labels) languages.set(language, (languages.get(language) ?? 0) + 1);
  });
  const translations = Object.fromEntries([...languages].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { active, retired: items.length - active, scheduled, translations };
}
