// The database's tables, as the migrations make them. Both engines hold the same types: times are ISO 8601 texts in
// UTC (they sort as they read), booleans are 0 and 1, JSON is text.
import type { Generated } from 'kysely';
import type { TokenAlg } from '../config/variables.ts';

export interface Tables {
  person: PersonTable;
  session: SessionTable;
  used_code: UsedCodeTable;
  sign_in_trial: TrialTable;
  /** Those that sign access tokens, and those by which we authenticate at the provider. */
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
  /** With `subject`, who this is at the identity provider. */
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
  /** JSON array of the roles it was opened with. */
  roles: string;
  /** The identity provider's own session id, where it sends one. */
  provider_sid: string | null;
  opened_at: string;
  /** Its absolute end. */
  expires_at: string;
  ended_at: string | null;
  /** Of the topic `sessions`, at its end. */
  ended_revision: Generated<number | null>;
  /** SHA-256 of the browser's session cookie, in hex; absent after a code-only sign-in. */
  cookie_hash: string | null;
  /** The last ID token, encrypted under SECRET_KEY; erased once the session is over. */
  id_token: string | null;
  /** When it was opened or renewed last. */
  last_seen_at: string;
  /** From then on it is not renewed any more; absent after a code-only sign-in. No token of it lasts longer. */
  idle_ends_at: string | null;
  /** When the last of its access tokens expires. */
  token_expires_at: string;
  /** The provider's refresh token, encrypted under SECRET_KEY; erased once the session is over. */
  refresh_token: string | null;
  /** When the provider confirmed it last, in a renewal. */
  provider_asked_at: string | null;
  /** A random name for the renewal under way, or for the last one if that failed. */
  renewal_claim: string | null;
  /** While this is in the future, no other renewal asks the provider. */
  renewal_claimed_until: string | null;
  /** The code of the problem that the renewal in `renewal_claim` ended with. */
  renewal_failure: string | null;
  /** JSON: when and how the person authenticated at the provider. */
  authentication: string;
  /** From where, and with which browser, it was opened. */
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
  /** JSON Web Key, encrypted under SECRET_KEY; empty once the key signs no more. */
  private_key: string;
  state: 'pending' | 'active' | 'retiring' | 'removed';
  created_at: string;
  /** When it entered its present state. */
  changed_at: string;
}

/** A program that gets access tokens. */
export interface CallerTable {
  /** Of this registration: `sid` of its access tokens. */
  id: string;
  name: string;
  /** Who signs its assertions, and under which subject; absent where it signs them itself. */
  issuer: string | null;
  subject: string | null;
  /** The audience its assertions must name, where that is not PUBLIC_URL. */
  audience: string | null;
  /** Where the issuer's keys are, if not found by discovery. */
  jwks_uri: string | null;
  /** JSON array of public keys: its own, or the issuer's where those were given as a file. */
  keys: string | null;
  /** JSON array. */
  roles: string;
  added_at: string;
  /** The row stays: every replica has to refuse its last tokens. */
  removed_at: string | null;
}

interface RevisionTable {
  topic: string;
  number: number;
}

/** Append-only: the database refuses to change or delete a row, but for a transaction with a pass. */
interface AuditTable {
  /** Without gaps, in the order in which the rows became visible. */
  seq: number;
  at: string;
  type: string;
  /** The employee ID of the person it concerns. */
  person: string | null;
  /** Who did it; absent where nobody has proven who they are. */
  actor: string | null;
  session: string | null;
  address: string | null;
  request_id: string | null;
  detail: string | null;
  /** Of the digest: random. */
  salt: string;
  /** HMAC over the row, in hex. */
  digest: string;
  /** HMAC over what the row speaks of, where another table holds it: a list's change. */
  covered: string | null;
  /** JSON: the digests that the row had before somebody was forgotten, and by which step each was replaced. */
  replaced: string | null;
}

/** What this transaction may do in spite of the triggers. Empty at its end: on PostgreSQL nobody but the owner can write to it. */
interface AuditPassTable {
  allowed: 'update audit' | 'update lookup_history' | 'delete audit';
}

/** A person whose forgetting has begun and is not finished. */
interface ForgettingTable {
  pseudonym: string;
  employee_id: string;
  /** Of somebody who has signed in: the row of `person`, and the account it was. */
  person_id: string | null;
  issuer: string | null;
  subject: string | null;
  /** The last rows that are theirs; absent until the profile is erased. Later ones are of somebody new. */
  last_audit: number | null;
  last_history: number | null;
  /** Up to which rows nothing is left to do. */
  audit_done: number;
  history_done: number;
  /** How many rows of the audit say what was changed. */
  steps: number;
  /** HMAC over all of these, in hex. */
  digest: string;
}

/** One row: the key of the audit's digests, encrypted under SECRET_KEY. */
interface AuditKeyTable {
  id: number;
  sealed: string;
}

/** Append-only. Which rows, and an HMAC over their digests and the seal before, in hex. */
interface AuditSealTable {
  number: number;
  first: number;
  last: number;
  at: string;
  hash: string;
}

/** One row: the number of the last row of the audit. Locked from the first audit row of a transaction to its end. */
interface AuditCounterTable {
  last: number;
}

interface LookupListTable {
  name: string;
  title: string;
  description: string | null;
  /** JSON arrays of roles; null where the list has none of its own. */
  readers: string | null;
  keepers: string | null;
  /** 1 for an archived one. */
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
  /** Increases over all lists. */
  seq: number;
  list: string;
  version: number;
  at: string;
  by: string;
  reason: string | null;
  /** How many changes it has. */
  change_count: number;
  /** SHA-256 over its rows in `lookup_change`, in hex. */
  change_hash: string;
  /** Of an undo: the version whose state it restored. */
  restored_version: number | null;
}

/** Append-only: what a version changed. */
interface LookupChangeTable {
  list: string;
  version: number;
  /** Its place among the changes of the version, from 1. 0: the settings that a new list has from the start, which are no change. */
  nth: number;
  /** Empty: the settings of the list. */
  value: string;
  /** 1 if only the order of the item changed. */
  moved: number;
  /** JSON: the item, or all settings. The last row before it of the same value has what was before. */
  after: string;
}
