// Planning a change of a list: from what is there and what is wanted to what has to be written. Pure.
import type { DocumentItem, ItemChanges, KeptItem, KeptList, NewItem } from './lookup.schema.ts';

export type ItemState = Omit<KeptItem, 'id'>;

/** A change without a value is one of the list's title. */
export type Change =
  | { value: string; before: ItemState | null; after: ItemState }
  | { value: null; before: { title: string }; after: { title: string } };

export interface Fault {
  field: string;
  message: string;
}

/** What was asked for cannot be done, and why. */
export class ChangeRefused extends Error {
  readonly kind: 'invalid' | 'not-found' | 'exists';
  readonly faults: Fault[];

  constructor(kind: ChangeRefused['kind'], faults: Fault[] = []) {
    super(kind);
    this.kind = kind;
    this.faults = faults;
  }
}

export function planAdd({ items }: KeptList, { reason: _, ...wanted }: NewItem): Change[] {
  const { value } = wanted;
  if (items.some((item) => item.value === value)) {
    throw new ChangeRefused('exists', [{ field: 'value', message: 'Already exists (may be retired)' }]);
  }
  const after: ItemState = { ...blank, sortOrder: behindLast(items), value, label: wanted.label, ...given(wanted) };
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
  refuseFaults(replacementFaults(replacements, leadingInCircles(replacements), value));
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
  const target = new Map<string | null, Change['before']>();
  for (const { changes } of steps) for (const { value, before } of changes) target.set(value, before);
  const existing = new Map(list.items.map((item) => [item.value, item]));
  const changes = [...target].map(([value, wanted]): Change => {
    if (value === null) return { value, before: { title: list.title }, after: wanted as { title: string } };
    const item = existing.get(value);
    if (item === undefined) throw new ChangeRefused('not-found');
    const before = stateOf(item);
    const retired = { ...before, status: 'retired' as const, retiredAt: before.retiredAt ?? now.toISOString() };
    return { value, before, after: wanted === null ? retired : (wanted as ItemState) };
  });
  return differing(changes);
}

/** What a document wants of one list. What it leaves out stays as it is. */
export function planDocument(
  list: KeptList,
  wanted: { title?: string | undefined; items: readonly DocumentItem[] },
  now: Date,
): Change[] {
  const existing = new Map(list.items.map((item) => [item.value, item]));
  let last = behindLast(list.items) - 10;
  const changes = wanted.items.map((item): Change & { value: string } => {
    const known = existing.get(item.value);
    if (known === undefined) last += 10;
    const before = known === undefined ? null : stateOf(known);
    return { value: item.value, before, after: mergeItem(before, item, last, now) };
  });
  const replacements = replacementsIn(list.items);
  for (const { value, after } of changes) replacements.set(value, after.replacedBy);
  const circular = leadingInCircles(replacements);
  const faults = changes.flatMap(({ value, after }, index) => {
    const isMisplaced = wanted.items[index]?.replacedBy && after.status !== 'retired';
    return [
      ...dateFaults(after),
      ...replacementFaults(replacements, circular, value),
      ...(isMisplaced ? [{ field: 'replacedBy', message: 'is for retired items only' }] : []),
    ].map(({ field, message }) => ({ field: `${index}.${field}`, message }));
  });
  refuseFaults(faults);
  const title: Change[] =
    wanted.title === undefined ? [] : [{ value: null, before: { title: list.title }, after: { title: wanted.title } }];
  return differing([...title, ...changes]);
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

/** Languages that are left out stay; null takes one away. */
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

function behindLast(items: readonly { sortOrder: number }[]): number {
  const highest = items.reduce((found, { sortOrder }) => Math.max(found, sortOrder), 0);
  return Math.min(highest + 10, Number.MAX_SAFE_INTEGER);
}

function differing(changes: Change[]): Change[] {
  return changes.filter(({ before, after }) => !Bun.deepEquals(before, after));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What was said, without what was left unsaid. */
function given<T extends object>(details: T): Given<T> {
  return Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== undefined)) as Given<T>;
}

function dateFaults({ validFrom, validTo }: Pick<ItemState, 'validFrom' | 'validTo'>): Fault[] {
  if (validFrom === null || validTo === null || validFrom <= validTo) return [];
  return [{ field: 'validTo', message: 'Must not be before the start date' }];
}

type Replacements = Map<string, string | null>;

function replacementsIn(items: readonly { value: string; replacedBy: string | null }[]): Replacements {
  return new Map(items.map(({ value, replacedBy }) => [value, replacedBy]));
}

function replacementFaults(replacements: Replacements, circular: ReadonlySet<string>, value: string): Fault[] {
  const replacedBy = replacements.get(value) ?? null;
  const fault = (message: string) => [{ field: 'replacedBy', message }];
  if (replacedBy !== null && !replacements.has(replacedBy)) return fault('must be a value of the same list');
  return circular.has(value) ? fault('must not lead back to the item itself') : [];
}

/** The values whose replacements have no end. Each is looked at once, however long the chains are. */
function leadingInCircles(replacements: Replacements): Set<string> {
  const ending = new Set<string>();
  const circular = new Set<string>();
  for (const start of replacements.keys()) {
    const chain = new Set<string>();
    let next: string | null = start;
    while (next !== null && !chain.has(next) && !ending.has(next) && !circular.has(next)) {
      chain.add(next);
      next = replacements.get(next) ?? null;
    }
    const isCircular = next !== null && !ending.has(next);
    for (const value of chain) (isCircular ? circular : ending).add(value);
  }
  return circular;
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new ChangeRefused('invalid', faults);
}
