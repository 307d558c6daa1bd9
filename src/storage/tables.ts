// The database's tables, as the migrations create them. Both engines use the same types: times are ISO 8601 texts in UTC,
// which sort in order of time, booleans are 0 and 1, JSON is text.
import type { Generated } from 'kysely';
import type { TokenAlg } from '../config/variables.ts';

export interface Tables {
  person: PersonTable;
  session: SessionTable;
  used_code: UsedCodeTable;
  sign_in_trial: TrialTable;
  /** The keys that sign access tokens, and the keys with which we authenticate to the provider. */
  signing_key: KeyTable;
  client_key: KeyTable;
  caller: CallerTable;
  revision: RevisionTable;
  audit: AuditTable;
  audit_counter: AuditCounterTable;
  audit_key: AuditKeyTable;
  audit_seal: AuditSealTable;
  audit_pass: AuditPassTable;
  forgetting: ForgettingTable;
  lookup_list: LookupListTable;
  lookup_item: LookupItemTable;
  lookup_history: LookupHistoryTable;
  lookup_change: LookupChangeTable;
}

export interface PersonTable {
  id: string;
  /** Together with `subject`, identifies the person at the identity provider. */
  issuer: string;
  subject: string;
  employee_id: string;
  name: string;
  given_name: string;
  middle_name: string | null;
  family_name: string;
  picture: string | null;
  email: string;
  email_verified: number;
  phone_number: string;
  created_at: string;
  last_login_at: string;
}

interface SessionTable {
  sid: string;
  person_id: string;
  /** JSON array of the roles at the sign-in or the last renewal. */
  roles: string;
  /** The identity provider's session ID, if it sends one. */
  provider_sid: string | null;
  opened_at: string;
  /** The absolute end of the session. */
  expires_at: string;
  ended_at: string | null;
  /** The revision of the topic `sessions` when the session ended. */
  ended_revision: Generated<number | null>;
  /** SHA-256 of the browser's session cookie, in hex; null after a code-only sign-in. */
  cookie_hash: string | null;
  /** The last ID token, encrypted under SECRET_KEY; erased once the session is over. */
  id_token: string | null;
  /** When the session was opened or last renewed. */
  last_seen_at: string;
  /** After this time, the session cannot be renewed, and its tokens have expired; null after a code-only sign-in. */
  idle_ends_at: string | null;
  /** When the last of the session's access tokens expires. */
  token_expires_at: string;
  /** The provider's refresh token, encrypted under SECRET_KEY; erased once the session is over. */
  refresh_token: string | null;
  /** When the provider last confirmed the session, in a renewal. */
  provider_asked_at: string | null;
  /** A random name for the renewal in progress, or for the last one if it failed. */
  renewal_claim: string | null;
  /** While this is in the future, no other renewal asks the provider. */
  renewal_claimed_until: string | null;
  /** The problem code with which the renewal in `renewal_claim` failed. */
  renewal_failure: string | null;
  /** JSON: when and how the person authenticated at the provider. */
  authentication: string;
  /** The address and the browser that opened the session. */
  address: string | null;
  browser: string | null;
}

interface UsedCodeTable {
  /** SHA-256 of the authorization code, in hex. */
  code_hash: string;
  used_at: string;
}

/** The one-time address of a trial sign-in. */
interface TrialTable {
  /** SHA-256 of the ticket in the address, in hex. */
  ticket_hash: string;
  expires_at: string;
  opened_at: string | null;
}

interface KeyTable {
  /** RFC 7638 thumbprint. */
  kid: string;
  alg: TokenAlg;
  /** JSON Web Key. */
  public_key: string;
  /** JSON Web Key, encrypted under SECRET_KEY; empty once the key no longer signs. */
  private_key: string;
  state: 'pending' | 'active' | 'retiring' | 'removed';
  created_at: string;
  /** When the key entered its present state. */
  changed_at: string;
}

/** A program that gets access tokens. */
export interface CallerTable {
  /** The ID of this registration, which is the `sid` of its access tokens. */
  id: string;
  name: string;
  /** Who signs the assertions, and under which subject; null if the program signs them itself. */
  issuer: string | null;
  subject: string | null;
  /** The audience that assertions must name, if it is not PUBLIC_URL. */
  audience: string | null;
  /** Where the issuer's keys are, if they are not found by discovery. */
  jwks_uri: string | null;
  /** JSON array of public keys: the program's own, or the issuer's if they were given as a file. */
  keys: string | null;
  /** JSON array. */
  roles: string;
  added_at: string;
  /** A removed caller keeps its row, because every replica must refuse its last tokens. */
  removed_at: string | null;
}

