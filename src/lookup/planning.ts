// Planning a change of a list: from what is there and what is wanted to what has to be written. Pure.
import {
  type Change,
  ChangeRefused,
  type Fault,
  type ItemChange,
  type ItemState,
  isItemChange,
  refuseFaults,
} from './change.ts';
import type { ItemChanges, KeptItem, KeptList, NewItem } from './lookup-admin.schema.ts';
import type { DocumentItem } from './lookup-document.schema.ts';
import { findCircular, replacementFaults, replacementsIn } from './replacements.ts';

export function planAdd({ items }: KeptList, { reason: _, ...wanted }: NewItem): Change[] {
  const { value } = wanted;
  if (items.some((item) => item.value === value)) {
    throw new ChangeRefused('exists', [{ field: 'value', message: 'Already exists (may be retired)' }]);
  }
  const after: ItemState = { ...blank, sortOrder: orderAfterLast(items), value, label: wanted.label, ...given(wanted) };
  refuseFaults(dateFaults(after));
  return [{ value, before: null, after }];
}

export function planChange(list: KeptList, value: string, { reason: _, labels, ...wanted }: ItemChanges): Change[] {
  const before = stateOf(findItem(list, value));
  const after: ItemState = { ...before, ...given(wanted), labels: mergeLabels(before.labels, labels) };
  refuseFaults(dateFaults(after));
  return differing([{ value, before, after }]);
}

/** A replacement that was named before stays, unless another is named. */
export function planRetire(list: KeptList, value: string, replacedBy: string | undefined, now: Date): Change[] {
  const before = stateOf(findItem(list, value));
  const replacement = replacedBy ?? before.replacedBy;
  const replacements = replacementsIn(list.items).set(value, replacement);
  refuseFaults(replacementFaults(replacements, findCircular(replacements), value));
  const retiredAt = before.status === 'retired' ? before.retiredAt : now.toISOString();
  return differing([{ value, before, after: { ...before, status: 'retired', replacedBy: replacement, retiredAt } }]);
}

export function planRestore(list: KeptList, value: string): Change[] {
  const before = stateOf(findItem(list, value));
  return differing([{ value, before, after: { ...before, status: 'active', replacedBy: null, retiredAt: null } }]);
}

/** All active values, in their new order. */
export function planOrder({ items }: KeptList, values: readonly string[]): Change[] {
  const active = items.filter(({ status }) => status === 'active');
  const wanted = new Set(values);
  if (
    wanted.size !== values.length ||
    wanted.size !== active.length ||
    active.some(({ value }) => !wanted.has(value))
  ) {
    throw new ChangeRefused('invalid', [{ field: 'values', message: 'must be every active value of the list, once' }]);
  }
  const place = new Map(values.map((value, index) => [value, (index + 1) * 10]));
  return differing(
    active.map((item) => {
      const before = stateOf(item);
      return { value: item.value, before, after: { ...before, sortOrder: place.get(item.value) ?? before.sortOrder } };
    }),
  );
}

/** The list as it was before these steps, the newest first. What was added since is retired: nothing is deleted. */
export function planUndo(list: KeptList, steps: readonly { changes: readonly Change[] }[], now: Date): Change[] {
  let title = list.title;
  const target = new Map<string, ItemState | null>();
  for (const change of steps.flatMap(({ changes }) => changes)) {
    if (isItemChange(change)) target.set(change.value, change.before);
    else title = change.before.title;
  }
  const existing = new Map(list.items.map((item) => [item.value, item]));
  const items = [...target].map(([value, wanted]): ItemChange => {
    const item = existing.get(value);
    if (item === undefined) throw new ChangeRefused('not-found');
    const before = stateOf(item);
    const retired = { ...before, status: 'retired' as const, retiredAt: before.retiredAt ?? now.toISOString() };
    return { value, before, after: wanted ?? retired };
  });
  return differing([changeTitle(list, title), ...items]);
}

const changeTitle = ({ title: before }: KeptList, after = before): Change => {
  return { value: null, before: { title: before }, after: { title: after } };
};

/** What a document wants of one list. What it leaves out stays as it is. */
export function planDocument(
  list: KeptList,
  wanted: { title?: string | undefined; items: readonly DocumentItem[] },
  now: Date,
): Change[] {
  const existing = new Map(list.items.map((item) => [item.value, item]));
  let last = orderAfterLast(list.items) - 10;
  const changes = wanted.items.map((item): ItemChange => {
    const known = existing.get(item.value);
    if (known === undefined) last += 10;
    const before = known === undefined ? null : stateOf(known);
    return { value: item.value, before, after: mergeItem(before, item, last, now) };
  });
  const replacements = replacementsIn(list.items);
  for (const { value, after } of changes) replacements.set(value, after.replacedBy);
  const circular = findCircular(replacements);
  const faults = changes.flatMap(({ value, after }, index) => {
    const isMisplaced = wanted.items[index]?.replacedBy && after.status !== 'retired';
    return [
      ...dateFaults(after),
      ...replacementFaults(replacements, circular, value),
      ...(isMisplaced ? [{ field: 'replacedBy', message: 'is for retired items only' }] : []),
    ].map(({ field, message }) => ({ field: `${index}.${field}`, message }));
  });
  refuseFaults(faults);
  return differing([changeTitle(list, wanted.title), ...changes]);
}

function mergeItem(before: ItemState | null, wanted: DocumentItem, sortOrder: number, now: Date): ItemState {
  const { value, retired, replacedBy, labels, ...details } = wanted;
  const after: ItemState = {
    ...blank,
    sortOrder,
    ...before,
    value,
    label: details.label,
    ...given(details),
    labels: mergeLabels(before?.labels, labels),
  };
  const isRetired = retired ?? after.status === 'retired';
  if (!isRetired) return { ...after, status: 'active', retiredAt: null, replacedBy: null };
  const replacement = replacedBy === undefined ? after.replacedBy : replacedBy;
  return { ...after, status: 'retired', retiredAt: after.retiredAt ?? now.toISOString(), replacedBy: replacement };
}

/** Languages that are left out stay; null removes one. */
function mergeLabels(before: ItemState['labels'] = {}, wanted: ItemChanges['labels'] = {}): ItemState['labels'] {
  const merged = Object.entries({ ...before, ...wanted });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
}

const blank = {
  labels: {},
  status: 'active',
  validFrom: null,
  validTo: null,
  replacedBy: null,
  retiredAt: null,
} as const;

function findItem({ items }: KeptList, value: string): KeptItem {
  const item = items.find((each) => each.value === value);
  if (item === undefined) throw new ChangeRefused('not-found');
  return item;
}

function stateOf({ id: _, ...state }: KeptItem): ItemState {
  return state;
}

function orderAfterLast(items: readonly { sortOrder: number }[]): number {
  const highest = items.reduce((found, { sortOrder }) => Math.max(found, sortOrder), 0);
  return Math.min(highest + 10, Number.MAX_SAFE_INTEGER);
}

function differing(changes: Change[]): Change[] {
  return changes.filter(({ before, after }) => !Bun.deepEquals(before, after));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only the details that are defined. */
function given<T extends object>(details: T): Given<T> {
  return Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== undefined)) as Given<T>;
}

function dateFaults({ validFrom, validTo }: Pick<ItemState, 'validFrom' | 'validTo'>): Fault[] {
  if (validFrom === null || validTo === null || validFrom <= validTo) return [];
  return [{ field: 'validTo', message: 'Must not be before the start date' }];
}
