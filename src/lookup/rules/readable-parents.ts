// Hides parents, both in items and in changes, if the reader may not see the list that they come from.
import { type Change, isItemChange } from './change.ts';
import type { KeptItem } from './item.ts';

/** Whether a person may see the values of a list and name them as parents. */
export type MayName = (list: string) => boolean;

export function withReadableParents<I extends Pick<KeptItem, 'parents'>>(item: I, mayName: MayName): I {
  if (Object.keys(item.parents).every(mayName)) return item;
  return { ...item, parents: Object.fromEntries(Object.entries(item.parents).filter(([list]) => mayName(list))) };
}

/** If only hidden parents changed, `before` and `after` become equal. */
export function withReadableChange(change: Change, mayName: MayName): Change {
  if (!isItemChange(change)) return change;
  const { value, before, after } = change;
  const shown = before && withReadableParents(before, mayName);
  return { value, before: shown, after: withReadableParents(after, mayName) };
}

/** Entries of the history as this reader may see them. */
export function withReadableChanges<E extends { changes: Change[] }>(entries: readonly E[], mayName: MayName): E[] {
  return entries.map((entry) => ({
    ...entry,
    changes: entry.changes.map((change) => withReadableChange(change, mayName)),
  }));
}
