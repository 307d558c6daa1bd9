// The order of a list's values, and moving them. Pure, linear in the number of values.
import { displayOrder } from '../../../src/lookup/rules/display-order.ts';
import type { KeptItem, KeptList, LookupDocument } from '../../shell/api.ts';

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

// If the whole order of a list is too long for one request, only the values with a new sortOrder are sent.

/** The service accepts 256 KiB per order. The remaining 6 KiB are for the JSON around the values. */
const maxBytes = 250 * 1024;

/** Whether the whole order fits into a request. Values are ASCII; each adds two quotes and a comma. */
export function fitsRequest(order: readonly string[]): boolean {
  return order.reduce((bytes, value) => bytes + value.length + 3, 0) < maxBytes;
}

/** The gap between sortOrders, so that values can later be moved between two others. */
const gap = 10;

/**
 * New sortOrders for the moved values, between their neighbours. If there is no room, the values that follow are
 * shifted until there is.
 */
export function newPlaces(
  order: readonly string[],
  moved: ReadonlySet<string>,
  placeOf: (value: string) => number,
): Map<string, number> {
  const places = new Map<string, number>();
  let before = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < order.length; ) {
    const first = order[start] as string;
    if (!moved.has(first) && placeOf(first) > before) {
      before = placeOf(first);
      start++;
      continue;
    }
    let end = start + 1;
    while (end < order.length && !hasRoom(end)) end++;
    const after = end < order.length ? placeOf(order[end] as string) : Number.POSITIVE_INFINITY;
    spread(order.slice(start, end), before, after, places);
    before = places.get(order[end - 1] as string) ?? before;
    start = end;

    /** Whether the values from `start` fit before the unmoved value at `at`. */
    function hasRoom(at: number): boolean {
      const next = order[at] as string;
      return !moved.has(next) && placeOf(next) - before > at - start;
    }
  }
  return places;
}

function spread(values: readonly string[], before: number, after: number, places: Map<string, number>): void {
  const step = Math.max(1, Math.min(gap, Math.floor((after - before) / (values.length + 1))));
  const isAtStart = before === Number.NEGATIVE_INFINITY;
  const base = !isAtStart ? before : after === Number.POSITIVE_INFINITY ? 0 : after - step * (values.length + 1);
  values.forEach((value, index) => {
    places.set(value, base + step * (index + 1));
  });
}

export function orderDocument({ list, version, items }: KeptList, places: ReadonlyMap<string, number>): LookupDocument {
  const changed = items.flatMap(({ value, label, sortOrder: before }: KeptItem) => {
    const sortOrder = places.get(value);
    return sortOrder === undefined || sortOrder === before ? [] : [{ value, label, sortOrder }];
  });
  return { lists: { [list]: { version, items: changed } } };
}
