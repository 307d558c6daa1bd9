// Every statement of the list area.
import type { Db } from '../storage/storage.ts';
import type { LookupDocument, LookupItem } from './lookup.schema.ts';

/** Adds the lists that are not there yet; one that is there is left as it is. */
export async function addMissingLists(db: Db, document: LookupDocument, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const existing = new Set((await tx.selectFrom('lookup_list').select('name').execute()).map((row) => row.name));
    const { highest } = await tx
      .selectFrom('lookup_item')
      .select((select) => select.fn.max('id').as('highest'))
      .executeTakeFirstOrThrow();
    let id = highest ?? 0;
    for (const [name, { title, items }] of Object.entries(document.lists)) {
      if (existing.has(name)) continue;
      await tx.insertInto('lookup_list').values({ name, title, version: 1, updated_at: now.toISOString() }).execute();
      const rows = items.map(({ value, label, sortOrder }) => ({
        id: ++id,
        list: name,
        value,
        label,
        sort_order: sortOrder,
      }));
      await tx.insertInto('lookup_item').values(rows).execute();
    }
  });
}

export async function readLists(db: Db): Promise<Map<string, LookupItem[]>> {
  const lists = await db.selectFrom('lookup_list').select('name').orderBy('name').execute();
  const items = await db
    .selectFrom('lookup_item')
    .select(['list', 'id', 'label', 'value', 'sort_order as sortOrder'])
    .execute();
  const byList = Map.groupBy(items, (item) => item.list);
  return new Map(
    lists.map(({ name }) => [name, (byList.get(name) ?? []).map(({ list: _, ...item }) => item).sort(inDisplayOrder)]),
  );
}

/** Sorted here and not by the database: engines and locales disagree about text. */
function inDisplayOrder(a: LookupItem, b: LookupItem): number {
  return a.sortOrder - b.sortOrder || a.label.localeCompare(b.label, 'en');
}
