// The lists without their items, as those see them who keep them: from memory, and from the database who changed each last.
import { frontdesk } from '../audit/audit.ts';
import type { Principal } from '../http/access.ts';
import type { Db } from '../storage/storage.ts';
import { type NamesOf, withNames } from './author-names.ts';
import type { ListRights } from './list-rights.ts';
import { readLastAuthors } from './lookup.queries.ts';
import type { ListSummary } from './lookup-admin.schema.ts';
import type { Catalog } from './reading/catalog.ts';
import { createListCounts } from './reading/list-counts.ts';

interface ListSummariesOptions {
  catalog: Pick<Catalog, 'all' | 'get' | 'today'>;
  rights: Pick<ListRights, 'maySee' | 'mayKeep'>;
  reads: Db;
  namesOf: NamesOf;
  /** Loads what other processes have changed. */
  changed: () => Promise<void>;
}

/** Those that somebody sees, by name. */
export type ListSummaries = (principal: Principal) => Promise<ListSummary[]>;

export function createListSummaries({ catalog, rights, reads, namesOf, changed }: ListSummariesOptions): ListSummaries {
  const countItems = createListCounts(catalog.today);
  return async (principal) => {
    const authors = await readLastAuthors(reads);
    // Another process may have changed a list a moment ago.
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
