// What a document changes in the lists: either all of its changes, or nothing.
import {
  asActive,
  asRetired,
  type NewItem,
  newItem,
  orderAfterLast,
  refuseConflicts,
  refuseUnreadableParents,
  refuseWrongParents,
  withDetails,
} from './item-changes.ts';
import {
  type Change,
  type Content,
  changesBetween,
  currentOf,
  type Item,
  type List,
  newContent,
  Refusal,
} from './list.ts';
import type { Person } from './people.ts';
import { type GivenSettings, isKeeper, mayKeep, readableBy, refuseRights, withSettings } from './settings.ts';

export interface DocumentItem extends NewItem {
  retired?: boolean;
  replacedBy?: string | null;
}

export interface DocumentList extends GivenSettings {
  version?: number;
  items?: readonly DocumentItem[];
}

export interface Document {
  mirror?: boolean;
  lists: Readonly<Record<string, DocumentList>>;
}

export interface PlannedList {
  name: string;
  /** Undefined if the document adds the list. */
  before: List | undefined;
  after: Content;
}

export function planDocument(
  lists: ReadonlyMap<string, List>,
  { lists: wantedLists, mirror = false }: Document,
  day: string,
  by: Person,
  readRoles: readonly string[],
): PlannedList[] {
  if (!isKeeper(by)) throw new Refusal('forbidden');
  // Items are checked as soon as the document can be read.
  if (Object.values(wantedLists).some(({ items = [] }) => items.some(isReversed))) throw new Refusal('invalid-request');
  for (const name of Object.keys(wantedLists)) {
    const list = lists.get(name);
    if (by !== 'admin' && (list === undefined || !mayKeep(by, currentOf(list)))) throw new Refusal('forbidden');
  }
  const planned = Object.entries(wantedLists).map(([name, wanted]) => {
    const before = lists.get(name);
    if (before === undefined && wanted.version !== undefined) throw new Refusal('invalid-request');
    const content = before === undefined ? newContent(name) : currentOf(before);
    return { name, before, after: documentContent(content, wanted, day, mirror), seen: wanted.version };
  });
  // Parents may be in the same document.
  const after = new Map(planned.map((list) => [list.name, list.after]));
  const itemsOf = (name: string) => (after.get(name) ?? readableBy(by, lists.get(name), readRoles))?.items;
  refuseUnreadableParents(
    Object.values(wantedLists).flatMap(({ items = [] }) => items),
    itemsOf,
  );
  for (const { name, before, after } of planned) {
    refuseWrongParents(name, { before: before && currentOf(before), after }, itemsOf);
  }
  for (const { before, after } of planned) if (before !== undefined) refuseRights(by, currentOf(before), after);
  for (const { before, after, seen } of planned) {
    const isOutdated = seen !== undefined && seen !== before?.versions.length;
    if (isOutdated && changesOf(before, after).length > 0) throw new Refusal('version-conflict');
  }
  return planned;
}

const isReversed = ({ validFrom, validTo }: DocumentItem) =>
  typeof validFrom === 'string' && typeof validTo === 'string' && validFrom > validTo;

const changesOf = (before: List | undefined, after: Content) => changesBetween(before && currentOf(before), after);

/** Each change with its list and kind, as in the answers of `plan` and `apply`. */
export const describePlan = (planned: readonly PlannedList[]) =>
  planned.flatMap(({ name, before, after }) => {
    const added = { list: name, value: null, kind: 'list', before: null, after: { title: after.title } };
    const changes = changesOf(before, after).map((change) => ({ list: name, kind: kindOf(change), ...change }));
    return before === undefined ? [added, ...changes] : changes;
  });

function kindOf({ value, before, after }: Change): string {
  if (value === null) return Bun.deepEquals(Object.keys(after ?? {}), ['title']) ? 'title' : 'settings';
  if (before === null) return 'add';
  const [was, is] = [before as Item, after as Item].map(({ status }) => status);
  if (was === is) return 'change';
  return is === 'retired' ? 'retire' : 'restore';
}

/**
 * Fields that a document leaves out stay as they are. If it mirrors the list, items that it leaves out are retired, and the
 * others are active.
 */
function documentContent(
  content: Content,
  { items: wanted, version: _, ...settings }: DocumentList,
  day: string,
  isMirror: boolean,
): Content {
  const after = withSettings(content, settings);
  if (wanted === undefined) return after;
  const left = Object.entries(content.items).map(([value, item]) => [value, isMirror ? asRetired(item, day) : item]);
  const items: Record<string, Item> = Object.fromEntries(left);
  let last = orderAfterLast(items);
  for (const item of wanted) {
    const known = content.items[item.value];
    items[item.value] = documentItem(
      known ?? newItem(item.value, last),
      { ...(isMirror && { retired: false }), ...item },
      day,
    );
    if (known === undefined) last += 10;
  }
  const isTwice = new Set(wanted.map(({ value }) => value)).size < wanted.length;
  if (isTwice) throw new Refusal('invalid-request');
  refuseConflicts(items);
  return { ...after, items };
}

function documentItem(known: Item, { retired, replacedBy, value: _, ...details }: DocumentItem, day: string): Item {
  const item = withDetails(known, details);
  const isRetired = retired ?? item.status === 'retired';
  if (!isRetired && replacedBy) throw new Refusal('invalid-request');
  if (!isRetired) return asActive(item);
  const after = asRetired(item, day);
  return { ...after, replacedBy: replacedBy === undefined ? after.replacedBy : replacedBy };
}
