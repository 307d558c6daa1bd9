// The history as a sequence of events over all lists: what the stream of changes sends and the audit proves.
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

/** The last change of each list after this event, oldest first. */
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

/** A place in the history, and which entry is there: after a restore of the database, another one may be. */
export interface Mark {
  seq: number;
  entry: string | undefined;
}

/** At this place, or at the end. */
export async function readMark(db: Db, seq?: number): Promise<Mark> {
  const place = seq ?? (await readLastSeq(db));
  const query = db.selectFrom('lookup_history').select(['list', 'version', 'at']).where('seq', '=', place);
  const row = await query.executeTakeFirst();
  return { seq: place, entry: row && JSON.stringify([row.list, row.version, row.at]) };
}

/** Of each list, its version and who made it. */
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
