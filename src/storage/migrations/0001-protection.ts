// What the database itself refuses, and the only exceptions: forgetting a person, and removing old audit rows.
import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engine.ts';

interface Protection {
  table: string;
  /** In SQL, such as `delete` or `update of value`. */
  changes: string[];
  message: string;
  /** Finds the row that SQLite's "insert or replace" would replace without firing update and delete triggers. */
  sameRow: string;
}

/** What the database refuses, except in a transaction with a pass: a row in `audit_pass`. */
const protections: Protection[] = [
  {
    table: 'audit',
    changes: ['update', 'delete'],
    message: 'the audit is append-only',
    sameRow: 'seq = new.seq',
  },
  {
    table: 'audit_seal',
    changes: ['update', 'delete'],
    message: 'the seals are append-only',
    sameRow: 'number = new.number',
  },
  {
    table: 'lookup_history',
    changes: ['update', 'delete'],
    message: 'the history is append-only',
    sameRow: 'seq = new.seq or (list = new.list and version = new.version)',
  },
  {
    table: 'lookup_change',
    changes: ['update', 'delete'],
    message: 'the history is append-only',
    sameRow: 'list = new.list and version = new.version and nth = new.nth',
  },
  // A value that applications have stored stays valid. It is never deleted, renamed or given to a different item.
  {
    table: 'lookup_item',
    changes: ['update of id, list, value', 'delete'],
    message: 'an item is retired, not deleted, and its value does not change',
    sameRow: 'id = new.id or (list = new.list and value = new.value)',
  },
];

/** The statements that create the triggers and functions. */
export const protection = async (db: Kysely<unknown>) =>
  isPostgres(db) ? protectionInPostgres(db) : protectionInSqlite();

const triggerName = (table: string, change: string) => `${table}_no_${change.split(' ')[0]}`;

function protectionInSqlite(): string {
  const triggers = protections.flatMap(({ table, changes, message, sameRow }) => {
    const trigger = (change: string, when: string) =>
      `create trigger ${triggerName(table, change)} before ${change} on ${table} when ${when}
        begin select raise(abort, '${message}'); end`;
    const hasNoPass = (change: string) =>
      `not exists (select 1 from audit_pass where allowed = '${change.split(' ')[0]} ${table}')`;
    return [
      ...changes.map((change) => trigger(change, hasNoPass(change))),
      trigger('insert', `exists (select 1 from ${table} where ${sameRow})`),
    ];
  });
  return triggers.join(';\n\n');
}

/**
 * The functions run with the rights of the tables' owner and with a fixed search path, temporary tables last, so that
 * callers cannot substitute tables of their own.
 */
async function protectionInPostgres(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(db);
  const asOwner = `language plpgsql security definer set search_path = pg_catalog, ${rows[0]?.schema}, pg_temp`;
  const triggers = protections.flatMap(({ table, changes, message }) =>
    // Triggers fire for each statement, not for each row, so that a statement that would change no row is refused, too.
    // Truncate fires no delete trigger.
    [...changes, 'truncate'].map(
      (change) => `create trigger ${triggerName(table, change)} before ${change} on ${table}
        execute function refuse_change('${message}')`,
    ),
  );
  return `
create function refuse_change() returns trigger ${asOwner} as $$
  begin
    if exists (select from audit_pass
      where xact = pg_current_xact_id() and allowed = lower(tg_op) || ' ' || tg_table_name) then
      return null;
    end if;
    raise '%', tg_argv[0];
  end $$;

${triggers.join(';\n\n')};

create function ${auditForget} returns void ${asOwner} as $$ ${forget} $$;

create function ${auditRemove} returns void ${asOwner} as $$ ${remove} $$;

create function revision_notify() returns trigger language plpgsql as $$
  begin
    perform pg_notify('frontdesk', new.topic);
    return null;
  end $$;

create trigger revision_notify after insert or update on revision for each row execute function revision_notify()`;
}

const auditForget = 'audit_forget(pseudonym text, audit_rows jsonb, history_rows jsonb)';
const auditRemove = 'audit_remove(from_row bigint, to_row bigint, of_seal bigint)';

/**
 * Allows only what forgetting needs: a name becomes the pseudonym, an address is erased, a detail is shortened, and a
 * reason gets the pseudonym. The previous digest is kept. Time, type and session cannot be changed.
 */
const forget = `
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
      and given.salt <> audit.salt and given.digest <> audit.digest
      and given.replaced::jsonb - -1 = coalesce(audit.replaced, '[]')::jsonb
      and given.replaced::jsonb -> -1 ->> 'digest' = audit.digest;
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

/**
 * Removes only the oldest rows, only sealed rows, and none from the last day by the server's clock, so that an intruder with
 * the service's account cannot remove the traces of the intrusion.
 */
const remove = `
  begin
    if not exists (select from audit_seal where number = of_seal and last = to_row)
      or from_row is distinct from (select min(seq) from audit)
      or exists (select from audit where seq between from_row and to_row
        and at || '' >= to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) then
      raise 'not a removal';
    end if;
    insert into audit_pass (allowed) values ('delete audit');
    delete from audit where seq between from_row and to_row;
    delete from audit_pass where xact = pg_current_xact_id();
  end`;

/**
 * If the service's account is not the owner, its privileges come from default privileges. Only the owner may write a pass.
 * Accounts that may add audit rows may call the functions that change and remove audit rows.
 */
export async function setPrivileges(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  const grantees = async (table: string, privilege: string) => {
    const { rows } = await sql<{ grantee: string }>`
      select distinct grantee::regrole::text as grantee from pg_class, aclexplode(relacl)
      where oid = ${table}::regclass and privilege_type like ${privilege} and grantee not in (0, relowner)`.execute(db);
    return rows.map(({ grantee }) => grantee);
  };
  const functions = `function ${auditForget}, ${auditRemove}`;
  const statements = [
    `revoke all on ${functions} from public`,
    ...['public', ...(await grantees('audit_pass', '%'))].map((each) => `revoke all on audit_pass from ${each}`),
    ...(await grantees('audit', 'INSERT')).flatMap((writer) => [
      `grant execute on ${functions} to ${writer}`,
      `grant delete on forgetting to ${writer}`,
    ]),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
