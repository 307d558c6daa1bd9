// Compares a list at a version with the current list: what differs, and what restoring would change. Pure, linear in
// the number of values.
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

/** What has happened to the value since that version. For `added`, `item` is the current item. */
export type Mark = 'same' | 'changed' | 'added' | 'retired' | 'restored';

export interface VersionRow {
  item: KeptItem;
  mark: Mark;
  /** The fields that differ, except the status. */
  fields: FieldDifference[];
}

/** Rows in the order of that version: active values, then retired values, then values added since. */
export function versionRows(then: KeptList, now: KeptList): VersionRow[] {
  const current = byValue(now);
  const past = byValue(then);
  const rows = then.items.toSorted(compareOwnOrder).map((item) => rowOf(item, current.get(item.value)));
  const added = now.items.filter(({ value }) => !past.has(value)).sort(compareOwnOrder);
  return [...rows, ...added.map((item): VersionRow => ({ item, mark: 'added', fields: [] }))];
}

const byValue = (list: KeptList) => new Map(list.items.map((item) => [item.value, item]));

function rowOf(then: KeptItem, now: KeptItem | undefined): VersionRow {
  if (now === undefined) return { item: then, mark: 'same', fields: [] };
  const fields = differingFields(then, now);
  if (then.status !== now.status)
    return { item: then, mark: now.status === 'retired' ? 'retired' : 'restored', fields };
  return { item: then, mark: fields.length > 0 ? 'changed' : 'same', fields };
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
    const isUnchanged = rowOf(item, wanted).mark === 'same' && item.sortOrder === wanted.sortOrder;
    return isUnchanged ? [] : [{ value: item.value, before, after }];
  });
  return [...settingsOfRestoring(then, now), ...items];
}

function settingsOfRestoring(then: KeptList, now: KeptList): Change[] {
  const names = (['title', 'titles', 'description', 'descriptions'] as const).filter(
    (name) => !isSame(then[name], now[name]),
  );
  if (names.length === 0) return [];
  const pick = (list: KeptList) => Object.fromEntries(names.map((name) => [name, list[name]]));
  return [{ value: null, before: pick(now), after: pick(then) }];
}
