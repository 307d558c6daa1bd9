// Plans what a document changes in the stored lists: returns the answer, and the rows to write. Pure functions.

import { Pauses } from '../../base/pauses.ts';
import { type Change, ChangeRefused, type Fault, isItemChange } from '../rules/change.ts';
import type { ItemState, KeptItem } from '../rules/item.ts';
import { type KeptList, noSettings } from '../rules/list.ts';
import { changesRights } from '../rules/list-settings.ts';
import { type MayName, withReadableChange } from '../rules/readable-parents.ts';
import type { LookupDocument, Plan } from './lookup-document.schema.ts';
import { type ChildCounts, countChildren, type ListValues, parentsNamed } from './parents.ts';
import { mirrorOf, planDocument } from './planning.ts';
import { type VersionRows, versionRows } from './version-rows.ts';

/** A document that has been read, in this thread or in a worker thread. A worker thread returns the plan as bytes. */
export interface PlannableDocument<A extends Plan | PlanBytes = PlanBytes> {
  /** The names of its lists. */
  names: string[];
  /** The parents of its items, if they are in lists outside the document. */
  parents: ListValues;
  plan(stored: readonly KeptList[], given: PlanInput): Promise<PlannedDocument<A>>;
}

export interface PlanInput {
  /** The `parents` of the document that exist. */
  known: ListValues;
  /** The lists whose values the answer may show as parents. All lists if undefined. */
  readable?: ReadonlySet<string> | undefined;
  /** For each value in the document, the number of active items in lists outside it that have the value as a parent. */
  children?: ChildCounts;
  /** The id for the next new item. */
  firstId: number;
  now: Date;
}

/** A plan as JSON. */
export type PlanBytes = Uint8Array<ArrayBuffer>;

export interface PlannedDocument<A = PlanBytes> {
  answer: A;
  /** Undefined if nothing changes. */
  rows: VersionRows | undefined;
  /** A list that would change, but is no longer at the version that the document is based on. */
  outdated: { list: string; version: number; seen: number } | undefined;
  /** Whether the document adds or archives a list, or changes who may read or keep one. */
  changesRights: boolean;
}

export async function planLists(
  document: LookupDocument,
  stored: readonly KeptList[],
  { known, readable, children, firstId, now }: PlanInput,
): Promise<PlannedDocument<Plan>> {
  const byName = new Map(stored.map((list) => [list.list, list]));
  const parents = withOwnValues(document, byName, known);
  const faults: Fault[] = [];
  const planned = Object.entries(document.lists).map(([name, wanted]) => {
    const existing = byName.get(name);
    const list = existing ?? { list: name, ...noSettings, title: wanted.title ?? name, version: 0, items: [] };
    if (existing === undefined && wanted.version !== undefined) {
      faults.push({ field: `lists.${name}.version`, message: 'There is no such list. Leave the version out' });
    }
    let changes: Change[] = [];
    try {
      changes = planDocument(list, document.mirror === true ? mirrorOf(list, wanted) : wanted, parents, now);
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      for (const { field, message } of error.faults) faults.push({ field: `lists.${name}.${field}`, message });
    }
    return { ...list, changes, isNew: existing === undefined, seen: wanted.version };
  });
  if (faults.length > 0) throw new ChangeRefused('invalid', faults);
  const changing = planned.filter(({ isNew, changes }) => isNew || changes.length > 0);
  const outdated = changing.find(({ seen, version }) => seen !== undefined && seen !== version);
  return {
    answer: describe(planned, (list) => readable?.has(list) ?? true, await childrenAfter(planned, children)),
    rows: changing.length === 0 ? undefined : await versionRows(changing, firstId, new Pauses()),
    changesRights: changing.some(({ isNew, changes }) => isNew || changesRights(changes)),
    outdated: outdated?.seen === undefined ? undefined : { ...outdated, seen: outdated.seen },
  };
}

