// Saving a change of a list. Where others changed other values meanwhile, it is repeated on the new version by itself;
// where they changed the same ones, the person is asked. Whatever was saved can be undone.
import { FrontdeskError } from '../../../client/src/index.ts';
import type { Api, HistoryEntry, ItemChanges, KeptItem, KeptList, Plan } from '../../shell/api.ts';
import { conflictRows, isConflict } from './conflict.ts';
import { inverseOf, settingsBefore } from './inverse.ts';
import { isSame } from '../same.ts';

/** A change of one value, field by field, for the case that somebody else changes it as well. */
export interface MyChange {
  /** The item as it was when the person began, and the version of the list then. */
  item: KeptItem;
  since: number;
  changes: ItemChanges;
  write: (version: number, changes: ItemChanges) => Promise<KeptList | Plan>;
}

export interface ListChange {
  /** Shown once it is saved. */
  done: string;
  /** The values it changes. */
  values: readonly string[];
  /** Changes the order alone: `write` puts it into the newest list, so nothing that others do conflicts with it. */
  isOrder?: boolean;
  /** Changes title, description, roles or archives. */
  isSettings?: boolean;
  /** `latest` is the list at `version`. */
  write: (version: number, latest: KeptList) => Promise<KeptList | Plan>;
  mine?: MyChange;
  /** The list as it will be: shown at once. */
  optimistic?: (list: KeptList) => KeptList;
}

export interface Conflict {
  change: ListChange;
  /** The list as the person knew it, and as it is now. */
  before: KeptList;
  latest: KeptList;
  /** What others did to the same values, newest first. */
  theirs: HistoryEntry[];
}

/** Undefined: the person goes on editing. `changes`: what to save of a change with `mine`. */
export type ConflictAnswer = { changes?: ItemChanges } | undefined;

interface SaveOptions {
  api: Api;
  /** The list as the person knows it. */
  list: KeptList;
  change: ListChange;
  ask: (conflict: Conflict) => Promise<ConflictAnswer>;
}

/** What was saved: the list before it, and the version it made. */
export interface SavedChange {
  before: KeptList;
  version: number;
  /** The list afterwards, where the service answered with it. */
  list: KeptList | undefined;
  /** How many values of other lists depend on values that it retired. */
  children: number;
}

/** The number of children in the answer to a retirement or a document. */
function childrenIn(answer: (KeptList & { children?: number }) | Plan): number {
  if ('items' in answer) return answer.children ?? 0;
  return answer.changes.reduce((sum, { children = 0 }) => sum + children, 0);
}

/** Others would have to save between each of them. */
const mostTries = 8;

/** Undefined when the person goes on editing. Throws what cannot be saved. */
export async function saveChange({ api, list, change, ask }: SaveOptions): Promise<SavedChange | undefined> {
  let before = list;
  let { write, mine } = change;

  /** False when the person goes on editing. */
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

  // The page may show already what others changed since the form was opened: the service would not refuse it.
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
      if (!isVersionConflict(error) || tries === mostTries) throw error;
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

/** Whether others changed a field to something else than this change. The service merges the other fields. */
function hasConflict(mine: MyChange, latest: KeptList): boolean {
  return conflictRows(mine.item, mine.changes, itemIn(latest, mine) ?? null, []).some(isConflict);
}

export const isVersionConflict = (error: unknown): error is FrontdeskError =>
  error instanceof FrontdeskError && error.code === 'version-conflict';

/** Whether the values that it changes are still as the person knew them. Their order is no part of them. */
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

/** What was to be undone has been changed by somebody else since. */
export class ChangedSince extends Error {}

/** Undoes it. Throws ChangedSince where others changed the same values since. */
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

/** The service's undo leaves who reads and keeps a list, and whether it is archived, as they are. */
async function undoSettings(api: Api, before: KeptList, version: number): Promise<void> {
  const [saved, latest] = await Promise.all([api.listAt(before.list, version), api.list(before.list)]);
  const changes = settingsBefore(before, saved, latest);
  if (changes === undefined) throw new ChangedSince();
  await api.changeSettings(before.list, latest.version, changes);
}
