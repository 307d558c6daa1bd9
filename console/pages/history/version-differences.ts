// Compares two versions of a list: what differs, and what restoring one would change. Pure.
import { undoableNames } from '../../../src/lookup/rules/list-settings.ts';
import { type FieldName, type FieldValue, fieldsOf, isSameValue, namesOf } from '../../lists/items/item-fields.ts';
import { compareOwnOrder } from '../../lists/items/value-order.ts';
import { isSame } from '../../lists/saving/merge.ts';
import type { Change } from '../../lists/sentences/history-sentences.ts';
import type { KeptItem, KeptList } from '../../shell/api.ts';

interface FieldDifference {
  field: FieldName;
  was: FieldValue;
  now: FieldValue;
}

/** What happened to the value between the older and the newer version. */
export type Mark = 'same' | 'changed' | 'added' | 'retired' | 'restored';

export interface VersionRow {
  /** The value in the version that is shown; if that version does not contain it, the value in the newer version. */
  item: KeptItem;
  /** Whether the version that is shown contains the value. */
  isThere: boolean;
  mark: Mark;
  /** The fields that differ, except the status. */
  fields: FieldDifference[];
}

/**
 * Compares the older version with the newer one, whichever of the two is shown. The rows are in the order of the
 * version that is shown: active values, then retired values, then values added later.
 */
export function versionRows(shown: KeptList, other: KeptList): VersionRow[] {
  const [older, newer] = inOrder(shown, other);
  const [past, own] = [byValue(older), byValue(shown)];
  // Values are never removed, so the newer version contains all of them.
  const rows = newer.items.map((item): VersionRow => {
    const [then, there] = [past.get(item.value), own.get(item.value)];
    const row = { item: there ?? item, isThere: there !== undefined };
    return then === undefined ? { ...row, mark: 'added', fields: [] } : { ...row, ...differenceOf(then, item) };
  });
  return rows.sort((one, two) => Number(two.isThere) - Number(one.isThere) || compareOwnOrder(one.item, two.item));
}

/** Two versions of a list, the older one first. */
export const inOrder = (one: KeptList, two: KeptList): [KeptList, KeptList] =>
  one.version <= two.version ? [one, two] : [two, one];

const byValue = (list: KeptList) => new Map(list.items.map((item) => [item.value, item]));

function differenceOf(then: KeptItem, now: KeptItem): Pick<VersionRow, 'mark' | 'fields'> {
  const fields = differingFields(then, now);
  if (then.status !== now.status) return { mark: now.status === 'retired' ? 'retired' : 'restored', fields };
  return { mark: fields.length > 0 ? 'changed' : 'same', fields };
}

function differingFields(then: KeptItem, now: KeptItem): FieldDifference[] {
  const [before, after] = [fieldsOf(then), fieldsOf(now)];
  const names = new Set([...namesOf(before), ...namesOf(after)]);
  names.delete('status');
  return [...names]
    .map((field) => ({ field, was: before[field] ?? null, now: after[field] ?? null }))
    .filter((each) => !isSameValue(each.was, each.now));
}

/**
 * The changes that the service makes when it restores a version. It retires values added since. Of the settings, it
 * restores only the title and the description, in every language.
 */
export function changesOfRestoring(then: KeptList, now: KeptList): Change[] {
  const past = byValue(then);
  const items = now.items.flatMap((item): Change[] => {
    const { id: _, ...before } = item;
    const wanted = past.get(item.value);
    if (wanted === undefined) {
      return item.status === 'retired'
        ? []
        : [{ value: item.value, before, after: { ...before, status: 'retired', retiredAt: null } }];
    }
    const { id: __, ...after } = wanted;
    const isUnchanged = differenceOf(item, wanted).mark === 'same' && item.sortOrder === wanted.sortOrder;
    return isUnchanged ? [] : [{ value: item.value, before, after }];
  });
  return [...settingsOfRestoring(then, now), ...items];
}

function settingsOfRestoring(then: KeptList, now: KeptList): Change[] {
  const names = undoableNames.filter((name) => !isSame(then[name], now[name]));
  if (names.length === 0) return [];
  const pick = (list: KeptList) => Object.fromEntries(names.map((name) => [name, list[name]]));
  return [{ value: null, before: pick(now), after: pick(then) }];
}
