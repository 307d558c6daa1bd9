// Moves values in lists whose whole order is too long for a request. Only values with a new sortOrder are sent. Pure.
import type { KeptItem, KeptList, LookupDocument } from '../../shell/api.ts';

/** The service accepts 256 KiB per order; the rest is for the JSON around the values. */
const maxBytes = 250 * 1024;

/** Whether the whole order fits into a request. Values are ASCII; each adds two quotes and a comma. */
export function fitsRequest(order: readonly string[]): boolean {
  return order.reduce((bytes, value) => bytes + value.length + 3, 0) < maxBytes;
}

/** The gap between sortOrders, so that values can later be moved in between. */
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
