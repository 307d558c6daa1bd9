// Rows that a statement is given as JSON, which the database parses.
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../storage/migrations/engine.ts';
import type { Tables } from '../../storage/tables.ts';

/** How many rows one statement is given: SQLite works in this thread. */
export const rowsOfStatement = 1000;

/** A source to select from. PostgreSQL would parse `json` again for each field of a row, and does so once with `jsonb`. */
export const givenRows = (db: Kysely<Tables>, rows: string) =>
  sql`${sql.raw(isPostgres(db) ? 'jsonb_array_elements' : 'json_each')}(${rows}) as given`;

/** By its name, or by its place in an array. */
export const textOf = (field: string | number) => sql`given.value ->> ${sql.lit(field)}`;
export const numberOf = (field: string | number) => sql`cast(${textOf(field)} as bigint)`;
