// What the service answers with. test/once/client.test.ts compares these with its OpenAPI document.

export type StandardList = 'position' | 'overtime-eligibility' | 'employment-type' | 'employee-level';

/** The values of each list, by its name. Empty, until the file that `frontdesk-client generate` writes adds them. */
export interface Lists extends Record<never, never> {}

/** The lists that were generated; else any there is, and the four that are always there are completed by the editor. */
export type ListName = [keyof Lists] extends [never] ? StandardList | (string & {}) : keyof Lists;
/** The values of a list, where they were generated; else any text. */
export type ListValue<List extends string = ListName> = List extends keyof Lists ? Lists[List] : string;
/** What an application has stored: possibly no value of the list any more. The editor completes those that are. */
export type StoredValue<List extends string> = ListValue<List> | (string & {});

export interface LookupItem<Value = string> {
  /** Internal: do not use it. */
  id: number;
  /** To show. */
  label: string;
  /** To store. */
  value: Value;
  sortOrder: number;
}

/** What items have beyond that, where `fields` asks for it. */
export interface ItemFields {
  /** What other systems call it, by system: `{ workday: 'JP-113' }`. */
  codes: Record<string, string>;
  tags: string[];
  description: string | null;
  /** By list: the values of it with which this one is offered. */
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

/** The first of these that holds. */
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
  /** Whether all are active. */
  valid: boolean;
  results: {
    list: string;
    value: string;
    /** A newer service may have others: treat what you do not know like what is not active. */
    status: ValidateStatus | (string & {});
    /** In the language wanted; null of a value that is not known. */
    label: string | null;
    /** The value to use instead: the last one, where a replacement was replaced as well. */
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

/** Where the person is signed in. */
export interface OwnSession {
  id: string;
  /** Whether it is this one. */
  current: boolean;
  openedAt: string;
  /** When it was opened or renewed last. */
  lastSeenAt: string;
  /** Its end, however often it is renewed. */
  endsAt: string;
  address?: string;
  /** Like "Firefox 144 on Windows". */
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
  /** Where something sent was wrong: each field and why; of a file, the line too. */
  errors?: Fault[];
  /** Whether there are more than are listed. */
  moreErrors?: boolean;
}

export interface Change {
  list: string;
  version: number;
  /** Of a list that is different since this day, like 2027-01-31, because of its dates: the version stays. */
  day?: string;
  /** Grows with every change, also where the version stays. */
  id: number;
}
