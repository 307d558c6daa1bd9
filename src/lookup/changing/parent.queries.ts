// Finds out whether values of other lists exist. Values and lists are never deleted, so the answer stays true.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Pauses } from '../../base/pauses.ts';
import type { Tables } from '../../storage/tables.ts';
import { readVersions } from '../stored/list.queries.ts';
import type { ListValues } from './parents.ts';
import { givenRows, inParts } from './version-rows.ts';

/**
 * Returns the wanted values that exist. The result has an entry for each wanted list that exists, even if none of its
 * wanted values do, but no entry for a list that `mayName` excludes.
 */
export async function findValues(
  db: Kysely<Tables>,
  wanted: ListValues,
  mayName: (list: string) => boolean = () => true,
): Promise<ListValues> {
  const found: ListValues = new Map();
  if (wanted.size === 0) return found;
  const versions = await readVersions(db);
  for (const list of wanted.keys()) if (versions.has(list) && mayName(list)) found.set(list, new Set());
  const pairs = [...found.keys()].flatMap((list) => Array.from(wanted.get(list) ?? [], (value) => ({ list, value })));
  for (const part of await inParts(pairs, new Pauses())) {
    const { rows } = await sql<{ list: string; value: string }>`
      select lookup_item.list, lookup_item.value from ${givenRows(db, part)} join lookup_item
      on lookup_item.list = given.value ->> 'list' and lookup_item.value = given.value ->> 'value'`.execute(db);
    for (const { list, value } of rows) found.get(list)?.add(value);
    await nextTurn();
  }
  return found;
}
