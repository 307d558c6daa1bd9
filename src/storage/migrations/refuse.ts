import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engine.ts';

interface Refusal {
  table: string;
  /** As SQL has it: `delete`, `update of value`. */
  change: string;
  message: string;
}

/** Makes the database itself refuse a change, in either engine's SQL. */
export async function refuse(db: Kysely<unknown>, { table, change, message }: Refusal): Promise<void> {
  if (!isPostgres(db)) return createSqliteTrigger(db, { table, change, message }, '1');
  const name = nameOf(table, change);
  const body = `begin raise '${message}'; end`;
  await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ ${body} $$`).execute(db);
  // For each statement and not each row: one that would change no row is refused, too.
  const trigger = (when: string) =>
    sql.raw(`create trigger ${nameOf(table, when)} before ${when} on ${table} execute function ${name}()`).execute(db);
  await trigger(change);
  // A truncate deletes every row without a delete trigger.
  if (change === 'delete') await trigger('truncate');
}

const nameOf = (table: string, change: string) => `${table}_no_${change.split(' ')[0]}`;

/** SQLite's "insert or replace" changes a row without its update and delete triggers: replacing a row is refused. */
export async function refuseReplacing(
  db: Kysely<unknown>,
  table: string,
  isThere: string,
  message: string,
): Promise<void> {
  if (isPostgres(db)) return;
  const when = `exists (select 1 from ${table} where ${isThere})`;
  await createSqliteTrigger(db, { table, change: 'insert', message }, when);
}

async function createSqliteTrigger(db: Kysely<unknown>, refusal: Refusal, when: string): Promise<void> {
  const { table, change, message } = refusal;
  await sql
    .raw(
      `create trigger ${nameOf(table, change)} before ${change} on ${table} when ${when} begin select raise(abort, '${message}'); end`,
    )
    .execute(db);
}
