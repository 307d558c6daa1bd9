// A list in the model: every version with its content. The history consists of the differences between versions.

export interface Item {
  value: string;
  label: string;
  labels: Readonly<Record<string, string>>;
  sortOrder: number;
  status: 'active' | 'retired';
  validFrom: string | null;
  validTo: string | null;
  replacedBy: string | null;
  /** Only the day, although the service stores the time as well. */
  retiredAt: string | null;
  codes: Readonly<Record<string, string>>;
  /** Sorted, like the values of each list in `parents`. */
  tags: readonly string[];
  description: string | null;
  parents: Readonly<Record<string, readonly string[]>>;
}

export type Items = Readonly<Record<string, Item>>;

export interface Settings {
  title: string;
  titles: Readonly<Record<string, string>>;
  description: string | null;
  descriptions: Readonly<Record<string, string>>;
  /** Sorted, like `keepers`. */
  readers: readonly string[] | null;
  keepers: readonly string[] | null;
  archived: boolean;
}

export interface Content extends Settings {
  items: Items;
}

export interface Version extends Content {
  day: string;
  by: string;
  reason: string | null;
  restoredVersion?: number | undefined;
}

export interface List {
  name: string;
  /** Version 1 first. */
  versions: readonly Version[];
}

export type Author = Pick<Version, 'day' | 'by' | 'reason' | 'restoredVersion'>;

export const currentOf = ({ versions }: List): Version => versions[versions.length - 1] as Version;

/** A change that has no effect makes no version. */
export function withVersion(list: List, content: Content, author: Author): List {
  if (changesBetween(currentOf(list), content).length === 0) return list;
  return { ...list, versions: [...list.versions, { ...settingsOf(content), items: content.items, ...author }] };
}

export interface Change {
  value: string | null;
  before: Item | Partial<Settings> | null;
  after: Item | Partial<Settings> | null;
}

export function settingsOf(content: Settings): Settings {
  const { title, titles, description, descriptions, readers, keepers, archived } = content;
  return { title, titles, description, descriptions, readers, keepers, archived };
}

export const newContent = (title: string): Content => ({
  title,
  titles: {},
  description: null,
  descriptions: {},
  readers: null,
  keepers: null,
  archived: false,
  items: {},
});

/**
 * The changes of a version, in the history and in the plan of a document: first of the list's settings, then of its items by
 * value. For a new list, the title is not a change.
 */
export function changesBetween(before: Content | undefined, after: Content): Change[] {
  const settings = settingsChange(settingsOf(before ?? newContent(after.title)), settingsOf(after));
  const items = Object.keys(after.items)
    .sort()
    .map((value) => ({ value, before: before?.items[value] ?? null, after: after.items[value] as Item }));
  return [...settings, ...items.filter((change) => !Bun.deepEquals(change.before, change.after))];
}

/** A change with only the settings that differ; none if nothing differs. */
function settingsChange(before: Settings, after: Settings): Change[] {
  const names = Object.keys(after) as (keyof Settings)[];
  const changed = names.filter((name) => !Bun.deepEquals(before[name], after[name]));
  const only = (settings: Settings) => Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return changed.length === 0 ? [] : [{ value: null, before: only(before), after: only(after) }];
}

export function historyOf({ versions }: List) {
  return versions
    .map(({ by, day, reason, restoredVersion, ...content }, index) => ({
      version: index + 1,
      day,
      by,
      // All authors in the model are programs, which have no names.
      byName: null,
      reason,
      ...(restoredVersion !== undefined && { restoredVersion }),
      changes: changesBetween(versions[index - 1], content),
    }))
    .reverse();
}

/** The statuses of refusals, by problem code. */
const statuses = {
  forbidden: 403,
  'not-found': 404,
  'already-exists': 409,
  'version-required': 428,
  'version-conflict': 412,
  'invalid-request': 400,
};

export class Refusal extends Error {
  readonly code: keyof typeof statuses;
  readonly status: number;

  constructor(code: keyof typeof statuses) {
    super(code);
    this.code = code;
    this.status = statuses[code];
  }
}

/** Returns the result, or the refusal that was thrown. */
export function attempt<T>(act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
