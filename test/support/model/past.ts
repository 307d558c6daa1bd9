// Which items a list has on a day, and which of them are offered.
import { currentOf, type Item, type List } from './list.ts';

export interface Offered {
  item: Item;
  isOffered: boolean;
}

export const isValidOn = ({ validFrom, validTo }: Item, day: string) =>
  (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);

/** From today on: as it is, by its dates. Before today: as it was known at the end of that day. */
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
  // Before its first day, a list is as at the end of that day.
  const isKnown = (version: { day: string }) => version.day <= day || version.day === firstDay;
  const known = list.versions.findLast(isKnown)?.items ?? {};
  return Object.values(currentOf(list).items).map((now): Offered => {
    // Added later: as it is today, and offered from its validFrom on, if it has one.
    const item = known[now.value] ?? now;
    const isInUse = known[now.value] !== undefined || now.validFrom !== null;
    const isRetired = item.retiredAt !== null && item.retiredAt <= day;
    return { item, isOffered: isInUse && !isRetired && isValidOn(item, day) };
  });
}
