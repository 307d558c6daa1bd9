// Decides which items are on a list on a given day.
import type { KeptItem } from './item.ts';

/** Returns the UTC day. */
export const dayOf = (now: Date) => now.toISOString().slice(0, 10);

type Dated = Pick<KeptItem, 'status' | 'validFrom' | 'validTo' | 'retiredAt'>;

export type IsOnList = (item: KeptItem) => boolean;

export function isOnListOn(day: string, today: string): IsOnList {
  return (item) => !wasRetired(item, day, today) && isValidOn(item, day);
}

function isValidOn({ validFrom, validTo }: Pick<KeptItem, 'validFrom' | 'validTo'>, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/**
 * Whether an item was retired on that day. For today and later days, only the status counts, because the writer's clock
 * may have been wrong.
 */
function wasRetired({ status, retiredAt }: KeptItem, day: string, today: string): boolean {
  return status === 'retired' && (day >= today || retiredAt === null || retiredAt.slice(0, 10) <= day);
}

/** Scheduled items become valid on `day`. For ending and expired items, `day` is the last valid day; for retired ones, the day they were retired. */
export type DayStatus =
  | { kind: 'active' }
  | { kind: 'scheduled' | 'ending' | 'expired'; day: string }
  | { kind: 'retired'; day: string | null };

/** The status of an item today or on a later day. */
export function statusOn({ status, validFrom, validTo, retiredAt }: Dated, day: string): DayStatus {
  if (status === 'retired') return { kind: 'retired', day: retiredAt?.slice(0, 10) ?? null };
  if (validFrom !== null && validFrom > day) return { kind: 'scheduled', day: validFrom };
  if (validTo === null) return { kind: 'active' };
  return { kind: validTo < day ? 'expired' : 'ending', day: validTo };
}

/** Whether the first date is not later than the second. True if one is missing. */
export function isInOrder(from: unknown, to: unknown): boolean {
  return typeof from !== 'string' || typeof to !== 'string' || from <= to;
}

/** Whether the items on a list differ between two days because of their dates. */
export function differsBetween(items: readonly KeptItem[], day: string, otherDay: string): boolean {
  return items.some((item) => item.status === 'active' && isValidOn(item, day) !== isValidOn(item, otherDay));
}

/**
 * The days on which the dates of items change what is on the list, sorted. An item leaves the list after its last day,
 * so a `~` is appended to that day. The result sorts after the day itself and before the next day.
 */
export function turningDays(items: readonly KeptItem[]): string[] {
  const days = new Set<string>();
  for (const { validFrom, validTo, retiredAt } of items) {
    if (validFrom !== null) days.add(validFrom);
    if (validTo !== null) days.add(`${validTo}~`);
    if (retiredAt !== null) days.add(retiredAt.slice(0, 10));
  }
  return [...days].sort();
}

/** The number of turning days up to this day. If the list does not change between two days, both have the same number. */
export function stretchOf(turning: readonly string[], day: string): number {
  let [low, high] = [0, turning.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turning[middle] ?? '') <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}
