// Checks rules that a schema cannot express: between the fields of an item, and between items. Pure functions.

import type { Fault, ItemChange } from '../rules/change.ts';
import type { ItemState } from '../rules/item.ts';
import type { KeptList } from '../rules/list.ts';
import { mostLanguages, mostOfItem } from '../rules/list.ts';
import { isInOrder } from '../rules/list-on-day.ts';
import type { ItemChanges } from './list-changes.schema.ts';
import { type ListValues, parentFaults } from './parents.ts';

/** Returns one array of faults for each change. */
export function itemFaults(
  { list, items }: KeptList,
  changes: readonly (ItemChange & { sent?: Pick<ItemChanges, 'parents'> })[],
  known: ListValues,
): Fault[][] {
  const ofCodes = codeFaults(items, changes);
  const ofLanguages = languageFaults(items, changes);
  return changes.map(({ before, after, sent }, index) =>
    dateFaults(after).concat(
      countFaults(after),
      ofCodes[index] ?? [],
      ofLanguages[index] ?? [],
      sent === undefined ? [] : parentFaults(list, before?.parents, sent, known),
    ),
  );
}

function dateFaults({ validFrom, validTo }: ItemState): Fault[] {
  return isInOrder(validFrom, validTo) ? [] : [{ field: 'validTo', message: 'Must not be before the start date' }];
}

const counted = [
  ['codes', 'systems'],
  ['parents', 'lists'],
] as const;

function countFaults(item: ItemState): Fault[] {
  return counted
    .filter(([field]) => Object.keys(item[field]).length > mostOfItem[field])
    .map(([field, what]) => ({ field, message: `must have at most ${mostOfItem[field]} ${what}` }));
}

/**
 * Refuses labels with which the list would have too many languages. Returns an array of faults for each change, or an
 * empty array if no change adds a translation.
 */
export function languageFaults(items: readonly ItemState[], changes: readonly ItemChange[]): Fault[][] {
  if (!changes.some(addsTranslation)) return [];
  const changing = new Set(changes.map(({ value }) => value));
  const languages = new Set<string>();
  for (const { value, labels } of items) {
    if (changing.has(value)) continue;
    for (const tag in labels) languages.add(tag);
  }
  return changes.map(({ after: { labels } }) => {
    const most = Math.max(languages.size, mostLanguages);
    for (const tag in labels) languages.add(tag);
    if (languages.size <= most) return [];
    return [{ field: 'labels', message: `would give the list more than ${mostLanguages} languages` }];
  });
}

function addsTranslation({ before, after }: ItemChange): boolean {
  return before?.labels !== after.labels && Object.keys(after.labels).some((tag) => before?.labels[tag] === undefined);
}

/**
 * Refuses a code that another item of the list already has. Codes of retired items may be used again. Returns an array
 * of faults for each change, or an empty array if no change has codes. The old codes of the changed items are ignored, so
 * two items can swap codes in one document.
 */
function codeFaults(items: readonly ItemState[], changes: readonly ItemChange[]): Fault[][] {
  const holders = findHolders(items, changes);
  if (holders.size === 0) return [];
  return changes.map(({ value, after }) =>
    codesInUse(after).flatMap(([system, code]) => {
      const ofSystem = holders.get(system);
      const holder = ofSystem?.get(code);
      if (holder !== undefined) {
        return [{ field: `codes.${system}`, message: `is already used by ${holder}` }];
      }
      ofSystem?.set(code, value);
      return [];
    }),
  );
}

/**
 * Maps each system and code of the changed items to the unchanged item that already has this code, if any. Other codes
 * are left out, because a list may be long and most changes concern one item.
 */
function findHolders(items: readonly ItemState[], changes: readonly ItemChange[]) {
  const holders = new Map<string, Map<string, string | undefined>>();
  for (const { after } of changes) {
    for (const [system, code] of codesInUse(after)) {
      holders.set(system, (holders.get(system) ?? new Map()).set(code, undefined));
    }
  }
  if (holders.size === 0) return holders;
  const changing = new Set(changes.map(({ value }) => value));
  for (const { value, status, codes } of items) {
    if (status === 'retired' || changing.has(value)) continue;
    for (const [system, ofSystem] of holders) {
      const code = codes[system];
      if (code !== undefined && ofSystem.has(code)) ofSystem.set(code, value);
    }
  }
  return holders;
}

const codesInUse = ({ status, codes }: ItemState) => (status === 'retired' ? [] : Object.entries(codes));
