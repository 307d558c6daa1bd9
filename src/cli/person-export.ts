// frontdesk people export: what is stored of somebody, as one JSON document. docs/privacy.md describes its shape.
import type { Selectable } from 'kysely';
import { writeAudit } from '../audit/audit.ts';
import type { Db } from '../storage/storage.ts';
import type { PersonTable, Tables } from '../storage/tables.ts';
import { actorOf } from './actor.ts';
import { type Command, CommandError } from './command.ts';
import { findPerson, readAuditOf, readHistoryOf, readSessions, type Subject } from './person-export.queries.ts';
import { writeParts } from './standard-output.ts';

/** Of the shape. A new member does not change it; one that is renamed, removed or means something else does. */
const version = 1;

/** What may say something of a person and is not in the document. */
const leftOut = [
  {
    table: 'session',
    columns: ['cookie_hash', 'id_token', 'refresh_token', 'renewal_claim'],
    why: 'Secrets, or made from secrets. The document says of the first three whether they are there.',
  },
  {
    table: 'audit',
    columns: ['address'],
    why: 'Several people may share an address: a row that has nothing else in common with the person may be about another.',
  },
  {
    table: 'audit',
    columns: ['salt', 'digest', 'covered', 'replaced'],
    why: 'Random, or made with a secret key, to prove that a row was not changed.',
  },
  {
    table: 'lookup_history',
    columns: ['reason', 'changes'],
    why: 'Text that others wrote about a list. Whom it means cannot be told by a program; search it if need be.',
  },
  {
    table: 'lookup_list',
    columns: ['title'],
    why: 'Lists are data of the organization, and not meant for people.',
  },
  {
    table: 'lookup_item',
    columns: ['value', 'label', 'labels', 'replaced_by'],
    why: 'Lists are data of the organization, and not meant for people.',
  },
  {
    table: 'used_code',
    columns: ['code_hash'],
    why: 'A hash that does not lead to anybody, deleted after an hour.',
  },
];

export const exportPerson: Command = async (args, { db, reads }) => {
  const [employeeId = ''] = args.words;
  const onCommandLine = actorOf({ options: { as: employeeId } });
  const subject = { employeeId, onCommandLine, person: await findPerson(reads, employeeId) };
  if (!(await isKnown(reads, subject))) {
    throw new CommandError(
      `Nobody has the employee ID ${employeeId}, and neither the audit nor a list's history has it.`,
    );
  }
  const now = new Date();
  // First: where it cannot be recorded, nothing is exported. So the document has this row, too.
  await db.transaction().execute(async (tx) => {
    writeAudit(tx, { type: 'audit-read', person: employeeId, actor: actorOf(args), detail: 'people export' }, now);
  });
  await writeParts(documentOf(reads, subject, now));
  return '';
};

async function isKnown(db: Db, subject: Subject): Promise<boolean> {
  if (subject.person !== undefined) return true;
  for await (const _ of readAuditOf(db, subject)) return true;
  for await (const _ of readHistoryOf(db, subject)) return true;
  return false;
}

/** A line for each row. Whole only with its last bracket: one that was cut off is no JSON. */
async function* documentOf(db: Db, subject: Subject, now: Date): AsyncGenerator<string> {
  const { employeeId, person } = subject;
  const head = { version, employeeId, exportedAt: now.toISOString(), profile: person ? profileOf(person) : null };
  yield '{\n';
  for (const [name, value] of Object.entries(head)) yield `"${name}": ${JSON.stringify(value)},\n`;
  yield* arrayOf('sessions', readSessions(db, subject), sessionOf);
  yield ',\n';
  yield* arrayOf('audit', readAuditOf(db, subject), (row) => row);
  yield ',\n';
  yield* arrayOf('listChanges', readHistoryOf(db, subject), listChangeOf);
  yield `,\n"leftOut": ${JSON.stringify(leftOut)}\n}\n`;
}

async function* arrayOf<T>(name: string, rows: AsyncIterable<T>, show: (row: T) => object): AsyncGenerator<string> {
  yield `"${name}": [`;
  let separator = '\n';
  for await (const row of rows) {
    yield separator + JSON.stringify(show(row));
    separator = ',\n';
  }
  yield '\n]';
}

const profileOf = (row: PersonTable) => ({
  id: row.id,
  issuer: row.issuer,
  subject: row.subject,
  name: row.name,
  givenName: row.given_name,
  middleName: row.middle_name,
  familyName: row.family_name,
  picture: row.picture,
  email: row.email,
  emailVerified: row.email_verified === 1,
  phoneNumber: row.phone_number,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
});

const sessionOf = (row: Selectable<Tables['session']>) => ({
  id: row.sid,
  roles: parse(row.roles),
  providerSession: row.provider_sid,
  openedAt: row.opened_at,
  lastSeenAt: row.last_seen_at,
  idleEndsAt: row.idle_ends_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  tokenExpiresAt: row.token_expires_at,
  providerAskedAt: row.provider_asked_at,
  renewalClaimedUntil: row.renewal_claimed_until,
  renewalFailure: row.renewal_failure,
  authentication: row.authentication === null ? null : parse(row.authentication),
  address: row.address,
  browser: row.browser,
  hasCookie: row.cookie_hash !== null,
  hasIdToken: row.id_token !== null,
  hasRefreshToken: row.refresh_token !== null,
});

const listChangeOf = (row: Selectable<Tables['lookup_history']>) => ({
  id: String(row.seq),
  list: row.list,
  version: row.version,
  at: row.at,
  by: row.by,
  reason: row.reason,
  restoredVersion: row.restored_version,
  changes: parse(row.changes),
});

/** JSON as we wrote it, to be written again. */
const parse = (text: string): unknown => JSON.parse(text);
