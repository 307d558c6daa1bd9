// Which items a list has on a day, and which of them are offered.
import { currentOf, type Item, type List } from './list.ts';

export interface Offered {
  item: Item;
  isOffered: boolean;
}

export const isValidOn = ({ validFrom, validTo }: Item, day: string) =>
  (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);

/**
 * For a past day, returns the items as they were at its end. Otherwise, returns the current items, and their dates decide which
 * are offered.
 */
export function itemsOn(list: List, day: string, today: string): Offered[] {
  return day >= today ? itemsNow(list, day) : itemsThen(list, day);
}

const itemsNow = (list: List, day: string): Offered[] =>
  Object.values(currentOf(list).items).map((item) => ({
    item,
    isOffered: item.status === 'active' && isValidOn(item, day),
  }));

function itemsThen(list: List, day: string): Offered[] {
  const firstDay = list.versions[0]?.day ?? day;
  // For days before its first day, a list is as it was at the end of its first day.
  const isKnown = (version: { day: string }) => version.day <= day || version.day === firstDay;
  const known = list.versions.findLast(isKnown)?.items ?? {};
  return Object.values(currentOf(list).items).map((now): Offered => {
    // If an item was added after that day, its current fields are used. It is offered only if it has a validFrom.
    const item = known[now.value] ?? now;
    const isInUse = known[now.value] !== undefined || now.validFrom !== null;
    const isRetired = item.retiredAt !== null && item.retiredAt.slice(0, 10) <= day;
    return { item, isOffered: isInUse && !isRetired && isValidOn(item, day) };
  });
}
