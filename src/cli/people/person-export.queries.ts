// The rows that concern a person, for the export and for forgetting. In parts: somebody may have a hundred thousand, and a statement has three seconds.
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { showRow } from '../../audit/audit.queries.ts';
import { rowsByKey } from '../../storage/pages.ts';
import type { Db } from '../../storage/storage.ts';
import type { PersonTable, Tables } from '../../storage/tables.ts';
import { actorOf, CommandError } from '../command.ts';

/** Whose rows: the employee ID, how it stands as an author on the command line, and the person where there is one. */
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
    super(`Nobody has the employee ID ${employeeId}, and neither the audit nor a list's history has it.`);
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

/** Not each by an index: actor and session have none. Each part is a range of numbers, so that all are read once. */
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
      // Before a change of the employee ID, a session's rows have the one before.
      isInSessionOf(id)(builder),
      and([eb('type', '=', 'sign-in-refused'), namesSubject(subject)]),
      and([eb('type', '=', 'person-moved'), eb('detail', '=', `${issuer} ${subject}`)]),
    ]);
  };
}

/** In a session of this person that is still stored. */
export function isInSessionOf(personId: string) {
  return ({ eb, selectFrom }: ExpressionBuilder<Tables, 'audit'>): Expression<SqlBool> =>
    eb('session', 'in', selectFrom('session').select('sid').where('person_id', '=', personId));
}

/** As refused-sign-ins.ts writes it. By `replace`, which both engines have, and which heeds capital letters. */
function namesSubject(subject: string): Expression<SqlBool> {
  const [detail, part] = [sql`(detail || ': ')`, `: subject ${subject}: `];
  return sql<SqlBool>`replace(${detail}, ${part}, '') <> ${detail}`;
}

const historyOfPart = 1000;

/** Each entry by itself: the changes of one may be of ten thousand items. */
export async function* readHistoryOf(db: Db, { employeeId, onCommandLine }: Subject) {
  for await (const [first, last] of rangesOf(db, 'lookup_history', historyOfPart)) {
    const found = await db
      .selectFrom('lookup_history')
      .select('seq')
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .where('by', 'in', [employeeId, onCommandLine])
      .orderBy('seq')
      .execute();
    for (const { seq } of found) {
      yield await db.selectFrom('lookup_history').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
    }
  }
}

/** From the first number there is to the last. */
export async function* rangesOf(
  db: Db,
  table: 'audit' | 'lookup_history',
  size: number,
): AsyncGenerator<[number, number]> {
  const { lowest, highest } = await db
    .selectFrom(table)
    .select(({ fn }) => [fn.min('seq').as('lowest'), fn.max('seq').as('highest')])
    .executeTakeFirstOrThrow();
  // Of an empty table, both are null.
  if (lowest === null) return;
  for (let first = Number(lowest); first <= Number(highest); first += size) yield [first, first + size - 1];
}
