// Compares the lists with their history. The audit proves the history, but forms are served from the lists.
import type { Kysely } from 'kysely';
import { pagesByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import type { KeptItem } from '../rules/item.ts';
import type { ListSettings } from '../rules/list.ts';
import { selectItems } from '../stored/item.queries.ts';
import { type Head, headOf, readHeads } from '../stored/list.queries.ts';
import { createItemReader, parseItem } from '../stored/stored-item.ts';
import { selectLast, selectLastVersions } from './history.queries.ts';
import { ofSettings, parseSettings } from './stored-changes.ts';

type Db = Kysely<Tables>;

/** Describes the first list, item or setting that differs from the history. */
export async function findListFault(db: Db): Promise<string | undefined> {
  const heads = await readHeads(db);
  for (const head of heads) {
    const fault =
      (await findOtherVersion(db, head)) ?? (await findOtherSetting(db, head)) ?? (await findOtherItem(db, head.name));
    if (fault !== undefined) return `list ${head.name}: ${fault}`;
  }
  const names = heads.map(({ name }) => name);
  const lost = (await findOtherList(db, 'lookup_history', names)) ?? (await findOtherList(db, 'lookup_change', names));
  return lost && `list ${lost} is missing, but it has a history`;
}

/**
 * Finds a list that has rows in this table but is not among these names, which are sorted. Uses the index to search each
 * gap between two names, because reading all rows could exceed the time limit for a statement.
 */
async function findOtherList(db: Db, table: 'lookup_history' | 'lookup_change', names: readonly string[]) {
  for (const [index, next] of [...names, undefined].entries()) {
    const previous = names[index - 1];
    let others = db.selectFrom(table).select('list').limit(1);
    if (previous !== undefined) others = others.where('list', '>', previous);
    if (next !== undefined) others = others.where('list', '<', next);
    const found = await others.executeTakeFirst();
    if (found !== undefined) return found.list;
  }
  return undefined;
}

/**
 * The history must have an entry for each version. It must have no changes for versions without an entry, because the
 * audit does not prove such changes.
 */
async function findOtherVersion(db: Db, { name, version, updated_at }: Head): Promise<string | undefined> {
  const { count, newest } = await db
    .selectFrom('lookup_history')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('version').as('newest')])
    .where('list', '=', name)
    .executeTakeFirstOrThrow();
  if (newest === null) return 'it was added outside of Frontdesk';
  if (newest !== version) return `its version is ${version}, but its history ends with ${newest}`;
  if (Number(count) !== version) return `its history has ${count} of ${version} versions`;
  const last = db.selectFrom('lookup_history').select('at').where('list', '=', name).where('version', '=', version);
  if ((await last.executeTakeFirst())?.at !== updated_at) return 'its updatedAt was changed outside of Frontdesk';
  const other = await db
    .selectFrom('lookup_change')
    .select('version')
    .where('list', '=', name)
    .where(({ or, eb }) => or([eb('version', '<', 1), eb('version', '>', version)]))
    .limit(1)
    .executeTakeFirst();
  return other && `changes of version ${other.version} were added to its history`;
}

async function findOtherSetting(db: Db, head: Head): Promise<string | undefined> {
  const last = await selectLast(db, head.name, ofSettings).executeTakeFirst();
  if (last === undefined) return 'its first settings are missing from its history';
  const name = otherField<ListSettings>(() => [parseSettings(last.after), headOf(head)]);
  return name && `its settings were changed outside of Frontdesk: ${name}`;
}

const itemsOfPage = 500;

/** Compares each item with the newest row of its value in the history, page by page. */
async function findOtherItem(db: Db, list: string): Promise<string | undefined> {
  let count = 0;
  for await (const page of pagesByKey(selectLastVersions(db, list), itemsOfPage, { value: ofSettings })) {
    const names = page.map(({ value }) => value);
    if (names.length === 0) break;
    const rows = await selectItems(db, [list])
      .where('value', 'in', names)
      .select(({ selectFrom }) =>
        selectFrom('lookup_change as change')
          .select('change.after')
          .whereRef('change.list', '=', 'lookup_item.list')
          .whereRef('change.value', '=', 'lookup_item.value')
          .orderBy('change.version', 'desc')
          .limit(1)
          .as('after'),
      )
      .execute();
    const found = new Set(rows.map(({ value }) => value));
    const missing = names.find((value) => !found.has(value));
    if (missing !== undefined) return `item ${missing} is missing`;
    const itemOf = createItemReader();
    for (const row of rows) {
      const field = otherField<KeptItem>(() => [parseItem(row.value, row.after ?? ''), itemOf(row)]);
      if (field !== undefined) return `item ${row.value} was changed outside of Frontdesk: ${field}`;
    }
    count += names.length;
  }
  return findAddedItem(db, list, count);
}

/** Returns the first field in which the list differs from its history. */
function otherField<T extends object>(read: () => [expected: T, found: T]): string | undefined {
  try {
    const [expected, found] = read();
    return (Object.keys(expected) as (keyof T & string)[]).find((name) => !Bun.deepEquals(expected[name], found[name]));
  } catch {
    // The content is not JSON, or does not have the expected shape.
    return 'content';
  }
}

/** Finds an item that is not in the history. `values` is the number of values in the history. */
async function findAddedItem(db: Db, list: string, values: number): Promise<string | undefined> {
  const items = db.selectFrom('lookup_item').where('list', '=', list);
  const { count } = await items.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  if (Number(count) === values) return undefined;
  const known = db.selectFrom('lookup_change').select('value').where('list', '=', list);
  const added = await items.select('value').where('value', 'not in', known).limit(1).executeTakeFirst();
  return `item ${added?.value} was added outside of Frontdesk`;
}
