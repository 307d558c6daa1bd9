// Compares the lists with their history. The audit proves the history, but forms are served from the lists.
import type { Kysely } from 'kysely';
import { rowsByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import { selectItems } from '../item.queries.ts';
import { type Head, headOf, readHeads } from '../lookup.queries.ts';
import { type GivenSettings, type ListSettings, noSettings } from '../lookup-admin.schema.ts';
import { createItemReader } from '../stored-item.ts';
import { Change, type ItemChange, isChanged, isItemChange, itemFields } from './change.ts';
import { readStored } from './history.queries.ts';
import { changeTexts } from './stored-changes.ts';

/** The first list, item or setting that differs, in words. */
export async function findListFault(db: Kysely<Tables>): Promise<string | undefined> {
  for (const head of await readHeads(db)) {
    const fault = await findFaultOf(db, head);
    if (fault !== undefined) return `list ${head.name}: ${fault}`;
  }
  const names = db.selectFrom('lookup_list').select('name');
  const lost = await db.selectFrom('lookup_history').select('list').where('list', 'not in', names).executeTakeFirst();
  return lost && `list ${lost.list} is missing: it has a history`;
}

const itemsOfPage = 500;

/** Goes back from the newest version. The first change found for a value is its latest. Keeps only the values in memory. */
async function findFaultOf(db: Kysely<Tables>, head: Head): Promise<string | undefined> {
  const seen = new Set<string>();
  let settings: GivenSettings = {};
  let [newest, oldest]: (number | undefined)[] = [];
  for await (const { version, changes } of readStored(db, head.name, {})) {
    newest ??= version;
    oldest = version;
    const last: ItemChange[] = [];
    for (const text of changeTexts(changes)) {
      const change = Change.parse(JSON.parse(text));
      if (!isItemChange(change)) settings = { ...change.after, ...settings };
      else if (!seen.has(change.value)) {
        seen.add(change.value);
        last.push(change);
      }
    }
    for (let start = 0; start < last.length; start += itemsOfPage) {
      const fault = await findOtherItem(db, head.name, last.slice(start, start + itemsOfPage));
      if (fault !== undefined) return fault;
    }
  }
  if (newest !== undefined && newest !== head.version) {
    return `its version is ${head.version}, and its history ends with ${newest}`;
  }
  const list = headOf(head);
  // Items older than the list's history cannot be compared.
  const isWhole = oldest === 1;
  const expected: GivenSettings = isWhole ? { ...noSettings, ...settings } : settings;
  for (const [name, value] of Object.entries(expected)) {
    if (!Bun.deepEquals(list[name as keyof ListSettings], value)) return `its ${name} was changed outside of Frontdesk`;
  }
  return isWhole ? findAddedItem(db, head.name, seen) : undefined;
}

async function findOtherItem(
  db: Kysely<Tables>,
  list: string,
  changes: readonly ItemChange[],
): Promise<string | undefined> {
  const values = changes.map(({ value }) => value);
  const rows = await selectItems(db, [list]).where('value', 'in', values).execute();
  const items = new Map(rows.map(createItemReader()).map((item) => [item.value, item]));
  for (const { value, after } of changes) {
    const item = items.get(value);
    if (item === undefined) return `item ${value} is missing`;
    const field = itemFields.find((each) => isChanged(each, after, item));
    if (field !== undefined) return `${field} of item ${value} was changed outside of Frontdesk`;
  }
  return undefined;
}

async function findAddedItem(
  db: Kysely<Tables>,
  list: string,
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  const items = db.selectFrom('lookup_item').select('value').where('list', '=', list);
  for await (const { value } of rowsByKey(items, itemsOfPage, { value: '' })) {
    if (!known.has(value)) return `item ${value} was added outside of Frontdesk`;
  }
  return undefined;
}
