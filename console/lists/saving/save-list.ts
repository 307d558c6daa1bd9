// Saves a change to a list. If others have changed different values since, the change is applied to the new version.
// If they have changed the same values, the user is asked. Every saved change can be undone.
import { FrontdeskError } from '../../../client/src/index.ts';
import { settingNames, undoableNames } from '../../../src/lookup/rules/list-settings.ts';
import type {
  Api,
  DocumentItem,
  HistoryEntry,
  ItemChanges,
  KeptItem,
  KeptList,
  LaterChange,
  ListSettings,
  Plan,
  SettingsRequest,
} from '../../shell/api.ts';
import { sharedListTexts } from '../texts.ts';
import { conflictRows, isConflict } from './conflict.ts';
import { isSame, mergeField } from './merge.ts';

/** A change to one value that can be compared field by field with other people's changes. */
export interface MyChange {
  /** The item and the list's version when the user began to edit. */
  item: KeptItem;
  since: number;
  changes: ItemChanges;
  write: (version: number, changes: ItemChanges) => Promise<KeptList | Plan>;
}

export interface ListChange {
  /** The message that is shown after saving. */
  done: string;
  /** The message that is shown after Undo. If undefined, the message is “Undone:” followed by `done`. */
  undone?: string;
  /** The values that the change affects. */
  values: readonly string[];
  /** Whether `write` merges into the newest list or finds conflicts itself. If so, values are not compared here. */
  findsConflicts?: boolean;
  /** Whether the title, the description, the roles or the archived state change. */
  isSettings?: boolean;
  /** `latest` is the list at `version`. */
  write: (version: number, latest: KeptList) => Promise<KeptList | Plan>;
  mine?: MyChange;
  /** Returns the changed list, which is shown before it is saved. */
  optimistic?: (list: KeptList) => KeptList;
}

export interface Conflict {
  change: ListChange;
  /** The list that the user saw, and the latest list. */
  before: KeptList;
  latest: KeptList;
  /** Other people's changes to the same values, newest first. */
  theirs: HistoryEntry[];
}

/** Undefined if the user keeps editing. For a change with `mine`, `changes` contains the fields to save. */
export type ConflictAnswer = { changes?: ItemChanges } | undefined;

interface SaveOptions {
  api: Api;
  /** The list that the user sees. */
  list: KeptList;
  change: ListChange;
  ask: (conflict: Conflict) => Promise<ConflictAnswer>;
}

/** The list before the change, and the version that the change created. */
interface SavedChange {
  before: KeptList;
  version: number;
  /** The list after the change, if the service's answer contains it. */
  list: KeptList | undefined;
  /** Number of values in other lists that depend on the retired values. */
  children: number;
}

function childrenIn(answer: (KeptList & { children?: number }) | Plan): number {
  if ('items' in answer) return answer.children ?? 0;
  return answer.changes.reduce((sum, { children = 0 }) => sum + children, 0);
}

/** Maximum number of attempts. Saving fails only if someone else saves first each time. */
const maxTries = 8;

/** Returns undefined if the user keeps editing. Throws if the change cannot be saved. */
export async function saveChange({ api, list, change, ask }: SaveOptions): Promise<SavedChange | undefined> {
  let before = list;
  let { write, mine } = change;

  /** Asks the user. Returns false if the user keeps editing. */
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

  // The page may already show a version that others saved since the form was opened. The service would then accept the
  // change without reporting a conflict.
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
        change.findsConflicts === true ||
        (mine === undefined ? isUntouched(change, before, latest) : !hasConflict(mine, latest));
      if (!isFree && !(await isResolved(latest, entriesAbout(error, change)))) return undefined;
      before = latest;
    }
  }
}

const itemIn = (list: KeptList, { item }: MyChange) => list.items.find(({ value }) => value === item.value);

/** Whether others changed one of my fields differently. The service merges the other fields. */
function hasConflict(mine: MyChange, latest: KeptList): boolean {
  return conflictRows(mine.item, mine.changes, itemIn(latest, mine) ?? null, []).some(isConflict);
}

export const isVersionConflict = (error: unknown): error is FrontdeskError =>
  error instanceof FrontdeskError && error.code === 'version-conflict';

/** Whether nobody else has changed these values or settings. A new sortOrder does not count as a change. */
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

/** Thrown if a change cannot be undone because the same values have been changed since. */
export class ChangedSince extends Error {
  constructor(
    message: string = sharedListTexts.changedSince,
    readonly later?: LaterChange,
  ) {
    super(message);
  }
}

interface UndoneVersion {
  /** The list before the version that is undone. */
  before: KeptList;
  version: number;
}

