// Parents are values of other lists. Once a value of such a list is chosen, an item that has parents in the list is
// offered only if the chosen value is one of them. Pure functions.

import { Pauses } from '../../base/pauses.ts';
import type { Fault } from '../rules/change.ts';
import type { KeptItem } from '../rules/item.ts';
import type { ItemChanges } from './list-changes.schema.ts';

/** Sets of values, by list. */
export type ListValues = Map<string, Set<string>>;

/** The parents sent for an item: null removes a list. */
type WithParents = Pick<ItemChanges, 'parents'>;
type Parents = KeptItem['parents'];

export function parentsNamed(items: Iterable<WithParents>): ListValues {
  const named: ListValues = new Map();
  for (const { parents = {} } of items) {
    for (const [list, values] of Object.entries(parents)) {
      const known = named.get(list) ?? new Set();
      for (const value of values ?? []) known.add(value);
      named.set(list, known);
    }
  }
  return named;
}

/** For each list and value, the number of active items in other lists that have this value as a parent. */
export type ChildCounts = Map<string, Map<string, number>>;

type WithItems = { items: readonly Pick<KeptItem, 'status' | 'parents'>[] };

/**
 * Counts how many active items in `lists` have each value as a parent, and adds these numbers to `counts`. Only values of
 * the `named` lists are counted. Pauses regularly for other requests, because there may be 50,000 items.
 */
export async function countChildren(
  lists: Iterable<WithItems>,
  named: ReadonlySet<string>,
  counts: ChildCounts = new Map(),
): Promise<ChildCounts> {
  const pauses = new Pauses();
  for (const { items } of lists) {
    await pauses.map(items, ({ status, parents }) => {
      if (status !== 'active') return;
      for (const [list, values] of Object.entries(parents)) {
        if (!named.has(list)) continue;
        const ofList = counts.get(list) ?? new Map<string, number>();
        for (const value of values) ofList.set(value, (ofList.get(value) ?? 0) + 1);
        counts.set(list, ofList);
      }
    });
  }
  return counts;
}

/**
 * Checks only new parents of the item. Its earlier parents still exist, because values are never deleted. A list that
 * the writer may not read is treated as missing, even if the item has parents in it. Otherwise the writer could guess
 * hidden values, or remove them with null.
 */
export function parentFaults(
  ownList: string,
  before: Parents | undefined,
  { parents }: WithParents,
  known: ListValues,
): Fault[] {
  if (parents === undefined) return [];
  return Object.entries(parents).flatMap(([list, values]) => {
    const fault = (message: string): Fault => ({ field: `parents.${list}`, message });
    const there = known.get(list);
    if (there === undefined) return [fault('must be a list that exists and that you may read')];
    const had = new Set(before !== undefined && Object.hasOwn(before, list) ? before[list] : []);
    const added = values?.filter((value) => !had.has(value)) ?? [];
    if (added.length === 0) return [];
    if (list === ownList) return [fault('must be a different list')];
    return added
      .filter((value) => !there.has(value))
      .map((value) => fault(`has a value that is not in that list: ${value}`));
  });
}
