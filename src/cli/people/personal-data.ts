// Every column with personal data: its name in the export, and what replaces it when the person is forgotten. The code does
// not compile if a column is missing here.
import type { Selectable } from 'kysely';
import type { PersonTable, Tables } from '../../storage/tables.ts';

export interface Forgotten {
  pseudonym: string;
  at: string;
}

interface Column<V> {
  /** The name in the export; null if it is not exported. */
  name: string | null;
  show?: (value: V) => unknown;
  /** Returns what replaces the value. If absent, the value stays, because it says nothing about the person. */
  forget?: (forgotten: Forgotten) => V;
}

type Columns<T> = { [K in keyof T]: Column<T[K]> };

const parse = (text: string): unknown => JSON.parse(text);
const isThere = (text: string | null) => text !== null;
const nothing = () => '';
const toNull = () => null;
const toPseudonym = ({ pseudonym }: Forgotten) => pseudonym;
const toTime = ({ at }: Forgotten) => at;

/** The row stays, but without data, because sessions that have just ended refer to it. */
const profileColumns: Columns<PersonTable> = {
  id: { name: 'id' },
  issuer: { name: 'issuer', forget: () => 'forgotten' },
  subject: { name: 'subject', forget: toPseudonym },
  employee_id: { name: null, forget: toPseudonym },
  name: { name: 'name', forget: nothing },
  given_name: { name: 'givenName', forget: nothing },
  middle_name: { name: 'middleName', forget: toNull },
  family_name: { name: 'familyName', forget: nothing },
  picture: { name: 'picture', forget: toNull },
  email: { name: 'email', forget: nothing },
  email_verified: { name: 'emailVerified', show: (value) => value === 1, forget: () => 0 },
  phone_number: { name: 'phoneNumber', forget: nothing },
  created_at: { name: 'createdAt', forget: toTime },
  last_login_at: { name: 'lastLoginAt', forget: toTime },
};

/** The session's row stays until its access token has expired, so that every replica refuses the token. */
const sessionColumns: Columns<Selectable<Tables['session']>> = {
  sid: { name: 'id' },
  person_id: { name: null },
  roles: { name: 'roles', show: parse, forget: () => '[]' },
  provider_sid: { name: 'providerSession', forget: toNull },
  opened_at: { name: 'openedAt', forget: toTime },
  last_seen_at: { name: 'lastSeenAt', forget: toTime },
  idle_ends_at: { name: 'idleEndsAt', forget: toNull },
  expires_at: { name: 'expiresAt' },
  ended_at: { name: 'endedAt', forget: toTime },
  ended_revision: { name: null },
  token_expires_at: { name: 'tokenExpiresAt' },
  provider_asked_at: { name: 'providerAskedAt', forget: toNull },
  renewal_claimed_until: { name: 'renewalClaimedUntil', forget: toNull },
  renewal_failure: { name: 'renewalFailure', forget: toNull },
  authentication: { name: 'authentication', show: parse, forget: () => '{"amr":[]}' },
  address: { name: 'address', forget: toNull },
  browser: { name: 'browser', forget: toNull },
  cookie_hash: { name: 'hasCookie', show: isThere, forget: toNull },
  id_token: { name: 'hasIdToken', show: isThere, forget: toNull },
  refresh_token: { name: 'hasRefreshToken', show: isThere, forget: toNull },
  renewal_claim: { name: null, forget: toNull },
};

function show<T>(columns: Columns<T>, row: T): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const key in columns) {
    const { name, show } = columns[key];
    if (name !== null) shown[name] = show === undefined ? row[key] : show(row[key]);
  }
  return shown;
}

function forget<T>(columns: Columns<T>, forgotten: Forgotten): Partial<T> {
  const left: Partial<T> = {};
  for (const key in columns) {
    const value = columns[key].forget?.(forgotten);
    if (value !== undefined) left[key] = value;
  }
  return left;
}

export const showProfile = (row: PersonTable) => show(profileColumns, row);
export const showSession = (row: Selectable<Tables['session']>) => show(sessionColumns, row);
export const forgetProfile = (forgotten: Forgotten) => forget(profileColumns, forgotten);
export const forgetSession = (forgotten: Forgotten) => forget(sessionColumns, forgotten);
