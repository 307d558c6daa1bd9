// The history of lists. One version can change 50,000 items, so its rows are read in pages, and other requests run
// between the pages.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import { Pauses } from '../../base/pauses.ts';
import { pagesByKey } from '../../storage/pages.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Change, PastState } from '../rules/change.ts';
import type { ItemState, KeptItem } from '../rules/item.ts';
import type { KeptList } from '../rules/list.ts';
import { undoableNames } from '../rules/list-settings.ts';
import { type NamesOf, withNames } from './author-names.ts';
import type { HistoryEntry, LastChanges } from './list-history.schema.ts';
import { changeOfRow, createChangeHash, ofSettings, parseSettings, parseState } from './stored-changes.ts';

type Db = Kysely<Tables>;
export type StoredEntry = Selectable<Tables['lookup_history']>;

/** An entry without the author's name, because the history stores only the employee ID. */
export type PageEntry = Omit<HistoryEntry, 'byName' | 'changes' | 'laterChange'> & { changes: Change[] };

/** The newest row of a later version that changed any of the values or settings that an entry changed. */
interface LaterRow {
  version: number;
  value: string;
}
export type EntryWithLater = PageEntry & { later: LaterRow | undefined };

const rowsOfPage = 1000;

/** The content of the previous row of the same value. */
const before = sql<string | null>`(select earlier.after from lookup_change as earlier
  where earlier.list = lookup_change.list and earlier.value = lookup_change.value
    and earlier.version < lookup_change.version order by earlier.version desc limit 1)`.as('before');
const columns = ['lookup_change.version', 'nth', 'lookup_change.value', 'after', before] as const;

/**
 * The newest later version that has a row about the same value and of the same kind. Null if there is none. There are two
 * kinds: rows that changed only the order, and all others. Reads only the newest 200 rows of a value, because a value may
 * be moved very often.
 */
const later = sql<number | null>`(select max(following.version) from (
    select recent.version, recent.moved from lookup_change as recent
    where recent.list = lookup_change.list and recent.value = lookup_change.value
      and recent.version > lookup_change.version order by recent.version desc limit 200
  ) as following where following.moved = lookup_change.moved)`.as('later');

const headColumns = ['version', 'at', 'by', 'reason', 'restored_version', 'change_count'] as const;

function entryOf(head: Pick<StoredEntry, Exclude<(typeof headColumns)[number], 'change_count'>>, changes: Change[]) {
  const { version, at, by, reason, restored_version } = head;
  const restored = restored_version !== null && { restoredVersion: restored_version };
  return { version, at, by, reason, ...restored, changes };
}

/** Selects versions by their authors and times. */
export interface MadeBy {
  by?: readonly string[] | undefined;
  since?: Date | undefined;
  /** Only versions before this time. */
  until?: Date | undefined;
}

interface Filter extends MadeBy {
  before?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}

function readHeads(db: Db, list: string, { before: end, after, limit, by, since, until }: Filter) {
  let query = db.selectFrom('lookup_history').select(headColumns).where('list', '=', list).orderBy('version', 'desc');
  if (end !== undefined) query = query.where('version', '<', end);
  if (after !== undefined) query = query.where('version', '>', after);
  if (limit !== undefined) query = query.limit(limit);
  if (by !== undefined) query = query.where('by', 'in', by);
  if (since !== undefined) query = query.where('at', '>=', since.toISOString());
  if (until !== undefined) query = query.where('at', '<', until.toISOString());
  return query.execute();
}

/** Everybody who has made a version of the list. */
export async function readAuthorsOf(db: Db, list: string): Promise<string[]> {
  const rows = await db.selectFrom('lookup_history').select('by').distinct().where('list', '=', list).execute();
  return rows.map(({ by }) => by);
}

/** The newest versions, newest first, with all of their changes. */
export async function* readHistory(db: Db, list: string, limit: number): AsyncGenerator<PageEntry> {
  for (const head of await readHeads(db, list, { limit })) {
    yield entryOf(head, await readChanges(db, list, head.version));
  }
}

const mostChanges = 1000;

/**
 * Reads versions, newest first, with at most 1,000 changes in all. Skips the first `changesFrom` changes of the newest of
 * these versions. `changesLeftOut` is the number of changes at the end of a version that are not included.
 */
