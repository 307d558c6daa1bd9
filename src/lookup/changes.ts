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
    throw new ChangeRefused('exists', [{ field: 'value', message: 'is in this list already, perhaps retired' }]);
  }
  const after: ItemState = { ...blank, sortOrder: behindLast(items), value, label: wanted.label, ...given(wanted) };
  refuseFaults(dateFaults(after));
  return [{ value, before: null, after }];
}

export function planChange(list: KeptList, value: string, { reason: _, ...wanted }: ItemChanges): Change[] {
  const before = stateOf(findItem(list, value));
  const after: ItemState = { ...before, ...given(wanted) };
  refuseFaults(dateFaults(after));
  return differing([{ value, before, after }]);
}

export function planRetire(list: KeptList, value: string, replacedBy: string | undefined, now: Date): Change[] {
  const before = stateOf(findItem(list, value));
  refuseFaults(replacementFaults(new Set(list.items.map((item) => item.value)), value, replacedBy ?? null));
  const retiredAt = before.status === 'retired' ? before.retiredAt : now.toISOString();
  return differing([
    { value, before, after: { ...before, status: 'retired', replacedBy: replacedBy ?? null, retiredAt } },
  ]);
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
  const faults: Fault[] = [];
  const changes: Change[] = [];
  const existing = new Map(list.items.map((item) => [item.value, item]));
  const known = new Set([...existing.keys(), ...wanted.items.map(({ value }) => value)]);
  const seen = new Set<string>();
  let last = behindLast(list.items) - 10;
  for (const [index, { value, retired, replacedBy, ...details }] of wanted.items.entries()) {
    const item = existing.get(value);
    const before = item === undefined ? null : stateOf(item);
    if (before === null) last += 10;
    const after: ItemState = { ...blank, sortOrder: last, ...before, value, label: details.label, ...given(details) };
    if (retired === true) {
      Object.assign(after, { status: 'retired', retiredAt: before?.retiredAt ?? now.toISOString() });
      if (replacedBy !== undefined) after.replacedBy = replacedBy;
    } else if (retired === false) {
      Object.assign(after, { status: 'active', retiredAt: null, replacedBy: null });
    }
    const here = [...dateFaults(after), ...replacementFaults(known, value, after.replacedBy)];
    if (seen.has(value)) here.push({ field: 'value', message: 'is in this document twice' });
    seen.add(value);
    if (replacedBy && after.status !== 'retired')
      here.push({ field: 'replacedBy', message: 'is for retired items only' });
    faults.push(...here.map(({ field, message }) => ({ field: `${index}.${field}`, message })));
    changes.push({ value, before, after });
  }
  refuseFaults(faults);
  const title: Change[] =
    wanted.title === undefined ? [] : [{ value: null, before: { title: list.title }, after: { title: wanted.title } }];
  return differing([...title, ...changes]);
}

/** Items sorted for display: by sortOrder, then label. Not left to the database: engines disagree about text. */
export function inDisplayOrder(
  a: { sortOrder: number; label: string },
  b: { sortOrder: number; label: string },
): number {
  return a.sortOrder - b.sortOrder || collator.compare(a.label, b.label);
}
const collator = new Intl.Collator('en');

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
  return items.reduce((highest, { sortOrder }) => Math.max(highest, sortOrder), 0) + 10;
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
  return [{ field: 'validTo', message: 'must not be before validFrom' }];
}

function replacementFaults(known: ReadonlySet<string>, value: string, replacedBy: string | null): Fault[] {
  if (replacedBy === null) return [];
  if (replacedBy === value) return [{ field: 'replacedBy', message: 'must be another item' }];
  if (known.has(replacedBy)) return [];
  return [{ field: 'replacedBy', message: 'must be a value of the same list' }];
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length > 0) throw new ChangeRefused('invalid', faults);
}
