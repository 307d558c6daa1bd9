// The history of a list. One version can have changed ten thousand items: only as much is read at once as other requests
// can wait for.
import { type Kysely, sql } from 'kysely';
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
type PageEntry = Omit<HistoryEntry, 'byName'>;
type ReadEntry = Omit<PageEntry, 'changes'> & { changes: Change[] };

/** Newest first, with all of their changes. */
export async function readHistory(db: Kysely<Tables>, list: string, filter: Filter): Promise<ReadEntry[]> {
  const pauses = new Pauses();
  const entries: ReadEntry[] = [];
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

async function* readStored(db: Kysely<Tables>, list: string, { before, after, limit }: Filter) {
  let sizes = db
    .selectFrom('lookup_history')
    .select(['version', sql<number>`octet_length(changes)`.as('bytes')])
    .where('list', '=', list)
    .orderBy('version', 'desc');
  if (before !== undefined) sizes = sizes.where('version', '<', before);
  if (after !== undefined) sizes = sizes.where('version', '>', after);
  if (limit !== undefined) sizes = sizes.limit(limit);
  for (const { newest, oldest } of inGroups(await sizes.execute())) {
    const rows = await db
      .selectFrom('lookup_history')
      .selectAll()
      .where('list', '=', list)
      .where('version', '<=', newest)
      .where('version', '>=', oldest)
      .orderBy('version', 'desc')
      .execute();
    for (const { version, at, by, reason, changes, restored_version } of rows) {
      const restored = restored_version !== null && { restoredVersion: restored_version };
      yield { version, at, by, reason, ...restored, changes };
    }
  }
}

/** Versions that are read together. */
function inGroups(sizes: readonly { version: number; bytes: number }[]): { newest: number; oldest: number }[] {
  const groups: { newest: number; oldest: number; bytes: number }[] = [];
  for (const { version, bytes } of sizes) {
    const group = groups.at(-1);
    if (group === undefined || group.bytes + Number(bytes) > bytesAtOnce) {
      groups.push({ newest: version, oldest: version, bytes: Number(bytes) });
    } else {
      group.oldest = version;
      group.bytes += Number(bytes);
    }
  }
  return groups;
}
