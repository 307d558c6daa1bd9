// The progress of forgetting a person, so that it can continue if the process is killed. Each row has a digest. Without
// it, anyone who can write to the table could have another person's rows erased, with a valid proof.
import type { Kysely, Selectable, Transaction } from 'kysely';
import { type AuditKey, isSame, NotAsWritten, progressDigest } from '../../audit/proof/digest.ts';
import { lockRows } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';

type Tx = Transaction<Tables>;
type ForgettingRow = Selectable<Tables['forgetting']>;
export type Forgetting = Omit<ForgettingRow, 'digest'>;

const rowsOf = (db: Kysely<Tables>, employeeId: string) =>
  db.selectFrom('forgetting').selectAll().where('employee_id', '=', employeeId);

export async function findForgetting(
  db: Kysely<Tables>,
  key: AuditKey,
  employeeId: string,
): Promise<Forgetting | undefined> {
  return expectOwn(key, await rowsOf(db, employeeId).executeTakeFirst());
}

export async function lockForgetting(tx: Tx, key: AuditKey, employeeId: string): Promise<Forgetting | undefined> {
  return expectOwn(key, await lockRows(tx, rowsOf(tx, employeeId)).executeTakeFirst());
}

/** Returns false if the row was already there, because forgetting this person has already begun. */
export async function insertForgetting(
  tx: Tx,
  key: AuditKey,
  { pseudonym, employee_id }: Pick<Forgetting, 'pseudonym' | 'employee_id'>,
): Promise<boolean> {
  const account = { person_id: null, issuer: null, subject: null };
  const done = { last_audit: null, last_history: null, audit_done: 0, steps: 0 };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('forgetting')
    .values(prove(key, { pseudonym, employee_id, ...account, ...done }))
    .onConflict((conflict) => conflict.column('employee_id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateForgetting(
  tx: Tx,
  key: AuditKey,
  progress: Forgetting,
  change: Partial<Forgetting>,
): Promise<void> {
  const { pseudonym, ...row } = prove(key, { ...progress, ...change });
  await tx.updateTable('forgetting').set(row).where('pseudonym', '=', pseudonym).execute();
}

function expectOwn(key: AuditKey, row: ForgettingRow | undefined): Forgetting | undefined {
  if (row === undefined) return undefined;
  const { digest, ...progress } = row;
  if (isSame(digest, prove(key, progress).digest)) return progress;
  throw new NotAsWritten('the row of the table forgetting was added or changed');
}

function prove(key: AuditKey, progress: Forgetting): ForgettingRow {
  const { pseudonym, employee_id, person_id, issuer, subject } = progress;
  const { last_audit, last_history, audit_done, steps } = progress;
  const numbers = [last_audit, last_history, audit_done, steps];
  return { ...progress, digest: progressDigest(key, [pseudonym, employee_id, person_id, issuer, subject, ...numbers]) };
}
