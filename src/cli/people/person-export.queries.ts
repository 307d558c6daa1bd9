// The rows about a person, for the export and for forgetting. They are read in parts, because a person may have a
// hundred thousand rows, and a statement may take at most three seconds.
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { showRow } from '../../audit/audit.queries.ts';
import { readChanges } from '../../lookup/history/history.queries.ts';
import { rowsByKey } from '../../storage/pages.ts';
import type { Db } from '../../storage/storage.ts';
import type { PersonTable, Tables } from '../../storage/tables.ts';
import { actorOf, CommandError } from '../command.ts';

/** The employee ID, the author that commands record if `--as` names this ID, and the person if there is one. */
export interface Subject {
  employeeId: string;
  onCommandLine: string;
  person: Pick<PersonTable, 'id' | 'issuer' | 'subject'> | undefined;
}

export const subjectOf = (employeeId: string, person: Subject['person']): Subject => ({
  employeeId,
  onCommandLine: actorOf({ options: { as: employeeId } }),
  person,
});

export class NobodyKnown extends CommandError {
  constructor(employeeId: string) {
    super(`Nobody has the employee ID ${employeeId}, and neither the audit nor a list's history mentions it.`);
  }
}

export async function isKnown(db: Db, subject: Subject): Promise<boolean> {
  if (subject.person !== undefined) return true;
  for await (const _ of readAuditOf(db, subject)) return true;
  for await (const _ of readHistoryOf(db, subject)) return true;
  return false;
}

export async function findPerson(db: Db, employeeId: string): Promise<PersonTable | undefined> {
  return db.selectFrom('person').selectAll().where('employee_id', '=', employeeId).executeTakeFirst();
}

const sessionsOfPart = 500;

export async function* readSessions(db: Db, { person }: Subject) {
  if (person === undefined) return;
  const sessions = db.selectFrom('session').selectAll().where('person_id', '=', person.id);
  yield* rowsByKey(sessions, sessionsOfPart, { sid: '' });
}

/** Rows per query. Actor and session have no index, so all rows are scanned once, in ranges of row numbers. */
const auditOfPart = 2000;

export async function* readAuditOf(db: Db, subject: Subject) {
  for await (const [first, last] of rangesOf(db, 'audit', auditOfPart)) {
    const rows = await auditRange(db, first, last).where(isAbout(subject)).execute();
    yield* rows.map(showRow);
  }
}

export const auditRange = (db: Kysely<Tables>, first: number, last: number) =>
  db.selectFrom('audit').selectAll().where('seq', '>=', first).where('seq', '<=', last).orderBy('seq');

export function isAbout({ employeeId, onCommandLine, person }: Subject) {
  return (builder: ExpressionBuilder<Tables, 'audit'>): Expression<SqlBool> => {
    const { eb, or, and } = builder;
    const named = [eb('audit.person', '=', employeeId), eb('actor', 'in', [employeeId, onCommandLine])];
    if (person === undefined) return or(named);
    const { id, issuer, subject } = person;
    return or([
      ...named,
      // If the employee ID changed during a session, the session's earlier rows have the old one.
      isInSessionOf(id)(builder),
      and([eb('type', '=', 'sign-in-refused'), namesSubject(subject)]),
      and([eb('type', '=', 'person-moved'), eb('detail', '=', `${issuer} ${subject}`)]),
    ]);
  };
}

/** Whether the row belongs to a stored session of this person. */
export function isInSessionOf(personId: string) {
  return ({ eb, selectFrom }: ExpressionBuilder<Tables, 'audit'>): Expression<SqlBool> =>
    eb('session', 'in', selectFrom('session').select('sid').where('person_id', '=', personId));
}

/**
 * Whether the detail names this subject, in the format of refused-sign-ins.ts. Uses `replace` instead of `like`, because
 * `like` ignores case on SQLite.
 */
function namesSubject(subject: string): Expression<SqlBool> {
  const [detail, part] = [sql`(detail || ': ')`, `: subject ${subject}: `];
  return sql<SqlBool>`replace(${detail}, ${part}, '') <> ${detail}`;
}

const historyOfPart = 1000;

/** Reads the changes of each entry separately, since one may change ten thousand items. */
export async function* readHistoryOf(db: Db, { employeeId, onCommandLine }: Subject) {
  for await (const [first, last] of rangesOf(db, 'lookup_history', historyOfPart)) {
    const found = await db
      .selectFrom('lookup_history')
      .selectAll()
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .where('by', 'in', [employeeId, onCommandLine])
      .orderBy('seq')
      .execute();
    for (const row of found) yield { ...row, changes: await readChanges(db, row.list, row.version) };
  }
}

/** Yields ranges of row numbers, from the lowest to the highest number. */
export async function* rangesOf(
  db: Db,
  table: 'audit' | 'lookup_history',
  size: number,
): AsyncGenerator<[number, number]> {
  const { lowest, highest } = await db
    .selectFrom(table)
    .select(({ fn }) => [fn.min('seq').as('lowest'), fn.max('seq').as('highest')])
    .executeTakeFirstOrThrow();
  // In an empty table, both are null.
  if (lowest === null) return;
  for (let first = Number(lowest); first <= Number(highest); first += size) yield [first, first + size - 1];
}
