// Moves in lists that are too long for a request with the whole order: only what needs another place is sent. Pure.
import type { KeptItem, KeptList } from '../../../src/lookup/lookup-admin.schema.ts';
import type { LookupDocument } from '../../../src/lookup/lookup-document.schema.ts';

/** The service accepts 256 KiB per order; the difference is for the JSON around the values. */
const mostBytes = 250 * 1024;

/** Whether the whole order fits into a request. Values are ASCII, each with quotes and a comma. */
export function fitsRequest(order: readonly string[]): boolean {
  return order.reduce((bytes, value) => bytes + value.length + 3, 0) < mostBytes;
}

/** Between places, so that later moves find room. */
const gap = 10;

/**
 * The places of the values moved, between those of their neighbours. Where there is no room, values that follow are moved
 * on until there is.
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

    /** Whether the values from `start` to `end` fit before the one at `end`, which stays where it is. */
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
