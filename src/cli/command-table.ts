// Every command, with its arguments, its options and what it does. Usage, --help and the checks of the arguments are
// derived from this table.
import { auditTypes, TimeParameter } from '../audit/audit.schema.ts';
import { isIdentifier } from '../auth/provider/claims.ts';
import { isLoopback } from '../base/loopback.ts';
import { developmentIssuer, httpUrl } from '../config/variables.ts';
import { columnFault } from './migration-sql.ts';

export interface CommandSpec {
  about: string;
  /** The positional arguments, in order. Optional ones are in brackets. */
  words?: readonly (Placeholder | `[${Placeholder}]` | `[${Placeholder} …]`)[];
  /** The placeholder for the value of each option; a flag has no value. */
  options?: Readonly<Record<string, Placeholder | 'flag'>>;
  /** Either the argument or this option must be given, but not both. */
  orOption?: string;
  more?: string;
}

/** Returns what is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined;

const text: Check = (value) => (value === '' ? 'must not be empty' : undefined);

const wholeNumber =
  (most: number): Check =>
  (value) =>
    /^[1-9]\d*$/.test(value) && Number(value) <= most ? undefined : `must be a whole number from 1 to ${most}`;

/** 0 means before the first row. */
const rowId: Check = (value) => (/^\d{1,15}$/.test(value) ? undefined : 'must be the id of a row, or 0');

const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

/** Sign-ins apply the same rule, so no other employee ID can exist. */
const identifier: Check = (value) =>
  isIdentifier(value)
    ? undefined
    : 'must have 1 to 255 characters, no control characters, and no leading or trailing spaces';

const isoTime = /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Date.parse accepts days that do not exist, such as the 30th of February. */
const time: Check = (value) =>
  isoTime.test(value) && !Number.isNaN(Date.parse(value)) && TimeParameter.safeParse(value.slice(0, 10)).success
    ? undefined
    : 'must be a day like 2026-11-15, or a time like 2026-11-15T09:30:00Z';

/** Also accepts the issuer of the development provider, which is not a web address. */
const issuer: Check = (value) =>
  httpUrl.safeParse(value).success || value === developmentIssuer
    ? undefined
    : 'must be the http or https address of an identity provider, as in OIDC_ISSUER';

const callerName: Check = (value) =>
  /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(value) && value.length <= 63
    ? undefined
    : 'must be lower-case words joined by hyphens, at most 63 characters';

const url: Check = (value) => (httpUrl.safeParse(value).success ? undefined : 'must be an http or https address');

/** The name of a service account, a repository or a workload can be longer than an employee ID. */
const boundedText: Check = (value) =>
  /^[!-~]([ -~]{0,1022}[!-~])?$/.test(value) ? undefined : 'must have 1 to 1024 visible ASCII characters';

/** https, because a token is sent there. */
const serviceUrl: Check = (value) => {
  if (!httpUrl.safeParse(value).success) return 'must be the address of a service, like https://desk.example.com';
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || isLoopback(hostname) ? undefined : 'must be https';
};

export const placeholders = {
  FILE: text,
  LIST: text,
  VERSION: wholeNumber(999_999_999),
  ROW: rowId,
  WHO: identifier,
  TEXT: text,
  N: wholeNumber(999_999_999),
  KID: text,
  SESSION: text,
  ID: identifier,
  ISSUER: issuer,
  SUBJECT: identifier,
  TIME: time,
  NAME: callerName,
  URL: url,
  SUB: boundedText,
  AUDIENCE: boundedText,
  'URL|FILE': text,
  'ROLE,…': text,
  TYPE: oneOf(auditTypes),
  'yaml|csv': oneOf(['yaml', 'csv']),
  ADDRESS: serviceUrl,
  COLUMN: columnFault,
  COMMAND: text,
} satisfies Record<string, Check>;

export type Placeholder = keyof typeof placeholders;

const mirror =
  'With --mirror, items that are missing from a list in the file are retired, unless the file gives no items for that list.\n' +
  'Items without `retired` become active.';

const overHttp =
  'With --url, works on that service over HTTP. FRONTDESK_TOKEN holds an access token, or FRONTDESK_ASSERTION_FILE\n' +
  "names a file with a caller's assertion. No other variable is read.";

