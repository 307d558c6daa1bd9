// The service's answers. test/once/client.test.ts compares these types with the service's OpenAPI document.

export type StandardList = 'position' | 'overtime-eligibility' | 'employment-type' | 'employee-level';

/** The values of each list, by its name. Empty, until the file that `frontdesk-client generate` writes adds them. */
export interface Lists extends Record<never, never> {}

/** The names of the generated lists; if none, any name, for which the editor suggests the four standard lists. */
export type ListName = [keyof Lists] extends [never] ? StandardList | (string & {}) : keyof Lists;
/** The values of a list, if they were generated; otherwise any text. */
export type ListValue<List extends string = ListName> = List extends keyof Lists ? Lists[List] : string;
/** A value that an application has stored. The list may no longer have it. Code editors suggest the values of the list. */
export type StoredValue<List extends string> = ListValue<List> | (string & {});

export interface LookupItem<Value = string> {
  /** Internal: do not use it. */
  id: number;
  /** The text to show. */
  label: string;
  /** The value to store. */
  value: Value;
  sortOrder: number;
}

/** Additional fields of items, if `fields` requests them. */
export interface ItemFields {
  /** The item's codes in other systems: `{ workday: 'JP-113' }`. */
  codes: Record<string, string>;
  tags: string[];
  description: string | null;
  /** For each parent list, the values that this item is offered with. */
  parents: Record<string, string[]>;
}

export interface CurrentUser {
  /** Employee ID. */
  sub: string;
  name: string;
  givenName: string;
  middleName?: string;
  familyName: string;
  picture: string;
  email: string;
  emailVerified: boolean;
  phoneNumber: string;
  roles: string[];
}

/** A value has the first status that applies. */
export type ValidateStatus =
  | 'unknown-list'
  | 'forbidden'
  | 'unknown'
  | 'archived'
  | 'retired'
  | 'scheduled'
  | 'expired'
  | 'not-with-parent'
  | 'active';

export interface ValidateResult {
  /** Whether all values are active. */
  valid: boolean;
  results: {
    list: string;
    value: string;
    /** A newer service may have more statuses: treat an unknown status as not active. */
    status: ValidateStatus | (string & {});
    /** In the requested language; null for an unknown value. */
    label: string | null;
    /** The value to use instead. If the replacement was replaced as well, this is the final value. */
    replacedBy: string | null;
    retiredAt: string | null;
  }[];
}

export interface LoginResult {
  accessToken: string;
  expirationInSeconds: number;
}

export interface Fault {
  field: string;
  message: string;
  line?: number;
  column?: number;
}

/** A session of the person who is signed in. */
export interface OwnSession {
  id: string;
  /** Whether it is the session of this request. */
  current: boolean;
  openedAt: string;
  /** When it was last opened or renewed. */
  lastSeenAt: string;
  /** When it ends, even if it is renewed. */
  endsAt: string;
  address?: string;
  /** Such as "Firefox 144 on Windows". */
  browser?: string;
}

/** RFC 9457. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The request id as a URN: `urn:uuid:…`. */
  instance: string;
  /** What was wrong with the request: each field and why; for a file, also the line. */
  errors?: Fault[];
  /** Whether there are more faults than are listed. */
  moreErrors?: boolean;
}

export interface Change {
  list: string;
  version: number;
  /** Set if the list changed only because of its dates: the day of the change, such as 2027-01-31. The version stays the same. */
  day?: string;
  /** Increases with every change, even if the version stays the same. */
  id: number;
}
