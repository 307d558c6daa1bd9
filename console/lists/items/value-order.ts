// The order of a list's values, and moves in it. Pure, and linear in the number of values.
import type { KeptItem } from '../../../src/lookup/lookup-admin.schema.ts';

type Sortable = Pick<KeptItem, 'sortOrder' | 'label' | 'value'>;
const { compare } = new Intl.Collator('en');

/** As the service sorts for those who keep a list: by sortOrder, then by plain label, then by value. */
export function compareDisplayOrder(a: Sortable, b: Sortable): number {
  return a.sortOrder - b.sortOrder || compare(a.label, b.label) || (a.value < b.value ? -1 : 1);
}

/** The values that have an order: those that are not retired. */
export function activeOrder(items: readonly KeptItem[]): string[] {
  return items
    .filter(({ status }) => status === 'active')
    .sort(compareDisplayOrder)
    .map(({ value }) => value);
}

export type DropPosition = 'before' | 'after';

/** Those moved keep their order among each other. `target` may be one of them: they gather there. */
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
  // A target that is not there any more moves nothing.
  return next.length === order.length ? next : [...order];
}

/**
 * My order, in which I moved `moved`, on top of what others made of the list meanwhile: each value I moved follows the one
 * before it in my order that is still there; everything else stays where others have it.
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