export async function readHistoryPage(
  db: Db,
  list: string,
  filter: Filter,
  changesFrom = 0,
): Promise<EntryWithLater[]> {
  let left = mostChanges;
  const shown = (await readHeads(db, list, filter)).map((head, index) => {
    const from = index === 0 ? Math.min(changesFrom, head.change_count) : 0;
    const upTo = Math.min(from + left, head.change_count);
    left -= upTo - from;
    return { head, version: head.version, from, upTo };
  });
  const found = await readShown(db, list, shown);
  return shown.map(({ head, version, upTo }) => {
    const leftOut = head.change_count - upTo;
    const { changes, later } = found.get(version) ?? { changes: [], later: undefined };
    return { ...entryOf(head, changes), ...(leftOut > 0 && { changesLeftOut: leftOut }), later };
  });
}

interface ShownVersion {
  head: Pick<StoredEntry, 'change_count'>;
  version: number;
  from: number;
  upTo: number;
}

interface ShownChanges {
  changes: Change[];
  later: LaterRow | undefined;
}

/** Reads all versions that are shown whole with one query: with a range if they are consecutive, as without a filter. */
async function readShown(db: Db, list: string, versions: readonly ShownVersion[]): Promise<Map<number, ShownChanges>> {
  const shown = versions.filter(({ from, upTo }) => from < upTo);
  const isWhole = ({ head, from, upTo }: ShownVersion) => upTo - from === head.change_count;
  const whole = shown.filter(isWhole).map(({ version }) => version);
  const parts = shown.filter((each) => !isWhole(each));
  const rows = db
    .selectFrom('lookup_change')
    .select([...columns, later])
    .where('list', '=', list)
    .orderBy('version')
    .orderBy('nth');
  const [newest = 0, oldest = 0] = [whole[0], whole.at(-1)];
  const isRange = newest - oldest + 1 === whole.length;
  const pauses = new Pauses();
  /** The versions that changed settings, if a later version changed settings as well. */
  const laterOfSettings = new Set<number>();
  const found = new Map(
    versions.map(({ version }): [number, ShownChanges] => [version, { changes: [], later: undefined }]),
  );
  for (const query of [
    // Each partly shown version has its own query, because a range of versions would also read rows that are not shown.
    ...parts.map(({ version, from, upTo }) =>
      rows.where('version', '=', version).where('nth', '>', from).where('nth', '<=', upTo),
    ),
    (isRange
      ? rows.where('version', '<=', newest).where('version', '>=', oldest)
      : rows.where('version', 'in', whole.length > 0 ? whole : [0])
    ).where('nth', '>', 0),
  ]) {
    await pauses.map(await query.execute(), ({ version, value, before, after, later }) => {
      const entry = found.get(version);
      entry?.changes.push(changeOfRow(value, before, after));
      if (entry === undefined || later === null) return;
      if (value === ofSettings) laterOfSettings.add(version);
      else if (later > (entry.later?.version ?? 0)) entry.later = { version: later, value };
    });
  }
  for (const [version, later] of await readLaterSettings(db, list, laterOfSettings)) {
    const entry = found.get(version);
    if (entry !== undefined && later >= (entry.later?.version ?? 0))
      entry.later = { version: later, value: ofSettings };
  }
  return found;
}

/**
 * For each of these versions, which changed settings, the newest later version that changed one of the same settings. Only
 * settings that an undo restores count. Reads only the newest 200 rows, like `later`.
 */
async function readLaterSettings(db: Db, list: string, versions: ReadonlySet<number>): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  if (versions.size === 0) return found;
  const rows = await db
    .selectFrom('lookup_change')
    .select(columns)
    .where('list', '=', list)
    .where('value', '=', ofSettings)
    .where('version', '>=', Math.min(...versions))
    .orderBy('version', 'desc')
    .limit(200)
    .execute();
  const newest = new Map<string, number>();
  for (const { version, before, after } of rows) {
    const { after: changed } = changeOfRow(ofSettings, before, after);
    const names = undoableNames.filter((name) => Object.hasOwn(changed, name));
    const later = Math.max(...names.map((name) => newest.get(name) ?? 0));
    if (versions.has(version) && later > 0) found.set(version, later);
    for (const name of names) newest.set(name, newest.get(name) ?? version);
  }
  return found;
}

/** All changes of a version. */
export async function readChanges(db: Db, list: string, version: number): Promise<Change[]> {
  const pauses = new Pauses();
  const changes: Change[] = [];
  const rows = db.selectFrom('lookup_change').select(columns).where('list', '=', list).where('version', '=', version);
  for await (const page of pagesByKey(rows, rowsOfPage, { nth: 0 })) {
    await pauses.map(page, ({ value, before, after }) => changes.push(changeOfRow(value, before, after)));
  }
  return changes;
}

/**
 * Yields the text to search for each change in a version: the reason for the version, the value, and its content before
 * and after the change.
 */