/** Adds the values of the document's own lists, both stored and new, to the `known` parents. */
function withOwnValues(document: LookupDocument, stored: Map<string, KeptList>, known: ListValues): ListValues {
  const values: ListValues = new Map(known);
  const named = parentsIn(document);
  for (const [name, { items = [] }] of Object.entries(document.lists)) {
    if (!named.has(name)) continue;
    values.set(name, new Set([...(stored.get(name)?.items ?? []), ...items].map(({ value }) => value)));
  }
  return values;
}

function parentsIn(document: LookupDocument): ListValues {
  return parentsNamed(Object.values(document.lists).flatMap(({ items = [] }) => items));
}

/** The parents of the document's items that are values of lists outside the document. */
export function parentsElsewhere(document: LookupDocument): ListValues {
  const named = parentsIn(document);
  for (const name of Object.keys(document.lists)) named.delete(name);
  return named;
}

type PlannedList = { list: string; title: string; isNew: boolean; items: readonly KeptItem[]; changes: Change[] };

/** Counts the children that each retired value will have after the document is applied. */
async function childrenAfter(
  planned: readonly PlannedList[],
  elsewhere: ChildCounts = new Map(),
): Promise<ChildCounts> {
  const retiring = planned.filter(({ changes }) => changes.some((change) => kindOf(change) === 'retire'));
  const named = new Set(retiring.map(({ list }) => list));
  return countChildren(named.size === 0 ? [] : planned.map(withItemsAfter), named, elsewhere);
}

function withItemsAfter({ items, changes }: PlannedList) {
  const after = new Map<string, ItemState>(items.map((item) => [item.value, item]));
  for (const change of changes) if (isItemChange(change)) after.set(change.value, change.after);
  return { items: [...after.values()] };
}

function describe(planned: readonly PlannedList[], mayName: MayName, children: ChildCounts): Plan {
  const changes = planned.flatMap(({ list, title, isNew, changes }): Plan['changes'] => [
    ...(isNew ? [{ list, value: null, kind: 'list' as const, before: null, after: { title } }] : []),
    ...changes.map((change) => {
      const { value, before, after } = withReadableChange(change, mayName);
      const kind = kindOf(change);
      const count = kind === 'retire' ? children.get(list)?.get(value ?? '') : undefined;
      return { list, value, kind, before, after, ...(count !== undefined && { children: count }) };
    }),
  ]);
  const byList = [...Map.groupBy(changes, ({ list }) => list)];
  return { changes, counts: Object.fromEntries(byList.map(([list, ofList]) => [list, countKinds(ofList)])) };
}

function countKinds(changes: Plan['changes']): Record<string, number> {
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  return Object.fromEntries(Array.from(byKind, ([kind, ofKind]) => [kind, ofKind.length]));
}

/** Maximum number of changes in one answer. The OpenAPI description repeats this number. */
const mostChanges = 1000;

/**
 * Limits the changes in an answer. A document can change a hundred thousand items. Nobody reads that many changes, and
 * sending them would delay other requests.
 */
export function boundPlan({ changes, counts }: Plan): Plan {
  const leftOut = changes.length - mostChanges;
  return { changes: changes.slice(0, mostChanges), counts, ...(leftOut > 0 && { changesLeftOut: leftOut }) };
}

function kindOf({ value, before, after }: Change): Plan['changes'][number]['kind'] {
  if (value === null) return Object.keys(after).join() === 'title' ? 'title' : 'settings';
  if (before === null) return 'add';
  if (before.status === after.status) return 'change';
  return after.status === 'retired' ? 'retire' : 'restore';
}

/** Plans in the caller's thread. Only for commands and for startup, when no requests are being served. */
export function plannedHere(document: LookupDocument): PlannableDocument<Plan> {
  return {
    names: Object.keys(document.lists),
    parents: parentsElsewhere(document),
    plan: (stored, given) => planLists(document, stored, given),
  };
}
