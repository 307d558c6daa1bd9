// Saves a change of a list. If others have changed other values since, it is repeated on the new version; if they
// changed the same ones, the user is asked. Every saved change can be undone.
import { FrontdeskError } from '../../../client/src/index.ts';
import type {
  Api,
  DocumentItem,
  HistoryEntry,
  ItemChanges,
  KeptItem,
  KeptList,
  Plan,
  SettingsRequest,
} from '../../shell/api.ts';
import { sharedListTexts } from '../texts.ts';
import { conflictRows, isConflict } from './conflict.ts';
import { isSame, mergeField } from './merge.ts';

/** A change of one value by fields, to compare with other people's changes to it. */
export interface MyChange {
  /** The item and the list's version when the user began. */
  item: KeptItem;
  since: number;
  changes: ItemChanges;
  write: (version: number, changes: ItemChanges) => Promise<KeptList | Plan>;
}

export interface ListChange {
  /** The message once it is saved. */
  done: string;
  /** The values it changes. */
  values: readonly string[];
  /** Changes only the order: `write` merges it into the newest list, so it never conflicts. */
  isOrder?: boolean;
  /** Changes title, description, roles or the archived state. */
  isSettings?: boolean;
  /** `latest` is the list at `version`. */
  write: (version: number, latest: KeptList) => Promise<KeptList | Plan>;
  mine?: MyChange;
  /** The list as it will be, shown immediately. */
  optimistic?: (list: KeptList) => KeptList;
}

export interface Conflict {
  change: ListChange;
  /** The list as the user knew it, and as it is now. */
  before: KeptList;
  latest: KeptList;
  /** Other people's changes to the same values, newest first. */
  theirs: HistoryEntry[];
}

/** Undefined if the user keeps editing. `changes`: what to save of a change with `mine`. */
export type ConflictAnswer = { changes?: ItemChanges } | undefined;

interface SaveOptions {
  api: Api;
  /** The list as the user knows it. */
  list: KeptList;
  change: ListChange;
  ask: (conflict: Conflict) => Promise<ConflictAnswer>;
}

/** The list before the change, and the version it created. */
interface SavedChange {
  before: KeptList;
  version: number;
  /** The list afterwards, if the service's answer contains it. */
  list: KeptList | undefined;
  /** Number of values in other lists that depend on values it retired. */
  children: number;
}

function childrenIn(answer: (KeptList & { children?: number }) | Plan): number {
  if ('items' in answer) return answer.children ?? 0;
  return answer.changes.reduce((sum, { children = 0 }) => sum + children, 0);
}

/** Fails only if others save between all of these attempts. */
const maxTries = 8;

/** Undefined if the user keeps editing. Throws if it cannot be saved. */
export async function saveChange({ api, list, change, ask }: SaveOptions): Promise<SavedChange | undefined> {
  let before = list;
  let { write, mine } = change;

  /** False if the user keeps editing. */
  async function isResolved(latest: KeptList, theirs: HistoryEntry[]): Promise<boolean> {
    const answer = await ask({ change: mine === undefined ? change : { ...change, mine }, before, latest, theirs });
    if (answer === undefined) return false;
    if (mine !== undefined && answer.changes !== undefined) {
      const chosen = { ...mine, item: itemIn(latest, mine) ?? mine.item, changes: answer.changes };
      mine = chosen;
      write = (version) => chosen.write(version, chosen.changes);
    }
    return true;
  }

  // The page may already show what others changed since the form was opened; then the service would not refuse the
  // change.
  if (mine !== undefined && hasConflict(mine, list)) {
    const { item, since } = mine;
    const history = await api.history(list.list, { value: item.value });
    const theirs = history.filter(({ version }) => version > since);
    if (!(await isResolved(list, theirs))) return undefined;
  }
  for (let tries = 1; ; tries++) {
    try {
      const answer = await write(before.version, before);
      const children = childrenIn(answer);
      if ('items' in answer) return { before, version: answer.version, list: answer, children };
      return { before, version: before.version + (answer.changes.length === 0 ? 0 : 1), list: undefined, children };
    } catch (error) {
      if (!isVersionConflict(error) || tries === maxTries) throw error;
      const latest = await api.list(list.list);
      const isFree =
        change.isOrder === true ||
        (mine === undefined ? isUntouched(change, before, latest) : !hasConflict(mine, latest));
      if (!isFree && !(await isResolved(latest, entriesAbout(error, change)))) return undefined;
      before = latest;
    }
  }
}

const itemIn = (list: KeptList, { item }: MyChange) => list.items.find(({ value }) => value === item.value);

/** Whether others changed one of these fields differently. The service merges the other fields. */
function hasConflict(mine: MyChange, latest: KeptList): boolean {
  return conflictRows(mine.item, mine.changes, itemIn(latest, mine) ?? null, []).some(isConflict);
}