export async function* readChangeTexts(db: Db, list: string, version: number): AsyncGenerator<string> {
  const head = await selectEntry(db, list, version).executeTakeFirst();
  const rows = db.selectFrom('lookup_change').select(columns).where('list', '=', list).where('version', '=', version);
  for await (const page of pagesByKey(rows, rowsOfPage, { nth: 0 })) {
    for (const { value, before, after } of page) {
      yield [head?.reason, value, ...textsIn(before), ...textsIn(after)].join('\n');
    }
    await nextTurn();
  }
}

const textsIn = (json: string | null): string[] => (json === null ? [] : leavesOf(JSON.parse(json)));

function leavesOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return typeof content === 'object' && content !== null ? Object.values(content).flatMap(leavesOf) : [];
}

/** The versions that changed more than the sortOrder of this value, newest first, each with only the change to it. */
export async function readValueHistory(
  db: Db,
  list: string,
  value: string,
  { before: end, limit, by, since, until }: MadeBy & { before?: number | undefined; limit: number },
): Promise<EntryWithLater[]> {
  let query = db
    .selectFrom('lookup_change')
    .innerJoin('lookup_history as step', (join) =>
      join.onRef('step.list', '=', 'lookup_change.list').onRef('step.version', '=', 'lookup_change.version'),
    )
    .select([...columns, later, 'at', 'by', 'reason', 'restored_version'])
    .where('lookup_change.list', '=', list)
    .where('value', '=', value)
    .where('moved', '=', 0)
    .orderBy('lookup_change.version', 'desc')
    .limit(limit);
  if (end !== undefined) query = query.where('lookup_change.version', '<', end);
  if (by !== undefined) query = query.where('by', 'in', by);
  if (since !== undefined) query = query.where('at', '>=', since.toISOString());
  if (until !== undefined) query = query.where('at', '<', until.toISOString());
  return (await query.execute()).map((row) => ({
    ...entryOf(row, [changeOfRow(value, row.before, row.after)]),
    later: row.later === null ? undefined : { version: row.later, value },
  }));
}

export interface LaterChange extends Pick<PageEntry, 'version' | 'at' | 'by'> {
  change: Change;
}

/** The later changes that the entries refer to. */
export async function readLaterChanges(
  db: Db,
  list: string,
  entries: readonly EntryWithLater[],
): Promise<LaterChange[]> {
  const wanted = new Map(entries.flatMap(({ later }) => (later === undefined ? [] : [[laterKey(later), later]])));
  if (wanted.size === 0) return [];
  const rows = await db
    .selectFrom('lookup_change')
    .innerJoin('lookup_history as step', (join) =>
      join.onRef('step.list', '=', 'lookup_change.list').onRef('step.version', '=', 'lookup_change.version'),
    )
    .select([...columns, 'at', 'by'])
    .where('lookup_change.list', '=', list)
    .where(({ or, and, eb }) =>
      or(
        Array.from(wanted.values(), ({ version, value }) =>
          and([eb('lookup_change.version', '=', version), eb('lookup_change.value', '=', value)]),
        ),
      ),
    )
    .where('nth', '>', 0)
    .execute();
  return rows.map(({ version, at, by, value, before, after }) => ({
    version,
    at,
    by,
    change: changeOfRow(value, before, after),
  }));
}

export const laterKey = ({ version, value }: { version: number; value: string | null }) =>
  `${version} ${value ?? ofSettings}`;

/** The list as it was at a version. */
export async function readPast(db: Db, list: string, version: number): Promise<PastState> {
  const pauses = new Pauses();
  const found = new Map<string, { version: number; nth: number; state: ItemState | null }>();
  const later = db
    .selectFrom('lookup_change')
    .select(columns)
    .where('list', '=', list)
    .where('value', '<>', ofSettings);
  // For each value, takes its state before the first change after the version.
  for await (const page of pagesByKey(later, rowsOfPage, { version: version + 1, nth: 0 })) {
    await pauses.map(page, ({ version, nth, value, before }) => {
      const known = found.get(value);
      if (known !== undefined) Object.assign(known, { version, nth });
      else found.set(value, { version, nth, state: before === null ? null : parseState(value, before) });
    });
    // SQLite runs in this thread, so other requests must get a turn between statements.
    await nextTurn();
  }
  const settings = await selectLast(db, list, ofSettings).where('version', '<=', version).executeTakeFirstOrThrow();
  const inOrder = await pauses.sort([...found], ([, a], [, b]) => b.version - a.version || a.nth - b.nth);
  return {
    settings: parseSettings(settings.after),
    items: new Map(inOrder.map(([value, { state }]) => [value, state])),
  };
}

