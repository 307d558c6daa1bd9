// The history of all lists as one sequence of events, for the stream of changes and the audit.
import { rowsByKey } from '../../storage/pages.ts';
import type { Db } from '../../storage/storage.ts';

const entriesOfPage = 5000;

export const listHistory = (db: Db) =>
  rowsByKey(db.selectFrom('lookup_history').select(['seq', 'list', 'version', 'at']), entriesOfPage, { seq: 0 });

export interface ListEvent {
  seq: number;
  list: string;
  version: number;
}

/** The last change to each list that changed after this event, oldest first. */
export async function readEvents(db: Db, after: number): Promise<ListEvent[]> {
  const { max } = db.fn;
  return db
    .selectFrom('lookup_history')
    .select(['list', max('seq').as('seq'), max('version').as('version')])
    .where('seq', '>', after)
    .groupBy('list')
    .orderBy('seq')
    .execute();
}

export async function readLastSeq(db: Db): Promise<number> {
  const query = db.selectFrom('lookup_history').select((select) => select.fn.max('seq').as('highest'));
  return (await query.executeTakeFirstOrThrow()).highest ?? 0;
}

/**
 * A position in the history, and the entry at that position. Restoring the database can put a different entry there.
 */
export interface Mark {
  seq: number;
  entry: string | undefined;
}

/** Reads the mark at this position, or at the end of the history if no position is given. */
export async function readMark(db: Db, seq?: number): Promise<Mark> {
  const place = seq ?? (await readLastSeq(db));
  const query = db.selectFrom('lookup_history').select(['list', 'version', 'at']).where('seq', '=', place);
  const row = await query.executeTakeFirst();
  return { seq: place, entry: row && JSON.stringify([row.list, row.version, row.at]) };
}

/** The current version of each list, and its author. */
export async function readLastAuthors(db: Db): Promise<Map<string, { version: number; by: string | null }>> {
  const rows = await db
    .selectFrom('lookup_list as list')
    .leftJoin('lookup_history as step', (join) =>
      join.onRef('step.list', '=', 'list.name').onRef('step.version', '=', 'list.version'),
    )
    .select(['list.name', 'list.version', 'step.by'])
    .execute();
  return new Map(rows.map(({ name, version, by }) => [name, { version, by }]));
}
