// Rows that a statement is given as JSON, which the database parses.
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../storage/migrations/engine.ts';
import type { Tables } from '../../storage/tables.ts';

/** A source to select from. PostgreSQL would parse `json` again for each field of a row, and does so once with `jsonb`. */
export const givenRows = (db: Kysely<Tables>, rows: string) => given(db, 'jsonb_array_elements', rows);

/** As `given.value`. */
export const givenTexts = (db: Kysely<Tables>, texts: string) => given(db, 'jsonb_array_elements_text', texts);

const given = (db: Kysely<Tables>, ofPostgres: string, array: string) =>
  sql`${sql.raw(isPostgres(db) ? ofPostgres : 'json_each')}(${array}) as given`;

export const textOf = (field: string) => sql`given.value ->> ${sql.lit(field)}`;
export const numberOf = (field: string) => sql`cast(${textOf(field)} as bigint)`;

/**
 * The arrays as statements take them, each in a moment. SQLite works in this thread, and takes them as they are. PostgreSQL
 * works elsewhere: five of them at once are fewer statements to wait for.
 */
export function partsFor(db: Kysely<Tables>, parts: readonly string[]): readonly string[] {
  if (!isPostgres(db)) return parts;
  const joined: string[] = [];
  for (let start = 0; start < parts.length; start += partsOfStatement) {
    const rows = parts.slice(start, start + partsOfStatement).map((part) => part.slice(1, -1));
    joined.push(`[${rows.join(',')}]`);
  }
  return joined;
}

const partsOfStatement = 25;
