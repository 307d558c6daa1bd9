// Rows that a statement is given as JSON, which the database parses: `from json_each(…) as given`.
import { sql } from 'kysely';

export const textOf = (field: string) => sql`given.value ->> ${sql.lit(field)}`;
export const numberOf = (field: string) => sql`cast(${textOf(field)} as bigint)`;