/** The newest row of a value. */
export const selectLast = (db: Db, list: string, value: string) =>
  db
    .selectFrom('lookup_change')
    .select('after')
    .where('list', '=', list)
    .where('value', '=', value)
    .orderBy('version', 'desc')
    .limit(1);

/**
 * Returns the version at the end of a day, or the highest integer if the list has not changed since. For a day before
 * the list existed, returns the version at the end of its first day.
 */
export async function findVersionOn(db: Db, list: string, day: string): Promise<number> {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const steps = db.selectFrom('lookup_history').where('list', '=', list);
  // Finds the first version made on a later day, and takes the one before it. If a clock was slow, times are out of
  // order, so the latest time up to the end of this day could belong to a later version.
  const { later } = await steps
    .select(({ fn }) => fn.min('version').as('later'))
    .where('at', '>=', next)
    .executeTakeFirstOrThrow();
  if (later === null) return Number.MAX_SAFE_INTEGER;
  if (later > 1) return later - 1;
  const first = await steps.select('at').where('version', '=', 1).executeTakeFirstOrThrow();
  return findVersionOn(db, list, first.at.slice(0, 10));
}

/**
 * For each value of a list, the last version that changed more than its sortOrder. There is always one, because adding
 * the value counts as such a change.
 */
export const selectLastVersions = (db: Db, list: string) =>
  db
    .selectFrom('lookup_change')
    .select(['value', (select) => select.fn.max('version').as('version')])
    .where('list', '=', list)
    .where('moved', '=', 0)
    .groupBy('value');

/**
 * Returns the last change of each value as JSON. Pauses regularly for other requests, because a list may have 50,000
 * values.
 */
export async function lastChangesText(db: Db, list: string, namesOf: NamesOf): Promise<string> {
  const found: [string, number][] = [];
  for await (const page of pagesByKey(selectLastVersions(db, list), rowsOfPage, { value: ofSettings })) {
    for (const { value, version } of page) found.push([value, version]);
    await nextTurn();
  }
  const numbers = [...new Set(found.map(([, version]) => version))].sort((a, b) => b - a);
  const versions: LastChanges['versions'] = await withNames(db, namesOf, await readAuthors(db, list, numbers));
  const values = await new Pauses().map(found, ([value, version]) => `${JSON.stringify(value)}:${version}`);
  return `{"versions":${JSON.stringify(versions)},"values":{${values.join(',')}}}`;
}

const versionsAtOnce = 500;

/** Who made these versions, and when. */
async function readAuthors(db: Db, list: string, versions: readonly number[]) {
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

const selectEntry = (db: Db, list: string, version: number) =>
  db.selectFrom('lookup_history').selectAll().where('list', '=', list).where('version', '=', version);

/**
 * The text of an entry, which the audit proves. If the stored hash does not match the rows, the hash in the text is empty,
 * so that the proof fails. The rows are also counted, because an owner could add some that the pages leave out: with a
 * negative position, or, on SQLite, with a fraction as their version.
 */
export async function readHistoryText(db: Db, list: string, version: number): Promise<string | undefined> {
  const changes = db.selectFrom('lookup_change').where('list', '=', list);
  const counted = changes
    .where('version', '>', version - 1)
    .where('version', '<=', version)
    .select(({ fn }) => fn.countAll().as('rows'));
  const entry = await selectEntry(db, list, version).select(counted.as('rows')).executeTakeFirst();
  if (entry === undefined) return undefined;
  const hash = createChangeHash();
  let left = Number(entry.rows);
  const rows = changes.where('version', '=', version).select(['nth', 'value', 'moved', 'after']);
  for await (const page of pagesByKey(rows, rowsOfPage, { nth: -1 })) {
    hash.add(page);
    left -= page.length;
  }
  const isWhole = left === 0 && hash.finish() === entry.change_hash;
  return historyText(isWhole ? entry : { ...entry, change_hash: '' });
}

export function historyText(entry: StoredEntry): string {
  const { seq, list, version, at, by, reason, change_count, change_hash, restored_version } = entry;
  return JSON.stringify([seq, list, version, at, by, reason, change_count, change_hash, restored_version]);
}

/** The list as it was, with its settings at that time and without items that were added later. */
export function listBefore<L extends KeptList>(list: L, { settings, items: before }: PastState): L {
  const items = list.items.flatMap((item): KeptItem[] => {
    const past = before.get(item.value);
    if (past === undefined) return [item];
    return past === null ? [] : [{ id: item.id, ...past }];
  });
  return { ...list, ...settings, items };
}
