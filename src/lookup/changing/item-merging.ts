// An item after a change: what it was, and over it what was sent. Pure.

import type { ItemChanges } from '../lookup-admin.schema.ts';
import type { ItemState } from './change.ts';

type Sent = Omit<ItemChanges, 'reason'>;

/** A new item, before what was sent for it. */
export function blankItem(value: string, label: string, sortOrder: number): ItemState {
  return {
    value,
    label,
    labels: {},
    sortOrder,
    status: 'active',
    validFrom: null,
    validTo: null,
    replacedBy: null,
    retiredAt: null,
    codes: {},
    tags: [],
    description: null,
    parents: {},
  };
}

/** What is left out stays. */
export function mergeDetails(before: ItemState, { labels, codes, parents, ...details }: Sent): ItemState {
  return {
    ...before,
    ...given(details),
    labels: mergeByKey(before.labels, labels),
    codes: mergeByKey(before.codes, codes),
    parents: mergeByKey(before.parents, parents),
  };
}

/** Keys that are left out stay; null removes one. */
function mergeByKey<T>(before: Record<string, T>, sent: Record<string, T | null> | undefined): Record<string, T> {
  if (sent === undefined) return before;
  const merged = Object.entries({ ...before, ...sent });
  return Object.fromEntries(merged.filter((entry): entry is [string, T] => entry[1] !== null));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the details that are defined. */
export function given<T extends object>(details: T): Given<T> {
  const found: Partial<T> = {};
  for (const field in details) if (details[field] !== undefined) found[field] = details[field];
  return found as Given<T>;
}
