// The tables of the first release, for both engines; docs/database.md describes each. Times are ISO 8601 texts in UTC,
// which sort in order of time; booleans are 0 and 1; JSON is text.
import { type Kysely, type Migration, sql } from 'kysely';
import { protection, setPrivileges } from './0001-protection.ts';
import { isPostgres } from './engine.ts';

export const tables: Migration = {
  async up(db: Kysely<unknown>) {
    const engine: Engine = isPostgres(db)
      ? { isPostgres: true, bigint: 'bigint' }
      : { isPostgres: false, bigint: 'integer' };
    const statements = [signIn(engine), audit(engine), lists(engine), changes(engine), await protection(db)].join(
      ';\n\n',
    );
    for (const statement of statements.split(';\n\n')) await sql.raw(statement).execute(db);
    await setPrivileges(db);
  },
};

interface Engine {
  isPostgres: boolean;
  /** A 64-bit integer. In SQLite a primary key must be declared `integer`, which has 64 bits, too. */
  bigint: 'bigint' | 'integer';
}

const hasSealed = '(id_token is not null or refresh_token is not null)';
const lastUse = '(case when idle_ends_at < expires_at then idle_ends_at else expires_at end)';
const keyStates = "check (state in ('pending', 'active', 'retiring', 'removed'))";

const signIn = ({ bigint }: Engine) => `
create table person (
  id text primary key,
  issuer text not null,
  subject text not null,
  employee_id text not null unique,
  name text not null,
  given_name text not null,
  middle_name text,
  family_name text not null,
  picture text,
  email text not null,
  email_verified integer not null check (email_verified in (0, 1)),
  phone_number text not null,
  created_at text not null,
  last_login_at text not null,
  constraint person_at_provider unique (issuer, subject)
);

create table session (
  sid text primary key,
  person_id text not null references person (id),
  roles text not null,
  provider_sid text,
  opened_at text not null,
  expires_at text not null,
  ended_at text,
  ended_revision ${bigint},
  cookie_hash text,
  id_token text,
  last_seen_at text not null,
  idle_ends_at text,
  token_expires_at text not null,
  refresh_token text,
  provider_asked_at text,
  renewal_claim text,
  renewal_claimed_until text,
  renewal_failure text,
  authentication text not null,
  address text,
  browser text
);

create index session_person on session (person_id);

create index session_provider_sid on session (provider_sid);

create unique index session_cookie_hash on session (cookie_hash);

create index session_expiry on session (expires_at, sid);

create index session_ended on session (token_expires_at, sid) where ended_at is not null;

create index session_ended_revision on session (ended_revision, sid) where ended_revision is not null;

create index session_sealed_last_use on session (${lastUse}, sid) where ${hasSealed};

create index session_sealed_end on session (ended_at, sid) where ended_at is not null and ${hasSealed};

create table used_code (code_hash text primary key, used_at text not null);

create index used_code_use on used_code (used_at, code_hash);

create table sign_in_trial (ticket_hash text primary key, expires_at text not null, opened_at text);
${['signing_key', 'client_key'].map(keyTable).join('')}
create table caller (
  id text primary key,
  name text not null,
  issuer text,
  subject text,
  audience text,
  jwks_uri text,
  keys text,
  roles text not null,
  added_at text not null,
  removed_at text
);

create unique index caller_name on caller (name) where removed_at is null;

create unique index caller_at_issuer on caller (issuer, subject) where removed_at is null;

create table revision (topic text primary key, number ${bigint} not null)`;

/** The index allows only one active key, even if many processes start at the same time. */
const keyTable = (table: string) => `
create table ${table} (
  kid text primary key,
  alg text not null,
  public_key text not null,
  private_key text not null,
  state text not null ${keyStates},
  created_at text not null,
  changed_at text not null
);

create unique index ${table}_one_active on ${table} (state) where state = 'active';
`;

const audit = ({ isPostgres, bigint }: Engine) => `
create table audit (
  seq ${bigint} primary key,
  at text not null,
  type text not null,
  person text,
  actor text,
  session text,
  address text,
  request_id text,
  detail text,
  salt text not null,
  digest text not null,
  covered text,
  replaced text
);

create index audit_at on audit (at);

create index audit_person on audit (person, seq);

create index audit_type on audit (type, seq);

create index audit_list on audit ((${isPostgres ? "split_part(detail, ' ', 1)" : "substr(detail, 1, instr(detail, ' ') - 1)"}), seq)
  where type = 'list-changed';

create table audit_counter (last ${bigint} not null);

insert into audit_counter (last) values (0);

create table audit_key (id integer primary key, sealed text not null);

create table audit_seal (
  number ${bigint} primary key,
  first ${bigint} not null,
  last ${bigint} not null,
  at text not null,
  hash text not null
);

create unique index audit_seal_last on audit_seal (last);

create table forgetting (
  pseudonym text primary key,
  employee_id text not null unique,
  person_id text,
  issuer text,
  subject text,
  last_audit ${bigint},
  last_history ${bigint},
  audit_done ${bigint} not null,
  steps ${bigint} not null,
  digest text not null
);

create table audit_pass (
  allowed text not null check (allowed in ('update audit', 'update lookup_history', 'delete audit')),
  ${isPostgres ? passOfTransaction : passThatCannotStay}
)`;

/**
 * A pass is a row that allows changes only in the transaction that inserted it. If it is left behind, it allows nothing.
 * A session setting would not be secure, because any account could set it.
 */
const passOfTransaction = 'xact xid8 not null default pg_current_xact_id(), primary key (xact, allowed)';
/** There is no seal -1, so the foreign key prevents the commit of a transaction that leaves its pass behind. */
const passThatCannotStay =
  'never integer not null default -1 check (never = -1) references audit_seal (number) deferrable initially deferred';

const lists = ({ bigint }: Engine) => `
create table lookup_list (
  name text primary key,
  title text not null,
  titles text not null default '{}',
  version ${bigint} not null,
  updated_at text not null,
  description text,
  descriptions text not null default '{}',
  readers text,
  keepers text,
  archived integer not null default 0
);

create table lookup_item (
  id ${bigint} primary key,
  list text not null references lookup_list (name),
  value text not null,
  label text not null,
  sort_order ${bigint} not null,
  labels text not null default '{}',
  status text not null default 'active' check (status in ('active', 'retired')),
  valid_from text,
  valid_to text,
  replaced_by text,
  retired_at text,
  codes text not null default '{}',
  tags text not null default '[]',
  description text,
  parents text not null default '{}',
  constraint lookup_item_value unique (list, value)
);

create table lookup_history (
  seq ${bigint} primary key,
  list text not null references lookup_list (name),
  version ${bigint} not null,
  at text not null,
  "by" text not null,
  reason text,
  restored_version ${bigint},
  change_count ${bigint} not null,
  change_hash text not null,
  constraint lookup_history_version unique (list, version)
);

create index lookup_history_author on lookup_history (list, "by", version);

create index lookup_history_at on lookup_history (list, at)`;

/**
 * The table has no foreign key, because checking the same version for 50,000 rows would account for a third of the time
 * of the change. It is not `without rowid`, because SQLite would then look up a value through the primary key instead of
 * `lookup_change_value`.
 */
const changes = ({ bigint }: Engine) => `
create table lookup_change (
  list text not null,
  version ${bigint} not null,
  nth ${bigint} not null,
  value text not null,
  moved integer not null,
  after text not null,
  primary key (list, version, nth)
);

create index lookup_change_value on lookup_change (list, value, version, moved)`;
