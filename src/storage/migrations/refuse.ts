import { type Kysely, PostgresAdapter, sql } from 'kysely';

interface Refusal {
  table: string;
  /** As SQL has it: `delete`, `update of value`. */
  change: string;
  message: string;
}

/** Makes the database itself refuse a change, in the words of either engine. */
export async function refuse(db: Kysely<unknown>, { table, change, message }: Refusal): Promise<void> {
  const name = `${table}_no_${change.split(' ')[0]}`;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql
      .raw(`create function ${name}() returns trigger language plpgsql as $$ begin raise '${message}'; end $$`)
      .execute(db);
    await sql
      .raw(`create trigger ${name} before ${change} on ${table} for each row execute function ${name}()`)
      .execute(db);
  } else {
    await createSqliteTrigger(db, { table, change, message }, '1');
  }
}

/** SQLite's "insert or replace" is neither an update nor a delete, and both: a row that is there is refused. */
export async function refuseReplacing(
  db: Kysely<unknown>,
  table: string,
  isThere: string,
  message: string,
): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  const when = `exists (select 1 from ${table} where ${isThere})`;
  await createSqliteTrigger(db, { table, change: 'insert', message }, when);
}

async function createSqliteTrigger(db: Kysely<unknown>, refusal: Refusal, when: string): Promise<void> {
  const { table, change, message } = refusal;
  const name = `${table}_no_${change.split(' ')[0]}`;
  await sql
    .raw(
      `create trigger ${name} before ${change} on ${table} when ${when} begin select raise(abort, '${message}'); end`,
    )
    .execute(db);
}
