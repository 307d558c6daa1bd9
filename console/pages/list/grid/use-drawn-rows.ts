import { useRef } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';

/** With their places. While rows are held they stay in the order they had: an element that is moved loses its pointer. */
export function useDrawnRows(
  rows: readonly KeptItem[],
  first: number,
  end: number,
  kept: ReadonlySet<string | undefined>,
  isHeld: boolean,
): [KeptItem, number][] {
  const order = useRef<ReadonlyMap<string, number>>(undefined);
  const drawn: [KeptItem, number][] = [];
  for (let index = first; index < end; index++) {
    const item = rows[index];
    if (item !== undefined) drawn.push([item, index]);
  }
  const missing = new Set([...kept].filter((value) => !drawn.some(([item]) => item.value === value)));
  missing.delete(undefined);
  if (missing.size > 0) {
    rows.forEach((item, index) => {
      if (missing.has(item.value)) drawn.push([item, index]);
    });
    drawn.sort(([, a], [, b]) => a - b);
  }
  if (!isHeld) order.current = undefined;
  else {
    order.current ??= new Map(rows.map(({ value }, index) => [value, index]));
    const { current } = order;
    const placeOf = (item: KeptItem) => current.get(item.value) ?? 0;
    drawn.sort(([a], [b]) => placeOf(a) - placeOf(b));
  }
  return drawn;
}
