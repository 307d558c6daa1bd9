// The order of a list's values, and moving them. Pure, linear in the number of values.
import { displayOrder } from '../../../src/lookup/rules/display-order.ts';
import type { KeptItem } from '../../shell/api.ts';

/** Compares items in the order in which the service sorts them. */
export const compareDisplayOrder = displayOrder();

/** Compares items in list order, with retired values last because forms do not show them. */
export const compareOwnOrder = (a: KeptItem, b: KeptItem) =>
  Number(a.status === 'retired') - Number(b.status === 'retired') || compareDisplayOrder(a, b);

/** The active values in list order. Retired values have no position. */
export function activeOrder(items: readonly KeptItem[]): string[] {
  return items
    .filter(({ status }) => status === 'active')
    .sort(compareDisplayOrder)
    .map(({ value }) => value);
}

export type DropPosition = 'before' | 'after';

/** Moved values keep their relative order. If `target` is one of them, the others are moved next to it. */
export function moveValues(
  order: readonly string[],
  moved: Iterable<string>,
  target: string,
  position: DropPosition,
): string[] {
  const wanted = new Set(moved);
  const block = order.filter((value) => wanted.has(value));
  const next: string[] = [];
  for (const value of order) {
    if (value === target && position === 'before') next.push(...block);
    if (!wanted.has(value)) next.push(value);
    if (value === target && position === 'after') next.push(...block);
  }
  // If the target no longer exists, nothing moves.
  return next.length === order.length ? next : [...order];
}

/**
 * Applies my move to the order that others have saved since. Each value that I moved is placed after its predecessor in
 * my order; all other values stay.
 */
export function mergeMove(mine: readonly string[], moved: ReadonlySet<string>, latest: readonly string[]): string[] {
  const there = new Set(latest);
  const first: string[] = [];
  const following = new Map<string, string[]>();
  let anchor: string | undefined;
  for (const value of mine) {
    if (!there.has(value)) continue;
    if (!moved.has(value)) {
      anchor = value;
      continue;
    }
    if (anchor === undefined) first.push(value);
    else if (!following.get(anchor)?.push(value)) following.set(anchor, [value]);
  }
  const mineHas = new Set(mine);
  const isPlaced = (value: string) => moved.has(value) && mineHas.has(value);
  const rest = latest.filter((value) => !isPlaced(value));
  return [...first, ...rest.flatMap((value) => [value, ...(following.get(value) ?? [])])];
}
