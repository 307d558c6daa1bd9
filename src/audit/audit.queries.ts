// Reads the audit. Rows are numbered in the order in which they became visible, so a reader that continues after the last
// number seen misses no row.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Pauses } from '../base/pauses.ts';
import { isPostgres } from '../storage/migrations/engine.ts';
import type { Tables } from '../storage/tables.ts';
import type { AuditType } from './audit.schema.ts';
import { type AuditKey, isAsWritten, type ProvenRow } from './proof/digest.ts';

export interface AuditFilter {
  since?: Date | undefined;
  /** Only rows before this time. */
  until?: Date | undefined;
  type?: string | undefined;
  person?: string | undefined;
  /** Only rows about one of these people or programs. */
  people?: readonly string[] | undefined;
  /** Only changes to this list. */
  list?: string | undefined;
  limit: number;
  /** Only rows with a higher number, beginning with the lowest. */
  after?: number | undefined;
  /** Only rows with a lower number, beginning with the highest. */
  before?: number | undefined;
}

/** A row as the API returns it. */
export type ShownRow = ReturnType<typeof showRow>;

/** Returns the newest matching rows, or the rows that follow `after`. Always oldest first. */
export async function readAudit(db: Kysely<Tables>, filter: AuditFilter): Promise<ShownRow[]> {
  const { limit, after, people, person } = filter;
  if (people !== undefined)
    return readAuditOf(db, filter, person === undefined ? people : people.filter(isSame(person)));
  const query = (await matching(db, filter))
    .selectAll()
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit);
  const rows = (await query.execute()).map(showRow);
  return after === undefined ? rows.reverse() : rows;
}

const isSame = (one: string) => (other: string) => one === other;

/** Reads one page per person and merges them, because the index on `person` returns rows in order for one person only. */
async function readAuditOf(db: Kysely<Tables>, filter: AuditFilter, people: readonly string[]): Promise<ShownRow[]> {
  const found: ShownRow[] = [];
  for (const person of people) found.push(...(await readAudit(db, { ...filter, people: undefined, person })));
  const inOrder = found.sort((a, b) => Number(a.id) - Number(b.id));
  return filter.after === undefined ? inOrder.slice(-filter.limit) : inOrder.slice(0, filter.limit);
}

async function matching(db: Kysely<Tables>, { since, until, type, person, list, after, before }: AuditFilter) {
  let query = db.selectFrom('audit');
  if (list !== undefined) {
    // The same expression as in the index, so that the index is used. List names contain no spaces.
    const name = isPostgres(db)
      ? sql<string>`split_part(detail, ' ', 1)`
      : sql<string>`substr(detail, 1, instr(detail, ' ') - 1)`;
    query = query.where(sql<boolean>`type = 'list-changed'`).where(name, '=', list);
  }
  if (after !== undefined) query = query.where('seq', '>', after);
  if (before !== undefined) query = query.where('seq', '<', before);
  if (person !== undefined) query = query.where('person', '=', person);
  // If a person is given, `type || ''` makes the database use the index on persons, which finds few rows, instead of the
  // index on types, which may find millions.
  if (type !== undefined) query = query.where(person === undefined ? 'type' : sql`type || ''`, '=', type);
  if (since !== undefined) {
    query = query
      .where('seq', '>', (await findNumberBeyond(db, '<', since)) ?? 0)
      .where('at', '>=', since.toISOString());
  }
  if (until !== undefined) {
    const next = await findNumberBeyond(db, '>', until);
    if (next !== undefined) query = query.where('seq', '<', next);
    query = query.where('at', '<', until.toISOString());
  }
  return query;
}

/** How a search matches text, and which texts it searches in addition to the rows. */
export interface AuditSearch {
  /** Whether the text has all of the words. */
  isFound: (text: string) => boolean;
  /** The names of the people in these rows, by employee ID. */
  namesOf: (rows: readonly ShownRow[]) => Promise<ReadonlyMap<string, string>>;
  /** Yields one text for each change that a `list-changed` row records, with the old and the new values. */
  changesOf: (detail: string) => AsyncIterable<string>;
}

/** Limits of one search. A search may exceed `changes`, because it finishes the list version that it is reading. */
const mostSearched = { rows: 2000, changes: 20_000 };
const searchedAtOnce = 200;

/**
 * Returns the matching rows that contain the words, in the order of `readAudit`. `last` is the last row that was searched,
 * where the next search continues; undefined if there are no older rows to search.
 */
