// frontdesk people export: what is stored about a person, as one JSON document. docs/privacy.md describes its shape.
import type { Selectable } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import type { Change } from '../../lookup/rules/change.ts';
import type { Db } from '../../storage/storage.ts';
import type { PersonTable, Tables } from '../../storage/tables.ts';
import type { Command } from '../command.ts';
import { actorOf, writeParts } from '../command.ts';
import {
  findPerson,
  isKnown,
  NobodyKnown,
  readAuditOf,
  readHistoryOf,
  readSessions,
  type Subject,
  subjectOf,
} from './person-export.queries.ts';
import { showProfile, showSession } from './personal-data.ts';

/** The version of the format. It changes if a member is renamed, removed or redefined, but not if a member is added. */
const version = 1;

/** Columns that may be about a person but are not in the document, and why. */
const leftOut = [
  {
    table: 'session',
    columns: ['cookie_hash', 'id_token', 'refresh_token', 'renewal_claim'],
    why: 'Secrets, or derived from secrets. The document says whether the first three exist.',
  },
  {
    table: 'audit',
    columns: ['address'],
    why: 'Several people may share an address, so a row that has only the address in common with the person may be about someone else.',
  },
  {
    table: 'audit',
    columns: ['salt', 'digest', 'covered', 'replaced'],
    why: 'Random, or derived from a secret key, to prove that a row was not changed.',
  },
  {
    table: 'lookup_history',
    columns: ['reason'],
    why: 'Text that others wrote about a list. A program cannot tell whom it mentions; search it if necessary.',
  },
  {
    table: 'lookup_change',
    columns: ['value', 'after'],
    why: 'Lists contain data about the organization, not about people.',
  },
  {
    table: 'lookup_list',
    columns: ['title'],
    why: 'Lists contain data about the organization, not about people.',
  },
  {
    table: 'lookup_item',
    columns: ['value', 'label', 'labels', 'replaced_by'],
    why: 'Lists contain data about the organization, not about people.',
  },
  {
    table: 'used_code',
    columns: ['code_hash'],
    why: 'A hash that identifies nobody, deleted after an hour.',
  },
];

export const exportPerson: Command = async (args, { db, reads }) => {
  const [employeeId = ''] = args.words;
  const person = await findPerson(reads, employeeId);
  const subject = subjectOf(employeeId, person);
  if (!(await isKnown(reads, subject))) throw new NobodyKnown(employeeId);
  const now = new Date();
  // Recorded first, so that nothing is exported without an audit row. The document therefore contains this row too.
  await db.transaction().execute(async (tx) => {
    writeAudit(tx, { type: 'person-exported', person: employeeId, actor: actorOf(args) }, now);
  });
  await writeParts(documentOf(reads, subject, person, now));
  return '';
};

/** Writes one line per row. A document that was cut off lacks its last bracket, so it is not valid JSON. */
async function* documentOf(
  db: Db,
  subject: Subject,
  person: PersonTable | undefined,
  now: Date,
): AsyncGenerator<string> {
  const { employeeId } = subject;
  const head = { version, employeeId, exportedAt: now.toISOString(), profile: person ? showProfile(person) : null };
  yield '{\n';
  for (const [name, value] of Object.entries(head)) yield `"${name}": ${JSON.stringify(value)},\n`;
  yield* arrayOf('sessions', readSessions(db, subject), showSession);
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

const listChangeOf = (row: Selectable<Tables['lookup_history']> & { changes: Change[] }) => ({
  id: String(row.seq),
  list: row.list,
  version: row.version,
  at: row.at,
  by: row.by,
  reason: row.reason,
  restoredVersion: row.restored_version,
  changes: row.changes,
});
