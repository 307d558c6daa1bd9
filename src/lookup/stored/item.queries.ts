// Reads items in pages, so that other requests run between the pages and the rows of a long list are not all in memory
// at once.
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../storage/migrations/engine.ts';
import { pagesByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import { type FieldName, fieldNames } from '../rules/item.ts';

/** The column of a field: `sortOrder` is stored in `sort_order`. */
export const storedColumn = (field: FieldName) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Item = Tables['lookup_item'];
const unusual = ['labels', 'status', 'codes', 'tags', 'parents'] as const;
type Unusual = (typeof unusual)[number];
/** In these fields, null stands for the empty or default value, so that 50,000 items need half as many strings. */
export type ItemRow = Omit<Item, Unusual> & { [Field in Unusual]: Item[Field] | null };
const others = fieldNames.filter((name) => !unusual.some((each) => each === name)).map(storedColumn) as Exclude<
  keyof Item,
  Unusual
>[];

type Names = readonly string[] | undefined;
type Take = (page: ItemRow[]) => Promise<unknown>;

/** Reads the items of these lists, or of all lists, in any order. */
export async function readItems(db: Kysely<Tables>, names: Names, take: Take): Promise<void> {
  if (isPostgres(db)) await readByCursor(db, names, take);
  else await readByPage(db, names, take);
}

export function selectItems(db: Kysely<Tables>, names: Names) {
  const items = db
    .selectFrom('lookup_item')
    .select(['id', 'list', ...others])
    .select((item) => [
      item.fn<string | null>('nullif', ['labels', sql.lit('{}')]).as('labels'),
      item.fn<'active' | 'retired' | null>('nullif', ['status', sql.lit('active')]).as('status'),
      item.fn<string | null>('nullif', ['codes', sql.lit('{}')]).as('codes'),
      item.fn<string | null>('nullif', ['tags', sql.lit('[]')]).as('tags'),
      item.fn<string | null>('nullif', ['parents', sql.lit('{}')]).as('parents'),
    ]);
  return names === undefined ? items : items.where('list', 'in', names);
}

const rowsOfFetch = 5000;
/** The limit of the first query. Its result is wasted if there are more rows. */
const rowsAtOnce = 500;

/**
 * Uses a cursor. With paging by key, PostgreSQL would sort all remaining rows for each page until its statistics show
 * that the list has become long. Most lists are short, so one query reads them without a cursor.
 */
async function readByCursor(db: Kysely<Tables>, names: Names, take: Take): Promise<void> {
  const items = selectItems(db, names);
  const some = await items.limit(rowsAtOnce).execute();
  if (some.length < rowsAtOnce) {
    await take(some);
    return;
  }
  await inTransaction(db, async (tx) => {
    await sql`declare items no scroll cursor for ${items}`.execute(tx);
    const fetchRows = async () => (await sql<ItemRow>`fetch ${sql.lit(rowsOfFetch)} from items`.execute(tx)).rows;
    // Fetches the next page while this one is processed.
    for (let page = await fetchRows(); page.length > 0; ) [page] = await Promise.all([fetchRows(), take(page)]);
    await sql`close items`.execute(tx);
  });
}

async function inTransaction(db: Kysely<Tables>, act: (tx: Kysely<Tables>) => Promise<void>): Promise<void> {
  await (db.isTransaction ? act(db) : db.transaction().execute(act));
}

/** SQLite runs in this thread, and reading a page of this size blocks it for a few milliseconds. */
const rowsOfPage = 500;

/** Reads one list after the other, because in a query about several lists, SQLite would sort the remaining rows for each page. */
async function readByPage(db: Kysely<Tables>, names: Names, take: Take): Promise<void> {
  const all = db.selectFrom('lookup_list').select('name');
  for (const { name } of await (names === undefined ? all : all.where('name', 'in', names)).execute()) {
    for await (const page of pagesByKey(selectItems(db, [name]), rowsOfPage, { value: '' })) await take(page);
  }
}
