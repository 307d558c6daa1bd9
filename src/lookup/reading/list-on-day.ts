// Which items are on a list on a day. Pure.
import type { KeptItem } from '../lookup-admin.schema.ts';

export type IsOnList = (item: KeptItem) => boolean;

export function isOnListOn(day: string, today: string): IsOnList {
  return (item) => !wasRetired(item, day, today) && isValidOn(item, day);
}

export function isValidOn({ validFrom, validTo }: Pick<KeptItem, 'validFrom' | 'validTo'>, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}

/** Whether it was off the list already. Today and later, retired is retired, whatever the writer's clock said. */
function wasRetired({ status, retiredAt }: KeptItem, day: string, today: string): boolean {
  return status === 'retired' && (day >= today || retiredAt === null || retiredAt.slice(0, 10) <= day);
}

/** Whether the list looks different on two days, by its dates alone. */
export function differsBetween(items: readonly KeptItem[], day: string, otherDay: string): boolean {
  return items.some((item) => item.status === 'active' && isValidOn(item, day) !== isValidOn(item, otherDay));
}
