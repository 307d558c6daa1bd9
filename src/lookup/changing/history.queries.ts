// The history of a list. One version can have changed ten thousand items: only as much is read at once as other requests
// can wait for.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { HistoryEntry } from '../lookup-admin.schema.ts';
import { Pauses } from '../pauses.ts';
import type { Change } from './change.ts';
import { changeTexts, parseChanges } from './stored-changes.ts';

interface Filter {
  before?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}

/** Who has made a change is known by their employee ID here. */
export type PageEntry = Omit<HistoryEntry, 'byName' | 'changes'> & { changes: Change[] };

/** Newest first, with all of their changes. */
export async function readHistory(db: Kysely<Tables>, list: string, filter: Filter): Promise<PageEntry[]> {
  const pauses = new Pauses();
  const entries: PageEntry[] = [];
  for await (const { changes, ...entry } of readStored(db, list, filter)) {
    entries.push({ ...entry, changes: await parseChanges(changeTexts(changes), pauses) });
  }
  return entries;
}

const mostChanges = 1000;

/**
 * The same with 1,000 changes at most. Those of the first version begin at `changesFrom`; `changesLeftOut` counts what
 * follows.
 */
export async function readHistoryPage(
  db: Kysely<Tables>,
  list: string,
  filter: Filter,
  changesFrom = 0,
): Promise<PageEntry[]> {
  const pauses = new Pauses();
  const entries: PageEntry[] = [];
  let left = mostChanges;
  for await (const { changes, ...entry } of readStored(db, list, filter)) {
    const texts = changeTexts(changes);
    const from = entries.length === 0 ? changesFrom : 0;
    const shown = await parseChanges(texts.slice(from, from + left), pauses);
    await pauses.ifDue();
    left -= shown.length;
    const leftOut = texts.length - from - shown.length;
    entries.push({ ...entry, changes: shown, ...(leftOut > 0 && { changesLeftOut: leftOut }) });
  }
  return entries;
}

/** Of the changes' text: what SQLite reads in some milliseconds. */
const bytesAtOnce = 1024 * 1024;

/** Newest first, each with the text of its changes. */
export async function* readStored(db: Kysely<Tables>, list: string, { before, after, limit }: Filter) {
  const sizes = await readSizes(db, list, (query) => {
    let filtered = query;
    if (before !== undefined) filtered = filtered.where('version', '<', before);
    if (after !== undefined) filtered = filtered.where('version', '>', after);
    return limit === undefined ? filtered : filtered.limit(limit);
  });
  for (const versions of inGroups(sizes)) {
    const rows = await db
      .selectFrom('lookup_history')
      .selectAll()
      .where('list', '=', list)
      .where('version', '<=', versions[0] ?? 0)
      .where('version', '>=', versions.at(-1) ?? 0)
      .orderBy('version', 'desc')
      .execute();
    for (const { version, at, by, reason, changes, restored_version } of rows) {
      const restored = restored_version !== null && { restoredVersion: restored_version };
      yield { version, at, by, reason, ...restored, changes };
    }
  }
}

const versionsAtOnce = 500;

/** Who made these versions, and when. */
export async function readAuthors(db: Kysely<Tables>, list: string, versions: readonly number[]) {
  const authors: Pick<PageEntry, 'version' | 'at' | 'by'>[] = [];
  for (let start = 0; start < versions.length; start += versionsAtOnce) {
    const some = await db
      .selectFrom('lookup_history')
      .select(['version', 'at', 'by'])
      .where('list', '=', list)
      .where('version', 'in', versions.slice(start, start + versionsAtOnce))
      .orderBy('version', 'desc')
      .execute();
    authors.push(...some);
    await nextTurn();
  }
  return authors;
}

interface VersionSize {
  version: number;
  /** Of its changes, as text. */
  bytes: number;
}

type SizesQuery = SelectQueryBuilder<Tables, 'lookup_history', VersionSize>;

/** Newest first. */
export function readSizes(
  db: Kysely<Tables>,
  list: string,
  filter: (sizes: SizesQuery) => SizesQuery,
): Promise<VersionSize[]> {
  const sizes = db
    .selectFrom('lookup_history')
    .select(['version', sql<number>`octet_length(changes)`.as('bytes')])
    .where('list', '=', list)
    .orderBy('version', 'desc');
  return filter(sizes).execute();
}

/** Versions that are read together. */
export function inGroups(sizes: readonly VersionSize[]): number[][] {
  const groups: number[][] = [];
  let left = 0;
  for (const { version, bytes } of sizes) {
    left -= Number(bytes);
    const group = groups.at(-1);
    if (group === undefined || left < 0) {
      groups.push([version]);
      left = bytesAtOnce - Number(bytes);
    } else {
      group.push(version);
    }
  }
  return groups;
}
