// Values of other lists that items name as their parents. Pure.

import type { ItemChanges, KeptItem } from '../lookup-admin.schema.ts';
import { Pauses } from '../pauses.ts';
import { type Change, type Fault, isItemChange } from './change.ts';

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

/** By list and value: how many active items of other lists name it as a parent. */
export type ChildCounts = Map<string, Map<string, number>>;

type WithItems = { items: readonly Pick<KeptItem, 'status' | 'parents'>[] };

/** Adds the children that these lists have of values in the lists named. In slices: there may be fifty thousand items. */
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

/** Whether somebody may see and name the values of a list as parents. */
export type MayName = (list: string) => boolean;

/** Without the parents in lists that the reader may not read. */
export function withReadableParents<I extends Pick<KeptItem, 'parents'>>(item: I, mayName: MayName): I {
  if (Object.keys(item.parents).every(mayName)) return item;
  return { ...item, parents: Object.fromEntries(Object.entries(item.parents).filter(([list]) => mayName(list))) };
}

/** The same for a change. If only hidden parents changed, both sides become equal. */
export function withReadableChange(change: Change, mayName: MayName): Change {
  if (!isItemChange(change)) return change;
  const { value, before, after } = change;
  const shown = before && withReadableParents(before, mayName);
  return { value, before: shown, after: withReadableParents(after, mayName) };
}

/** What a page of the history has, as this reader may see it. */
export function withReadableChanges<E extends { changes: Change[] }>(entries: readonly E[], mayName: MayName): E[] {
  return entries.map((entry) => ({
    ...entry,
    changes: entry.changes.map((change) => withReadableChange(change, mayName)),
  }));
}

/**
 * Checks only new values: values are never deleted, so existing ones are still there. A list that the writer may not read is
 * treated as missing, even if the item names it. Otherwise the writer could find hidden values by trying, or remove them with
 * null.
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