interface RevisionTable {
  topic: string;
  number: number;
}

/** Append-only: the database refuses to change or delete a row, except in a transaction with a pass. */
interface AuditTable {
  /** Numbered without gaps, in the order in which the rows became visible. */
  seq: number;
  at: string;
  type: string;
  /** The employee ID of the person concerned. */
  person: string | null;
  /** Who did it; null if nobody has authenticated. */
  actor: string | null;
  session: string | null;
  address: string | null;
  request_id: string | null;
  detail: string | null;
  /** The random salt of the digest. */
  salt: string;
  /** HMAC over the row, in hex. */
  digest: string;
  /** HMAC over text in another table, such as a history entry. With it, the row also proves that this text is unchanged. */
  covered: string | null;
  /** JSON: the digests that the row had before a person was forgotten, and the step that replaced each. */
  replaced: string | null;
}

/** What the current transaction may do in spite of the triggers. On PostgreSQL, only the owner can write to this table. */
interface AuditPassTable {
  allowed: 'update audit' | 'update lookup_history' | 'delete audit';
}

/** A person who is being forgotten. The row is deleted once the person is forgotten. */
interface ForgettingTable {
  pseudonym: string;
  employee_id: string;
  /** The row of `person`, and the account that it had; null if nobody has signed in with this employee ID. */
  person_id: string | null;
  issuer: string | null;
  subject: string | null;
  /** The last rows that belong to the person; null until the profile is erased. Later rows belong to a new person. */
  last_audit: number | null;
  last_history: number | null;
  /** Audit rows up to this one are done. */
  audit_done: number;
  /** The number of steps so far that changed audit rows. An audit row records each step. */
  steps: number;
  /** HMAC over all other columns, in hex. */
  digest: string;
}

/** One row: the key for the audit's digests, encrypted under SECRET_KEY. */
interface AuditKeyTable {
  id: number;
  sealed: string;
}

/** Append-only. A range of rows, and an HMAC over their digests and the previous seal, in hex. */
interface AuditSealTable {
  number: number;
  first: number;
  last: number;
  at: string;
  hash: string;
}

/** One row: the number of the last audit row. Locked from a transaction's first audit row until the transaction ends. */
interface AuditCounterTable {
  last: number;
}

interface LookupListTable {
  name: string;
  title: string;
  /** JSON objects: translations by language tag. */
  titles: Generated<string>;
  description: string | null;
  descriptions: Generated<string>;
  /** JSON arrays of roles; null if the general settings apply. */
  readers: string | null;
  keepers: string | null;
  /** 1 if the list is archived. */
  archived: Generated<number>;
  version: number;
  updated_at: string;
}

interface LookupItemTable {
  id: number;
  list: string;
  value: string;
  label: string;
  sort_order: number;
  /** JSON object: language tag to label. */
  labels: string;
  status: 'active' | 'retired';
  /** Dates like 2027-01-31. */
  valid_from: string | null;
  valid_to: string | null;
  replaced_by: string | null;
  retired_at: string | null;
  /** JSON object: system to code. */
  codes: string;
  /** JSON array. */
  tags: string;
  description: string | null;
  /** JSON object: list to an array of its values. */
  parents: string;
}

/** Append-only, like the audit. */
interface LookupHistoryTable {
  /** Increases across all lists. */
  seq: number;
  list: string;
  version: number;
  at: string;
  by: string;
  reason: string | null;
  /** The number of changes in the version. */
  change_count: number;
  /** SHA-256 over the version's rows in `lookup_change`, in hex. */
  change_hash: string;
  /** For an undo, the version whose state it restored. */
  restored_version: number | null;
}

/** Append-only: what a version changed. */
interface LookupChangeTable {
  list: string;
  version: number;
  /** Position among the changes of the version, from 1. Position 0 holds the initial settings of a new list. */
  nth: number;
  /** Empty for the settings of the list. */
  value: string;
  /** 1 if only the order of the item changed. */
  moved: number;
  /** JSON: the item, or all settings. What they replaced is in the previous row with the same value. */
  after: string;
}
