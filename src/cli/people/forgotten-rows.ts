// What is left of a row when a person is forgotten. Pure.
import type { Selectable } from 'kysely';
import { frontdesk, identityProvider } from '../../audit/audit.ts';
import type { ForgottenColumns } from '../../audit/proof/changed-rows.ts';
import { isCallerSubject } from '../../auth/provider/claims.ts';
import type { Tables } from '../../storage/tables.ts';
import type { Subject } from './person-export.queries.ts';

export type ForgottenSubject = Subject & { pseudonym: string };

type AuditRow = Selectable<Tables['audit']>;
type Entry = Pick<Selectable<Tables['lookup_history']>, 'by' | 'reason'>;

export const newPseudonym = () =>
  `forgotten-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`;
/** The database function audit_forget checks the same pattern. */
const isPseudonym = (text: string) => /^forgotten-[0-9a-f]{32}$/.test(text);

/**
 * Only people can be forgotten, because the audit must keep naming Frontdesk, the identity provider and callers for
 * what they did.
 */
export const isOfPerson = (employeeId: string) =>
  ![frontdesk, identityProvider].includes(employeeId) && !isCallerSubject(employeeId) && !isPseudonym(employeeId);

/** The employee IDs that mean this person in a row. A row about one of their sessions may contain an earlier employee ID. */
export function namesIn({ person }: Pick<AuditRow, 'person'>, who: ForgottenSubject, isOwnSession: boolean): string[] {
  return [who.employeeId, ...(isOwnSession && person !== null ? [person] : [])];
}

export function forgetActor(actor: string, who: ForgottenSubject, names: readonly string[]): string {
  if (names.includes(actor)) return who.pseudonym;
  return actor === who.onCommandLine ? `command line (${who.pseudonym})` : actor;
}

/** The row without the person; undefined if it does not mention them. */
export function forgetAuditRow(
  row: AuditRow,
  who: ForgottenSubject,
  isOwnSession: boolean,
): ForgottenColumns | undefined {
  const names = namesIn(row, who, isOwnSession);
  const person = row.person !== null && names.includes(row.person) ? who.pseudonym : row.person;
  const actor = row.actor === null ? null : forgetActor(row.actor, who, names);
  const isTheirs = person !== row.person || actor !== row.actor || isOwnSession || namesAccount(row, who);
  const detail = row.detail === null ? null : withoutAccount(row.type, row.detail);
  // After an interruption, rows that are already done are seen again.
  const isDone = person === row.person && actor === row.actor && row.address === null && detail === row.detail;
  return isTheirs && !isDone ? { person, actor, address: null, detail } : undefined;
}

/** Whether the detail names the person's account, in the format of refused-sign-ins.ts and movePerson. */
function namesAccount({ type, detail }: AuditRow, { person }: ForgottenSubject): boolean {
  if (person === undefined || detail === null) return false;
  const { issuer, subject } = person;
  if (type === 'sign-in-refused') return `${detail}: `.includes(`: subject ${subject}: `);
  return type === 'person-moved' && detail === `${issuer} ${subject}`;
}

/**
 * Keeps only the part of the detail before the account. Only the names of claims can follow the account, so nothing else is
 * lost with it.
 */
function withoutAccount(type: string, detail: string): string {
  const [before = ''] = type === 'sign-in-refused' ? detail.split(': subject ') : [detail];
  return type === 'person-moved' ? before.replace(/ .*/s, '') : before;
}

/** The entry without the person; undefined if it does not mention them. */
export function forgetEntry({ by, reason }: Entry, who: ForgottenSubject, names: readonly string[]): Entry | undefined {
  const after = { by: forgetActor(by, who, names), reason: reason === null ? null : withoutNames(reason, who) };
  return after.by === by && after.reason === reason ? undefined : after;
}

/** Replaces the employee ID or the account in free text, if it is a whole word. */
function withoutNames(text: string, { employeeId, person, pseudonym }: ForgottenSubject): string {
  // The longer one first, because one may be a prefix of the other.
  const names = [employeeId, ...(person === undefined ? [] : [person.subject])]
    .sort((one, other) => other.length - one.length)
    .map((name) => RegExp.escape(name));
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${names.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu'), pseudonym);
}
