// Forgets a person, in small transactions. The table `forgetting` contains the progress, so that forgetting can
// continue if the process is killed.
import type { Kysely, Selectable, Transaction } from 'kysely';
import { writeAudit } from '../../audit/audit.ts';
import { readBeforeKey } from '../../audit/key-making.ts';
import { forgottenDetail, forgottenType } from '../../audit/proof/accounting.ts';
import { changeRows, type ForgottenEntry, type RowChange } from '../../audit/proof/changed-rows.ts';
import type { AuditKey } from '../../audit/proof/digest.ts';
import { lockAudit } from '../../audit/removal.ts';
import { listSessions } from '../../auth/sessions/session.queries.ts';
import { secondsBefore } from '../../base/time.ts';
import { ownClockToleranceSeconds } from '../../config/token-times.ts';
import { changeOf } from '../../lookup/changing/list-changes.ts';
import { historyText } from '../../lookup/history/history.queries.ts';
import { type Db, lockRows } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { type Forgetting, insertForgetting, lockForgetting, updateForgetting } from './forgetting-progress.ts';
import { type ForgottenSubject, forgetAuditRow, forgetEntry, namesIn, newPseudonym } from './forgotten-rows.ts';
import { auditRange, findPerson, isAbout, isInSessionOf, subjectOf } from './person-export.queries.ts';
import { forgetProfile, forgetSession } from './personal-data.ts';

type Tx = Transaction<Tables>;
type AuditRow = Selectable<Tables['audit']>;

/** If two processes begin at once, the second adds nothing here, and continues with the row of the first. */
export async function beginForgetting({ db, key, actor, now }: StepOptions, employeeId: string): Promise<void> {
  const pseudonym = newPseudonym();
  await db.transaction().execute(async (tx) => {
    if (!(await insertForgetting(tx, key, { pseudonym, employee_id: employeeId }))) return;
    const detail = forgottenDetail.begun;
    writeAudit(tx, { type: forgottenType, person: pseudonym, actor: actor(pseudonym), detail }, now());
  });
}

/** Returns the actor for the audit: the pseudonym, if the actor is the person themselves. */
type ActorOf = (pseudonym: string) => string;

/**
 * Returns false if the person has an open session, because they have signed in again. That session must be ended first.
 */
export async function eraseProfile({ db, key, now: clock }: StepOptions, employeeId: string): Promise<boolean> {
  const now = clock();
  return db.transaction().execute(async (tx) => {
    const progress = await lockForgetting(tx, key, employeeId);
    if (progress === undefined || progress.last_audit !== null) return true;
    // Locks the row, so that a sign-in with the same account waits and then finds no person.
    const people = tx.selectFrom('person').selectAll().where('employee_id', '=', employeeId);
    const person = await lockRows(tx, people).executeTakeFirst();
    if ((await listSessions(tx, now, { employeeId })).length > 0) return false;
    const { pseudonym } = progress;
    const forgotten = { pseudonym, at: now.toISOString() };
    if (person !== undefined) {
      await tx.updateTable('person').set(forgetProfile(forgotten)).where('id', '=', person.id).execute();
      await tx
        .updateTable('session')
        .set(({ ref }) => ({ ...forgetSession(forgotten), expires_at: ref('token_expires_at') }))
        .where('person_id', '=', person.id)
        .execute();
    }
    // Only rows up to now are changed, because later rows belong to a new person.
    const { last } = await lockRows(tx, tx.selectFrom('audit_counter').selectAll()).executeTakeFirstOrThrow();
    if ((await findPerson(tx, employeeId)) !== undefined) throw new SignedInMeanwhile();
    const { seq } = await tx
      .selectFrom('lookup_history')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    const account = { person_id: person?.id ?? null, issuer: person?.issuer ?? null, subject: person?.subject ?? null };
    await updateForgetting(tx, key, progress, { ...account, last_audit: last, last_history: seq ?? 0 });
    return true;
  });
}

/**
 * Thrown if, during the step, someone has signed in with this employee ID for the first time. The step is then
 * repeated.
 */
export class SignedInMeanwhile extends Error {}

interface StepOptions {
  db: Db;
  key: AuditKey;
  actor: ActorOf;
  now: () => Date;
}

interface Found {
  changes: RowChange[];
  entries: ForgottenEntry[];
}

function subjectOfForgetting({ pseudonym, employee_id, person_id, issuer, subject }: Forgetting): ForgottenSubject {
  const isKnown = person_id !== null && issuer !== null && subject !== null;
  return { pseudonym, ...subjectOf(employee_id, isKnown ? { id: person_id, issuer, subject } : undefined) };
}