export const isVersionConflict = (error: unknown): error is FrontdeskError =>
  error instanceof FrontdeskError && error.code === 'version-conflict';

/** Whether nobody has touched these values. Their order does not count. */
function isUntouched(change: ListChange, before: KeptList, latest: KeptList): boolean {
  if (change.isSettings === true && !isSame(settingsOf(before), settingsOf(latest))) return false;
  const wanted = new Set(change.values);
  const find = (list: KeptList) =>
    new Map(list.items.filter(({ value }) => wanted.has(value)).map((item) => [item.value, withoutOrder(item)]));
  const [known, now] = [find(before), find(latest)];
  return change.values.every((value) => isSame(known.get(value), now.get(value)));
}

const withoutOrder = ({ sortOrder: _, id: __, ...item }: KeptItem) => item;
const settingsOf = ({ items: _, version: __, ...settings }: KeptList) => settings;

function entriesAbout(error: FrontdeskError, change: ListChange): HistoryEntry[] {
  const entries = (error.problem as { changes?: HistoryEntry[] }).changes ?? [];
  const wanted = new Set<string | null>(change.values);
  if (change.isSettings === true) wanted.add(null);
  return entries
    .map((entry) => ({ ...entry, changes: entry.changes.filter(({ value }) => wanted.has(value)) }))
    .filter((entry) => entry.changes.length > 0);
}

/** Somebody else has changed the same values, so the change cannot be undone. */
export class ChangedSince extends Error {
  constructor(message: string = sharedListTexts.changedSince) {
    super(message);
  }
}

/** Throws ChangedSince if others have changed the same values. */
export async function undoChange(
  api: Api,
  { before, version }: Pick<SavedChange, 'before' | 'version'>,
  isSettings = false,
): Promise<void> {
  const name = before.list;
  if (isSettings) return undoSettings(api, before, version);
  try {
    await api.undo(name, version, before.version);
  } catch (error) {
    if (!isVersionConflict(error)) throw error;
    const [saved, latest] = await Promise.all([api.listAt(name, version), api.list(name)]);
    const items = inverseOf(before, saved, latest);
    if (items === undefined) throw new ChangedSince();
    await api.apply({ lists: { [name]: { version: latest.version, items } } });
  }
}

/** The service's undo does not touch roles and the archived state. */
async function undoSettings(api: Api, before: KeptList, version: number): Promise<void> {
  const [saved, latest] = await Promise.all([api.listAt(before.list, version), api.list(before.list)]);
  const changes = settingsBefore(before, saved, latest);
  if (changes === undefined) throw new ChangedSince();
  await api.changeSettings(before.list, latest.version, changes);
}

const byValue = (list: KeptList) => new Map(list.items.map((item) => [item.value, item]));

/**
 * What restores the values that changed between `before` and `saved`. Undefined if others have changed one of them
 * since.
 */
function inverseOf(before: KeptList, saved: KeptList, latest: KeptList): DocumentItem[] | undefined {
  const [old, now] = [byValue(before), byValue(latest)];
  const items: DocumentItem[] = [];
  for (const item of saved.items) {
    const was = old.get(item.value);
    if (was !== undefined && isSame(was, item)) continue;
    if (mergeField<KeptItem | null>(item, was ?? null, now.get(item.value) ?? null).changedBy !== 'mine')
      return undefined;
    // Added values are retired, since nothing is ever deleted.
    items.push(was === undefined ? { value: item.value, label: item.label, retired: true } : stateOf(was, item));
  }
  return items;
}

/** The whole item as it was, without keys that were added since. */
function stateOf(was: KeptItem, since: KeptItem): DocumentItem {
  const { id: _, status, retiredAt: __, replacedBy, labels, codes, parents, ...fields } = was;
  return {
    ...fields,
    labels: withRemoved(labels, since.labels),
    codes: withRemoved(codes, since.codes),
    parents: withRemoved(parents, since.parents),
    retired: status === 'retired',
    ...(status === 'retired' && { replacedBy }),
  };
}

function withRemoved<T>(was: Record<string, T>, since: Record<string, T>): Record<string, T | null> {
  return { ...Object.fromEntries(Object.keys(since).map((key) => [key, null])), ...was };
}

const settings = ['title', 'description', 'readers', 'keepers', 'archived'] as const;

/** What restores the changed settings. Undefined if others have changed one of them since. */
function settingsBefore(before: KeptList, saved: KeptList, latest: KeptList): SettingsRequest | undefined {
  const changed = settings.filter((name) => !isSame(before[name], saved[name]));
  const isMineAlone = (name: (typeof settings)[number]) =>
    mergeField<unknown>(saved[name], before[name], latest[name]).changedBy === 'mine';
  if (!changed.every(isMineAlone)) return undefined;
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}
