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

/** What is left out stays. Field by field: to copy whole items was a third of the time that planning fifty thousand took. */
export function mergeDetails(before: ItemState, sent: Sent): ItemState {
  const { label = before.label, sortOrder = before.sortOrder, tags = before.tags } = sent;
  const { validFrom = before.validFrom, validTo = before.validTo, description = before.description } = sent;
  return {
    value: before.value,
    label,
    labels: mergeByKey(before.labels, sent.labels),
    sortOrder,
    status: before.status,
    validFrom,
    validTo,
    replacedBy: before.replacedBy,
    retiredAt: before.retiredAt,
    codes: mergeByKey(before.codes, sent.codes),
    tags,
    description,
    parents: mergeByKey(before.parents, sent.parents),
  };
}

/** Keys that are left out stay; null removes one. */
function mergeByKey<T>(before: Record<string, T>, sent: Record<string, T | null> | undefined): Record<string, T> {
  if (sent === undefined) return before;
  const merged = Object.entries({ ...before, ...sent });
  return Object.fromEntries(merged.filter((entry): entry is [string, T] => entry[1] !== null));
}
