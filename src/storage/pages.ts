// Reads many rows in pages, so that other requests can run between the pages and the rows are never all in memory at once.
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The rows after `after`, in the order of its columns, which together must identify a row. The query itself must have no
 * lower bound on them, because SQLite would start reading each page from that bound.
 */
export async function* pagesByKey<T extends keyof Tables, R, K extends keyof R & string>(
  query: SelectQueryBuilder<Tables, T, R>,
  size: number,
  after: Pick<R, K>,
): AsyncGenerator<R[], undefined> {
  const key = Object.keys(after) as K[];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last = after; ; ) {
    const place = sql.join(key.map((column) => last[column]));
    const rest = query.where(sql<SqlBool>`(${columns}) > (${place})`);
    const page = await rest.orderBy(columns).limit(size).execute();
    yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < size) return;
    last = end;
  }
}

/** The same rows, one by one. */
export async function* rowsByKey<T extends keyof Tables, R, K extends keyof R & string>(
  query: SelectQueryBuilder<Tables, T, R>,
  size: number,
  after: Pick<R, K>,
): AsyncGenerator<R, undefined> {
  for await (const page of pagesByKey(query, size, after)) yield* page;
}