/** The changes to make in these audit rows, and in the history entries that they cover. */
export async function findRows(db: Kysely<Tables>, progress: Forgetting, first: number, last: number): Promise<Found> {
  const who = subjectOfForgetting(progress);
  const isOld = (row: AuditRow) => row.seq <= (progress.last_audit ?? 0);
  const inSession = who.person === undefined ? undefined : isInSessionOf(who.person.id);
  const rows = await auditRange(db, first, last)
    .where((builder) => builder.or([isAbout(who)(builder), builder('type', '=', 'list-changed')]))
    .execute();
  const own = new Set<number>();
  if (inSession !== undefined) {
    const found = await db
      .selectFrom('audit')
      .select('seq')
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .where(inSession)
      .execute();
    for (const { seq } of found) own.add(seq);
  }
  const candidates = rows.filter((row) => isOld(row) || own.has(row.seq));
  const mentioned = await findEntries(db, candidates);
  const [changes, entries]: [RowChange[], ForgottenEntry[]] = [[], []];
  for (const before of candidates) {
    const isOwn = own.has(before.seq);
    const after = forgetAuditRow(before, who, isOwn);
    const entry = before.covered === null ? undefined : mentioned.get(before.seq);
    const change = entry && forgetEntry(entry, who, namesIn(before, who, isOwn));
    if (entry !== undefined && change !== undefined) entries.push({ seq: entry.seq, ...change });
    if (after === undefined && change === undefined) continue;
    const covers = entry && { before: historyText(entry), after: historyText({ ...entry, ...change }) };
    changes.push({ before, after: after ?? before, covers });
  }
  return { changes, entries };
}

type HistoryEntry = Selectable<Tables['lookup_history']>;

/** The history entries that these audit rows cover, by the number of the row. */
async function findEntries(db: Kysely<Tables>, rows: readonly AuditRow[]): Promise<Map<number, HistoryEntry>> {
  const covering = rows.filter(({ type, covered }) => type === 'list-changed' && covered !== null);
  if (covering.length === 0) return new Map();
  const changes = covering.map(({ detail }) => changeOf(detail ?? ''));
  const found = await db
    .selectFrom('lookup_history')
    .selectAll()
    .where('list', 'in', [...new Set(changes.map(({ list }) => list))])
    .where('version', 'in', [...new Set(changes.map(({ version }) => version))])
    .execute();
  const byName = new Map(found.map((entry) => [`${entry.list} ${entry.version}`, entry]));
  return new Map(
    covering.flatMap(({ seq }, index) => {
      const entry = byName.get(`${changes[index]?.list} ${changes[index]?.version}`);
      return entry === undefined ? [] : [[seq, entry]];
    }),
  );
}

/** Changes these rows in one step. All of them must belong to the same seal. */
export async function forgetRows(
  { db, key, actor, now }: StepOptions,
  employeeId: string,
  first: number,
  last: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const progress = await lockForStep(tx, key, employeeId);
    if (progress === undefined) return;
    const { changes, entries } = await findRows(tx, progress, first, last);
    const { pseudonym, steps } = progress;
    const isDone = changes.length === 0;
    const lastBeforeKey = (await readBeforeKey(tx, key))?.row ?? 0;
    const step = { key, lastBeforeKey, pseudonym, number: steps + 1, actor: actor(pseudonym), now: now() };
    if (!isDone) await changeRows(tx, step, changes, entries);
    const done = { steps: isDone ? steps : steps + 1, audit_done: Math.max(progress.audit_done, last) };
    await updateForgetting(tx, key, progress, done);
  });
}

/** Locks the audit and the progress. Waits while rows are being sealed or removed. */
async function lockForStep(tx: Tx, key: AuditKey, employeeId: string): Promise<Forgetting | undefined> {
  await lockAudit(tx);
  return lockForgetting(tx, key, employeeId);
}

/** Changes history entries that no digest covers, because their audit rows were removed. */
export async function forgetEntries(
  { db, key, actor, now }: StepOptions,
  employeeId: string,
  first: number,
  last: number,
): Promise<void> {
  const found = await db
    .selectFrom('lookup_history')
    .select(['seq', 'by', 'reason'])
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .execute();
  if (found.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const progress = await lockForStep(tx, key, employeeId);
    if (progress === undefined) return;
    const { pseudonym, steps } = progress;
    const who = subjectOfForgetting(progress);
    const entries = found.flatMap(({ seq, ...entry }) => {
      const change = seq <= (progress.last_history ?? 0) && forgetEntry(entry, who, [employeeId]);
      return change ? [{ seq, ...change }] : [];
    });
    if (entries.length === 0) return;
    const step = { key, lastBeforeKey: 0, pseudonym, number: steps, actor: actor(pseudonym), now: now() };
    await changeRows(tx, step, [], entries);
  });
}

/** Also deletes the sessions whose tokens have all expired. Housekeeping deletes the others. */
export async function finishForgetting({ db, key, actor, now }: StepOptions, employeeId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const progress = await lockForgetting(tx, key, employeeId);
    if (progress === undefined) return;
    const { pseudonym, person_id, steps } = progress;
    if (person_id !== null) {
      const before = secondsBefore(now(), ownClockToleranceSeconds).toISOString();
      await tx.deleteFrom('session').where('person_id', '=', person_id).where('expires_at', '<', before).execute();
    }
    await tx.deleteFrom('forgetting').where('pseudonym', '=', pseudonym).execute();
    const detail = forgottenDetail.finished(steps);
    writeAudit(tx, { type: forgottenType, person: pseudonym, actor: actor(pseudonym), detail }, now());
  });
}
