// Values of other lists that items name as their parents. Pure.

import type { ItemChanges, KeptItem } from '../lookup-admin.schema.ts';
import type { Fault } from './change.ts';

/** Values by the list they are in. A list without an entry does not exist. */
export type ListValues = Map<string, Set<string>>;

/** What is sent for an item: null removes a list from its parents. */
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

/**
 * Only what is new is looked at: lists and values are never deleted, so that what the item had before is still there. A
 * list that the writer may not read is like one that does not exist, or its values could be found out by trying.
 */
export function parentFaults(
  ownList: string,
  before: Parents | undefined,
  { parents }: WithParents,
  known: ListValues,
): Fault[] {
  if (parents === undefined) return [];
  return Object.entries(parents).flatMap(([list, values]) => {
    const had = new Set(before !== undefined && Object.hasOwn(before, list) ? before[list] : []);
    const added = values?.filter((value) => !had.has(value)) ?? [];
    if (added.length === 0) return [];
    const fault = (message: string): Fault => ({ field: `parents.${list}`, message });
    if (list === ownList) return [fault('must be a different list')];
    const there = known.get(list);
    if (there === undefined) return [fault('must be a list that exists and that you may read')];
    return added
      .filter((value) => !there.has(value))
      .map((value) => fault(`has a value that is not in that list: ${value}`));
  });
}
