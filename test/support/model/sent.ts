// What an operation sends, given the state at that time.

import { currentOf, type List } from './list.ts';
import type { GivenDetails, ListChange, ListRole } from './operations.ts';
import type { World } from './world.ts';

export function versionSent(seen: 'current' | 'outdated' | 'unsaid', list: List | undefined): number | undefined {
  const current = list?.versions.length ?? 1;
  if (seen === 'unsaid') return undefined;
  return seen === 'current' ? current : current - 1;
}

/** Removes undefined members, which are not sent. */
export const defined = <T extends object>(object: T) =>
  Object.fromEntries(Object.entries(object).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Replaces day offsets with days, and roles with the names of lists. */
export function resolveDetails<T extends GivenDetails>(world: World, { validFrom, validTo, parents, ...details }: T) {
  const day = (offset: number | null | undefined) => (typeof offset === 'number' ? world.day(offset) : offset);
  const named = Object.entries(parents ?? {}).map(([role, values]) => [world.nameOf(role as ListRole), values]);
  return defined({
    ...details,
    validFrom: day(validFrom),
    validTo: day(validTo),
    parents: parents && (Object.fromEntries(named) as Record<string, string[] | null>),
  });
}

/** The active values in the order to send, with a fault if the operation has one. */
export function orderSent({ values, fault }: Extract<ListChange, { kind: 'order' }>, list: List | undefined): string[] {
  const active = values.filter((value) => list && currentOf(list).items[value]?.status === 'active');
  if (fault === 'incomplete') return active.slice(1);
  return fault === 'twice' ? [...active, ...active.slice(0, 1)] : active;
}

/** The version that an undo restores. */
export const undoSent = ({ stepsBack }: Extract<ListChange, { kind: 'undo' }>, list: List | undefined): number =>
  (list?.versions.length ?? 1) - stepsBack;
