import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, wideInteger } from './engine.ts';
import { createOwnerFunction, grantToWriters, revokeFromOthers, withOwnersRights } from './owner-function.ts';

const protectedTables = {
  audit: 'the audit is append-only',
  lookup_history: 'the history is append-only',
};

/**
 * How a person is forgotten: the one way past the triggers of the audit and of the history. They refuse every change but one for
 * which this very transaction has a pass.
 */
export const forgetting: Migration = {
  async up(db: Kysely<unknown>) {
    // JSON: the digests that a row had before, and what replaced each.
    await db.schema.alterTable('audit').addColumn('replaced', 'text').execute();
    await createProgressTable(db);
    await (isPostgres(db) ? protectInPostgres(db) : protectInSqlite(db));
  },
};

/** A row for each person whose forgetting is not finished. */
async function createProgressTable(db: Kysely<unknown>): Promise<void> {
  const number = wideInteger(db);
  await db.schema
    .createTable('forgetting')
    .addColumn('pseudonym', 'text', (column) => column.primaryKey())
    .addColumn('employee_id', 'text', (column) => column.notNull().unique())
    .addColumn('person_id', 'text')
    .addColumn('issuer', 'text')
    .addColumn('subject', 'text')
    .addColumn('last_audit', number)
    .addColumn('last_history', number)
    .addColumn('audit_done', number, (column) => column.notNull().defaultTo(0))
    .addColumn('history_done', number, (column) => column.notNull().defaultTo(0))
    .addColumn('steps', number, (column) => column.notNull().defaultTo(0))
    .addColumn('digest', 'text', (column) => column.notNull())
    .execute();
  if (isPostgres(db)) await grantToWriters(db, 'delete on forgetting');
}

const passes = "allowed text not null check (allowed in ('update audit', 'update lookup_history', 'delete audit'))";

/** Of its own transaction: one that was left behind opens nothing. A setting would not do, which everybody can set. */
async function protectInPostgres(db: Kysely<unknown>): Promise<void> {
  await execute(
    db,
    `create table audit_pass (xact xid8 not null default pg_current_xact_id(), ${passes}, primary key (xact, allowed))`,
  );
  await revokeFromOthers(db, 'audit_pass');
  const rights = await withOwnersRights(db);
  for (const [table, message] of Object.entries(protectedTables)) {
    for (const change of ['update', 'delete']) {
      // The triggers stay, and so does the one that calls the second for a truncate, for which there is no pass.
      await execute(
        db,
        `create or replace function ${table}_no_${change}() returns trigger ${rights} as $$ begin
          if exists (select from audit_pass
            where xact = pg_current_xact_id() and allowed = lower(tg_op) || ' ' || tg_table_name) then
            return null;
          end if;
          raise '${message}';
        end $$`,
      );
    }
  }
  await createOwnerFunction(db, {
    name: 'audit_forget',
    parameters: 'pseudonym text, audit_rows jsonb, history_rows jsonb',
    body: forgetInPostgres,
  });
}

/**
 * Nothing but what forgetting needs: a name becomes the pseudonym, an address is erased, a detail is shortened, a reason has the
 * pseudonym in it. The digest of before stays. When, what and in which session cannot be changed.
 */
const forgetInPostgres = `
  declare
    as_actor constant text[] := array[pseudonym, 'command line (' || pseudonym || ')'];
    changed bigint;
  begin
    if pseudonym !~ '^forgotten-[0-9a-f]{32}$' then
      raise 'not a pseudonym';
    end if;
    insert into audit_pass (allowed) values ('update audit'), ('update lookup_history');
    update audit set person = given.person, actor = given.actor, address = given.address, detail = given.detail,
      salt = given.salt, digest = given.digest, covered = given.covered, replaced = given.replaced
    from jsonb_to_recordset(audit_rows) as given (seq bigint, person text, actor text, address text, detail text,
      salt text, digest text, covered text, replaced text)
    where audit.seq = given.seq
      and (given.person is not distinct from audit.person or given.person = pseudonym)
      and (given.actor is not distinct from audit.actor or given.actor = any (as_actor))
      and (given.address is null or given.address = audit.address)
      and (given.detail is not distinct from audit.detail or starts_with(audit.detail, given.detail))
      and (given.covered is null) = (audit.covered is null)
      and given.salt is distinct from audit.salt and given.digest is distinct from audit.digest
      and given.replaced::jsonb - -1 = coalesce(audit.replaced, '[]')::jsonb
      and given.replaced::jsonb -> -1 ->> 'digest' = coalesce(audit.digest, given.replaced::jsonb -> -1 ->> 'digest');
    get diagnostics changed = row_count;
    if changed <> jsonb_array_length(audit_rows) then
      raise 'not a forgetting';
    end if;
    update lookup_history set by = given.by, reason = given.reason
    from jsonb_to_recordset(history_rows) as given (seq bigint, by text, reason text)
    where lookup_history.seq = given.seq
      and (given.by = lookup_history.by or given.by = any (as_actor))
      and (given.reason is not distinct from lookup_history.reason or strpos(given.reason, pseudonym) > 0);
    get diagnostics changed = row_count;
    if changed <> jsonb_array_length(history_rows) then
      raise 'not a forgetting';
    end if;
    delete from audit_pass where xact = pg_current_xact_id();
  end`;

/** There is no seal -1: a transaction that leaves its pass behind cannot be committed. */
async function protectInSqlite(db: Kysely<unknown>): Promise<void> {
  await execute(
    db,
    `create table audit_pass (${passes},
      never integer not null default -1 check (never = -1) references audit_seal (number) deferrable initially deferred)`,
  );
  for (const [table, message] of Object.entries(protectedTables)) {
    for (const change of ['update', 'delete']) {
      await execute(db, `drop trigger ${table}_no_${change}`);
      await execute(
        db,
        `create trigger ${table}_no_${change} before ${change} on ${table}
          when not exists (select 1 from audit_pass where allowed = '${change} ${table}')
          begin select raise(abort, '${message}'); end`,
      );
    }
  }
}

async function execute(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