export async function searchAudit(
  db: Kysely<Tables>,
  filter: AuditFilter,
  { isFound, namesOf, changesOf }: AuditSearch,
): Promise<{ rows: ShownRow[]; last: number | undefined }> {
  const { limit, after } = filter;
  const pauses = new Pauses();
  const rows: ShownRow[] = [];
  let [left, last] = [{ ...mostSearched }, after ?? filter.before];

  async function hasWords(row: ShownRow, names: ReadonlyMap<string, string>): Promise<boolean> {
    const { id: _, at: __, person, actor, type, ...texts } = row;
    const people = [person, actor].map((who) => (who === null ? '' : `${who} ${names.get(who) ?? ''}`));
    const text = [type, ...people, ...Object.values(texts)].join('\n');
    if (isFound(text)) return true;
    if (type !== 'list-changed' || row.detail === null) return false;
    for await (const change of changesOf(row.detail)) {
      left = { ...left, changes: left.changes - 1 };
      if (isFound(`${text}\n${change}`)) return true;
      await pauses.ifDue();
    }
    return false;
  }

  for (;;) {
    const place = after === undefined ? { before: last } : { after: last };
    const page = await readAudit(db, { ...filter, ...place, limit: searchedAtOnce });
    const names = await namesOf(page);
    for (const row of after === undefined ? page.toReversed() : page) {
      if (await hasWords(row, names)) rows.push(row);
      last = Number(row.id);
      left = { ...left, rows: left.rows - 1 };
      if (rows.length === limit || left.rows <= 0 || left.changes <= 0) return { rows: inOrder(rows), last };
    }
    if (page.length < searchedAtOnce) return { rows: inOrder(rows), last: after === undefined ? undefined : last };
    await nextTurn();
  }

  function inOrder(found: ShownRow[]): ShownRow[] {
    return after === undefined ? found.toReversed() : found;
  }
}

const rowsOfPage = 1000;

/** Reads any number of rows, page by page. */
export async function* readAuditPages(db: Kysely<Tables>, filter: AuditFilter): AsyncGenerator<ShownRow[]> {
  const { limit, after, before } = filter;
  let last = after ?? (await findStart(db, filter));
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, rowsOfPage);
    const page = await readAudit(db, { ...filter, before: undefined, after: last, limit: wanted });
    const rows = before === undefined ? page : page.filter(({ id }) => Number(id) < before);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) return;
    left -= rows.length;
    last = Number(rows.at(-1)?.id);
  }
}

/** Returns the row number just below the newest `limit` matching rows. */
async function findStart(db: Kysely<Tables>, filter: AuditFilter): Promise<number> {
  const oldest = await (await matching(db, filter))
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(filter.limit - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest === undefined ? 0 : oldest.seq - 1;
}

const clockDifferenceMs = 3_600_000;

/**
 * Returns the number of a row that precedes all rows since this time, or follows all rows before it, so that few other
 * rows are read; undefined if there is none. Row numbers follow the times of the rows, except that the clocks of replicas
 * may differ. They differ by less than `clockDifferenceMs`, because replicas with a larger difference would refuse each
 * other's tokens.
 */
async function findNumberBeyond(db: Kysely<Tables>, side: '<' | '>', time: Date): Promise<number | undefined> {
  const at = new Date(time.getTime() + (side === '<' ? -clockDifferenceMs : clockDifferenceMs)).toISOString();
  const nearestFirst = side === '<' ? 'desc' : 'asc';
  const rows = db.selectFrom('audit').select('seq').where('at', side, at).orderBy('at', nearestFirst);
  return (await rows.limit(1).executeTakeFirst())?.seq;
}

export function showRow({ seq, at, type, person, actor, session, address, request_id, detail }: ProvenRow) {
  return { id: String(seq), at, type, person, actor, session, address, requestId: request_id, detail };
}

/** A row in which Frontdesk states something about the audit itself. */
interface StatedRow {
  seq: number;
  at: string;
  /** The named groups that the pattern found in the detail. */
  groups: Record<string, string>;
}

/**
 * Maximum number of rows that `findProvenRow` reads. It skips rows without a valid digest, because they are forged.
 * `audit verify` reports them.
 */
const maxRowsRead = 100;

/**
 * The latest row of this type whose detail begins with `start` and matches the pattern. Only rows with a valid digest count,
 * because without the key nobody can add such a row.
 */
export async function findProvenRow(
  db: Kysely<Tables>,
  key: AuditKey,
  { type, start, pattern }: { type: AuditType; start: string; pattern: RegExp },
): Promise<StatedRow | undefined> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('type', '=', type)
    .where('detail', 'like', `${start}%`)
    .orderBy('seq', 'desc')
    .limit(maxRowsRead)
    .execute();
  for (const row of rows) {
    const { groups } = pattern.exec(row.detail ?? '') ?? {};
    if (groups === undefined || !isAsWritten(key, row)) continue;
    return { seq: row.seq, at: row.at, groups };
  }
  return undefined;
}
