// What must hold for an item beyond what its schema says: between its fields, and between it and other items. Pure.

import { mostOfItem } from '../fields.schema.ts';
import type { ItemChanges, KeptList } from '../lookup-admin.schema.ts';
import type { Fault, ItemChange, ItemState } from './change.ts';
import { codeFaults } from './codes.ts';
import { type ListValues, parentFaults } from './parents.ts';

/** The faults of each change, and of what was sent for it. */
export function itemFaults(
  { list, items }: KeptList,
  changes: readonly (ItemChange & { sent?: Pick<ItemChanges, 'parents'> })[],
  known: ListValues,
): Fault[][] {
  const ofCodes = codeFaults(items, changes);
  return changes.map(({ before, after, sent }, index) =>
    dateFaults(after).concat(
      countFaults(after),
      ofCodes[index] ?? [],
      sent === undefined ? [] : parentFaults(list, before?.parents, sent, known),
    ),
  );
}

function dateFaults({ validFrom, validTo }: ItemState): Fault[] {
  if (validFrom === null || validTo === null || validFrom <= validTo) return [];
  return [{ field: 'validTo', message: 'Must not be before the start date' }];
}

const counted = [
  ['codes', 'systems'],
  ['parents', 'lists'],
] as const;

function countFaults(item: ItemState): Fault[] {
  return counted
    .filter(([field]) => Object.keys(item[field]).length > mostOfItem[field])
    .map(([field, what]) => ({ field, message: `must have ${mostOfItem[field]} ${what} at most` }));
}