/** Throws ChangedSince if the same values have been changed since. */
export async function undoChange(
  api: Api,
  { before, version }: UndoneVersion,
  isSettings = false,
): Promise<KeptList | Plan> {
  const name = before.list;
  // The service's undo restores neither roles nor the archived state.
  if (!isSettings) {
    try {
      return await api.undo(name, version, before.version);
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
    }
  }
  return undoBesideOthers(api, await api.list(name), { before, version }, settingNames);
}

/**
 * Whether the version changed anything that an undo restores. The first version cannot be undone, because no version
 * precedes it; the list can only be archived.
 */
export const isUndoable = ({ version, changes, changesLeftOut = 0 }: Omit<HistoryEntry, 'by' | 'byName' | 'at'>) =>
  version > 1 &&
  (changesLeftOut > 0 ||
    changes.some(({ value, after }) => value !== null || undoableNames.some((name) => name in (after ?? {}))));

/**
 * Undoes a version of the history, or with `value`, only its change to that value. Readers, keepers and the archived
 * state stay as they are.
 */
export async function undoEntry(
  api: Api,
  latest: KeptList,
  { version }: Pick<HistoryEntry, 'version'>,
  value?: string,
): Promise<KeptList | Plan> {
  if (version === latest.version && value === undefined) {
    return api.undo(latest.list, version, version - 1);
  }
  const before = await api.listAt(latest.list, version - 1);
  return undoBesideOthers(api, latest, { before, version }, undoableNames, value);
}

/** Undoes what the version changed, and keeps everything that has been changed since. */
async function undoBesideOthers(
  api: Api,
  latest: KeptList,
  { before, version }: UndoneVersion,
  names: readonly (keyof ListSettings)[],
  value?: string,
): Promise<Plan> {
  const { list } = latest;
  const saved = await api.listAt(list, version);
  const only = (kept: KeptList) =>
    value === undefined ? kept : { ...kept, items: kept.items.filter((item) => item.value === value) };
  const items = inverseOf(only(before), only(saved), latest);
  const settings = value === undefined ? settingsBefore(before, saved, latest, names) : {};
  if (items === undefined || settings === undefined) {
    const [entry] = await api.history(list, { before: version + 1, limit: 1, value });
    const later = entry?.version === version ? entry.laterChange : undefined;
    throw new ChangedSince(undefined, later);
  }
  return api.apply({ lists: { [list]: { version: latest.version, ...settings, ...(items.length > 0 && { items }) } } });
}

const byValue = (list: KeptList) => new Map(list.items.map((item) => [item.value, item]));

/**
 * The items to send to restore the values that changed between `before` and `saved`. Undefined if one of these values
 * has been changed since. If a value has only been moved since, its new position is kept; the move prevents the undo
 * only if the version that is undone moved the value too.
 */
function inverseOf(before: KeptList, saved: KeptList, latest: KeptList): DocumentItem[] | undefined {
  const [old, current] = [byValue(before), byValue(latest)];
  const items: DocumentItem[] = [];
  for (const item of saved.items) {
    const [was, now] = [old.get(item.value), current.get(item.value)];
    if (was !== undefined && isSame(was, item)) continue;
    if (now === undefined) return undefined;
    const isMoved = now.sortOrder !== item.sortOrder;
    if (was !== undefined && isSame(withoutOrder(was), withoutOrder(item))) {
      if (isMoved) return undefined;
      items.push({ value: item.value, label: now.label, sortOrder: was.sortOrder });
      continue;
    }
    if (!isSame(withoutOrder(now), withoutOrder(item))) return undefined;
    // Added values are retired, since nothing is ever deleted.
    if (was === undefined) items.push({ value: item.value, label: item.label, retired: true });
    else items.push({ ...stateOf(was, item), ...(isMoved && { sortOrder: now.sortOrder }) });
  }
  return items;
}

/** The whole item as it was. Keys that were added since are set to null, which removes them. */
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

/** The request that restores these settings if they changed. Undefined if others have changed one of them since. */
function settingsBefore(
  before: KeptList,
  saved: KeptList,
  latest: KeptList,
  names: readonly (keyof ListSettings)[],
): SettingsRequest | undefined {
  const changed = names.filter((name) => !isSame(before[name], saved[name]));
  const isMineAlone = (name: keyof ListSettings) =>
    mergeField<unknown>(saved[name], before[name], latest[name]).changedBy === 'mine';
  if (!changed.every(isMineAlone)) return undefined;
  return {
    ...Object.fromEntries(changed.map((name) => [name, before[name]])),
    ...(changed.includes('titles') && { titles: withRemoved(before.titles, saved.titles) }),
    ...(changed.includes('descriptions') && { descriptions: withRemoved(before.descriptions, saved.descriptions) }),
  };
}
