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
 * works elsewhere: several of them at once are fewer statements to wait for.
 */
export function partsFor(db: Kysely<Tables>, parts: readonly string[]): readonly string[] {
  if (!isPostgres(db)) return parts;
  const joined: string[] = [];
  let [rows, letters]: [string[], number] = [[], 0];
  for (const part of parts) {
    if (letters + part.length > lettersOfStatement && rows.length > 0) {
      joined.push(`[${rows.join(',')}]`);
      [rows, letters] = [[], 0];
    }
    rows.push(part.slice(1, -1));
    letters += part.length;
  }
  if (rows.length > 0) joined.push(`[${rows.join(',')}]`);
  return joined;
}

/** Ten thousand renames, less than a tenth of a second; a statement may take 3 s. */
const lettersOfStatement = 500_000;