const table = {
  serve: {
    about: 'run the service (the default)',
    more: 'Settings are environment variables, or lines in a .env file. Example: PORT=4000 frontdesk serve',
  },
  check: {
    options: { 'sign-in': 'flag' },
    about: 'check the configuration, the database and the identity provider, and say how to fix what is wrong',
    more: `Prints a line for each finding: ok, warns, FAILS (then the command exits 1), or skips. Changes nothing.
With --sign-in, it only prints an address that can be used once, within ten minutes. The person who opens it signs in, and
sees their own claims and the resulting identity. No session is opened, and nothing is stored or logged.`,
  },
  explain: {
    words: ['[FILE]'],
    about: 'show which employee ID and roles a sign-in with these claims would give, and why',
    more: 'FILE (or standard input) holds an ID token, the JSON of its claims, or {"idToken": {…}, "userinfo": {…}}.',
  },
  migrate: { about: 'bring the tables up to date; the service also does this when it starts' },
  backup: { words: ['FILE'], about: 'copy the database file while the service runs (SQLite)' },
  health: { about: 'ask the service on this machine whether it is up' },
  'lookups export': {
    words: ['[LIST …]'],
    options: { format: 'yaml|csv', plain: 'flag', url: 'ADDRESS' },
    about: 'print the lists as a file; with --plain, without their versions',
    more: overHttp,
  },
  'lookups plan': {
    words: ['FILE'],
    options: { mirror: 'flag', url: 'ADDRESS' },
    about: 'show what a file would change; exits 2 if there are changes',
    more: `${mirror}\n${overHttp}`,
  },
  'lookups apply': {
    words: ['FILE'],
    options: { reason: 'TEXT', mirror: 'flag', as: 'WHO', url: 'ADDRESS' },
    about: 'apply a file, all of it or nothing',
    more: `${mirror}\n${overHttp}`,
  },
  'lookups history': {
    words: ['LIST'],
    options: { limit: 'N', json: 'flag', url: 'ADDRESS' },
    about: 'show who changed what, newest first',
    more: overHttp,
  },
  'lookups undo': {
    words: ['LIST', 'VERSION'],
    options: { reason: 'TEXT', as: 'WHO', url: 'ADDRESS' },
    about: 'restore an earlier version of a list, as a new version',
    more: overHttp,
  },
  'lookups migration': {
    words: ['LIST'],
    options: { since: 'VERSION', column: 'COLUMN', url: 'ADDRESS' },
    about: 'print an SQL expression that replaces stored values with their replacements',
    more: `Covers the values whose final value changed after VERSION, directly or through a chain of replacements.
Without --since, covers all replaced values. COLUMN defaults to value. Changes nothing.
${overHttp}`,
  },
  'keys list': { about: 'list the signing keys, the client keys, and their states' },
  'keys rotate': {
    options: { client: 'flag', now: 'flag', as: 'WHO' },
    about: 'make the next signing key, or client key; it is used after 10 minutes, or at once with --now',
    more: 'The client key is the one that Frontdesk authenticates with at the provider, if it makes its own.',
  },
  'keys revoke': {
    words: ['KID'],
    options: { as: 'WHO' },
    about: 'remove a key at once; tokens it signed are refused',
  },
  'keys reseal': {
    options: { as: 'WHO' },
    about: 'encrypt the keys under NEW_SECRET_KEY, which is the SECRET_KEY from then on',
    more: 'NEW_SECRET_KEY_FILE names a file that holds it.',
  },
  'keys reset': {
    options: { yes: 'flag', as: 'WHO' },
    about: 'replace all keys after the loss of SECRET_KEY; all sessions end',
    more: `Asks first, unless --yes is given. Stop every replica first, and start them with the new SECRET_KEY afterwards.
The audit starts over: earlier rows can no longer be verified.`,
  },
  'sessions list': { options: { person: 'ID', json: 'flag' }, about: 'list who is signed in' },
  'sessions end': {
    words: ['[SESSION]'],
    options: { person: 'ID', as: 'WHO' },
    orOption: 'person',
    about: 'end a session, or all sessions of a person',
  },
  'people move': {
    words: ['ID', 'ISSUER', 'SUBJECT'],
    options: { as: 'WHO' },
    about: 'give an employee ID to another account, after a change of provider',
  },
  'people export': {
    words: ['ID'],
    options: { as: 'WHO' },
    about: 'print what is stored about a person, as JSON',
    more: `Contains the profile, sessions, audit rows and list changes, but no secrets. Says what is left out and why (docs/privacy.md).
The export is audited. Exits 1 if nothing is stored under the employee ID.`,
  },
  'people forget': {
    words: ['ID'],
    options: { as: 'WHO' },
    about: 'erase what is stored about a person',
    more: `Their sessions end. The profile and network addresses are erased, and a pseudonym replaces the employee ID in the audit and
in the history of the lists. This cannot be undone. If it was interrupted, run it again to continue. See docs/privacy.md.
The erasure is audited. Exits 1 if nothing is stored under the employee ID.`,
  },
  'callers add': {
    words: ['NAME'],
    options: {
      issuer: 'URL',
      subject: 'SUB',
      jwks: 'URL|FILE',
      key: 'FILE',
      audience: 'AUDIENCE',
      roles: 'ROLE,…',
      as: 'WHO',
    },
    about: 'register a program, by an issuer and a subject or by its own public keys',
    more: [
      '  --issuer, --subject   the issuer of the tokens it sends, and their exact "sub"',
      '  --jwks                the keys of the issuer, if discovery cannot find them',
      '  --key                 its own public keys: a JWK Set, a JWK or PEM; several for a rotation',
      '  --audience            the "aud" of its assertions, if not PUBLIC_URL',
      '  --roles               its roles, separated by commas; without roles, it can only read lists',
    ].join('\n'),
  },
  'callers list': { about: 'list the registered programs' },
  'callers remove': {
    words: ['NAME'],
    options: { as: 'WHO' },
    about: 'remove a program; its access tokens stop working',
  },
  audit: {
    options: { since: 'TIME', type: 'TYPE', person: 'ID', limit: 'N', after: 'ROW', before: 'ROW', json: 'flag' },
    about: 'show what happened, oldest first',
    more: `TYPE is one of ${auditTypes.join(', ')}.`,
  },
  'audit verify': {
    options: { 'last-seal': 'FILE', 'before-reset': 'ROW' },
    about: 'recompute every digest and seal of the audit; name the first row that was changed',
    more: [
      'Also compares the lists with their history. docs/operations.md explains why to keep seals elsewhere.',
      '  --last-seal      a file with a seal that was kept elsewhere: proves that no rows up to that seal are missing,',
      '                   and that no older database was restored',
      '  --before-reset   a row known to be older than "keys reset": this row and those before it cannot be verified',
    ].join('\n'),
  },
  'audit seal': {
    about: 'seal the new rows of the audit, and print the last seal, to be kept elsewhere for --last-seal',
  },
  help: { words: ['[COMMAND …]'], about: 'show this text, or how to use a command' },
  version: { about: 'print the version' },
} satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof table;
export const commandTable: Readonly<Record<CommandName, CommandSpec>> = table;
