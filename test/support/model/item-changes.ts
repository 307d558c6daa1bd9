// One function for each kind of change to a list: returns the content after the change, or throws a refusal.
import { type Content, type Item, type Items, Refusal } from './list.ts';

export interface Details {
  label?: string;
  labels?: Readonly<Record<string, string | null>>;
  sortOrder?: number;
  validFrom?: string | null;
  validTo?: string | null;
  codes?: Readonly<Record<string, string | null>>;
  tags?: readonly string[];
  description?: string | null;
  parents?: Readonly<Record<string, readonly string[] | null>>;
}

export interface NewItem extends Details {
  value: string;
  label: string;
}

export function addItem(content: Content, { value, ...details }: NewItem): Content {
  if (content.items[value] !== undefined) throw new Refusal('already-exists');
  return withItem(content, withDetails(newItem(value, orderAfterLast(content.items)), details));
}

export function changeItem(content: Content, value: string, details: Details): Content {
  return withItem(content, withDetails(findItem(content, value), details));
}

/** An earlier replacement stays unless a new one is named. */
export function retireItem(content: Content, value: string, replacedBy: string | undefined, day: string): Content {
  const retired = asRetired(findItem(content, value), day);
  return withItem(content, { ...retired, replacedBy: replacedBy ?? retired.replacedBy });
}

export function restoreItem(content: Content, value: string): Content {
  return withItem(content, asActive(findItem(content, value)));
}

export function orderItems(content: Content, values: readonly string[]): Content {
  const active = Object.values(content.items).filter(({ status }) => status === 'active');
  const isEveryOneOnce = Bun.deepEquals(values.toSorted(), active.map(({ value }) => value).sort());
  if (!isEveryOneOnce) throw new Refusal('invalid-request');
  const moved = values.map((value, index) => ({ ...findItem(content, value), sortOrder: (index + 1) * 10 }));
  return { ...content, items: { ...content.items, ...byValue(moved) } };
}

/** Restores title and description, with their translations, and items; items added since are retired. */
export function undo(content: Content, old: Content | undefined, day: string): Content {
  if (old === undefined) throw new Refusal('invalid-request');
  const items = Object.values(content.items).map((item) => old.items[item.value] ?? asRetired(item, day));
  const { title, titles, description, descriptions } = old;
  return { ...content, title, titles, description, descriptions, items: byValue(items) };
}

export const newItem = (value: string, sortOrder: number): Item => ({
  value,
  label: '',
  labels: {},
  sortOrder,
  status: 'active',
  validFrom: null,
  validTo: null,
  replacedBy: null,
  retiredAt: null,
  codes: {},
  tags: [],
  description: null,
  parents: {},
});

/**
 * Fields that are left out stay. Labels, codes and parents are merged key by key; null removes a key. Text becomes NFC.
 */
export function withDetails(item: Item, { labels, codes, parents, ...details }: Details): Item {
  const after: Item = {
    ...item,
    ...details,
    label: inNfc(details.label ?? item.label),
    labels: mergeByKey(item.labels, labels, inNfc),
    codes: mergeByKey(item.codes, codes, inNfc),
    tags: (details.tags ?? item.tags).toSorted(),
    parents: mergeByKey(item.parents, parents, (values) => values.toSorted()),
  };
  if (after.validFrom !== null && after.validTo !== null && after.validFrom > after.validTo) {
    throw new Refusal('invalid-request');
  }
  return after;
}

export const inNfc = (text: string) => text.normalize('NFC');

export const keptReason = (given: string | undefined) => (given === undefined ? null : inNfc(given.trim()));

export function mergeByKey<T>(
  before: Readonly<Record<string, T>>,
  changes: Readonly<Record<string, T | null>> = {},
  stored: (given: T) => T,
): Record<string, T> {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.flatMap(([key, given]) => (given === null ? [] : [[key, stored(given)]])));
}

let retirements = 0;

/**
 * The model has days, not times. A number after the day distinguishes retirements on the same day, because an undo may
 * restore a version between two of them.
 */
export const asRetired = (item: Item, day: string): Item =>
  item.status === 'retired' ? item : { ...item, status: 'retired', retiredAt: `${day} ${++retirements}` };

export const asActive = (item: Item): Item => ({ ...item, status: 'active', retiredAt: null, replacedBy: null });

export const orderAfterLast = (items: Items): number =>
  Math.max(0, ...Object.values(items).map(({ sortOrder }) => sortOrder)) + 10;

function withItem(content: Content, item: Item): Content {
  const after = { ...content, items: { ...content.items, [item.value]: item } };
  refuseConflicts(after.items);
  return after;
}

/** Checks the rules between the items of a list. */
export function refuseConflicts(items: Items): void {
  refuseWrongReplacements(items);
  refuseSharedCodes(items);
}

/** Within a system, no two active items have the same code. */
function refuseSharedCodes(items: Items): void {
  const active = Object.values(items).filter(({ status }) => status === 'active');
  const used = active.flatMap(({ codes }) => Object.entries(codes).map((pair) => JSON.stringify(pair)));
  if (new Set(used).size < used.length) throw new Refusal('invalid-request');
}

/** People who may not read a list may not name it as a parent list, neither with values nor with null. */
export function refuseUnreadableParents(sent: readonly Details[], itemsOf: (list: string) => Items | undefined): void {
  const named = sent.flatMap(({ parents = {} }) => Object.keys(parents));
  if (named.some((list) => itemsOf(list) === undefined)) throw new Refusal('invalid-request');
}

/** New parents must be values, retired or not, of a different list that the writer may read. */
export function refuseWrongParents(
  name: string,
  { before, after }: { before: Content | undefined; after: Content },
  itemsOf: (list: string) => Items | undefined,
): void {
  for (const { value: own, parents } of Object.values(after.items)) {
    for (const [list, values] of Object.entries(parents)) {
      const had = before?.items[own]?.parents[list] ?? [];
      const known = list === name ? undefined : itemsOf(list);
      const isWrong = (value: string) => !had.includes(value) && known?.[value] === undefined;
      if (values.some(isWrong)) throw new Refusal('invalid-request');
    }
  }
}

/** A replacement must be a different item of the list, and replacements must not form a cycle. */
function refuseWrongReplacements(items: Items): void {
  for (const { value } of Object.values(items)) {
    const visited = new Set<string>();
    for (let next: string | null = value; next !== null; next = items[next]?.replacedBy ?? null) {
      if (visited.has(next) || items[next] === undefined) throw new Refusal('invalid-request');
      visited.add(next);
    }
  }
}

function findItem({ items }: Content, value: string): Item {
  const item = items[value];
  if (item === undefined) throw new Refusal('not-found');
  return item;
}

const byValue = (items: readonly Item[]): Items => Object.fromEntries(items.map((item) => [item.value, item]));
