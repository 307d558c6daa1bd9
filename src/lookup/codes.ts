// Codes of items in other systems: each belongs to one item of the list that is not retired. Pure.
import type { Fault, ItemChange, ItemState } from './change.ts';

/**
 * The faults of each change. What the changed items had before does not count, so that two can exchange their codes in
 * one document.
 */
export function codeFaults(items: readonly ItemState[], changes: readonly ItemChange[]): Fault[][] {
  const holders = new Map<string, string>();
  const hold = ({ value, status, codes }: ItemState): Fault[] => {
    if (status === 'retired') return [];
    return Object.entries(codes).flatMap(([system, code]) => {
      // A system has no blank in its name.
      const key = `${system} ${code}`;
      const holder = holders.get(key);
      if (holder !== undefined)
        return [{ field: `codes.${system}`, message: `must be another: ${holder} has this code` }];
      holders.set(key, value);
      return [];
    });
  };
  const changing = new Set(changes.map(({ value }) => value));
  for (const item of items) if (!changing.has(item.value)) hold(item);
  return changes.map(({ after }) => hold(after));
}
