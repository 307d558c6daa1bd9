// Removes a person from audit rows, and from the history entries that these rows cover. Each changed row gets a new salt
// and digest, and keeps the digest that was sealed. Rows are changed in steps; an audit row records each step.
import { type Selectable, sql, type Transaction } from 'kysely';
import { withPass } from '../../storage/audit-pass.ts';
import { isPostgres } from '../../storage/migrations/engine.ts';
import { randomText } from '../../storage/secret.ts';
import type { Tables } from '../../storage/tables.ts';
import { writeAudit } from '../audit.ts';
import { forgottenDetail, forgottenType, stepName } from './accounting.ts';
import {
  type AuditKey,
  coveredDigest,
  digestOf,
  isAsWritten,
  isSame,
  NotAsWritten,
  type Replaced,
  replacedIn,
  startStepHash,
} from './digest.ts';

type AuditRow = Selectable<Tables['audit']>;

/** The columns that may change. */
export type ForgottenColumns = Pick<AuditRow, 'person' | 'actor' | 'address' | 'detail'>;
export type ForgottenEntry = Pick<Selectable<Tables['lookup_history']>, 'seq' | 'by' | 'reason'>;

export interface RowChange {
  before: AuditRow;
  after: ForgottenColumns;
  /** The history entry that the row covers, before and after the change. */
  covers: { before: string; after: string } | undefined;
}

interface Step {
  key: AuditKey;
  /** The last row written before the present key was created. Digests up to this row may have been made with a lost key. */
  lastBeforeKey: number;
  pseudonym: string;
  number: number;
  actor: string;
  now: Date;
}

/** Changes the rows in this transaction. All of them belong to one seal and are in the order of their numbers. */
export async function changeRows(
  tx: Transaction<Tables>,
  { key, lastBeforeKey, pseudonym, number, actor, now }: Step,
  changes: readonly RowChange[],
  entries: readonly ForgottenEntry[],
): Promise<void> {
  const by = stepName(pseudonym, number);
  const hash = startStepHash(key, by);
  const rows = changes.map((change) => {
    if (change.before.seq > lastBeforeKey) expectAsWritten(key, change);
    const row = proveAgain(key, by, change);
    hash.add(row.seq, row.digest);
    return row;
  });
  await storeRows(tx, pseudonym, rows, entries);
  const [first, last] = [rows.at(0)?.seq, rows.at(-1)?.seq];
  if (first === undefined || last === undefined) return;
  const detail = forgottenDetail.step(number, rows.length, first, last, hash.finish());
  writeAudit(tx, { type: forgottenType, person: pseudonym, actor, detail }, now);
}

function proveAgain(key: AuditKey, by: string, { before, after, covers }: RowChange) {
  const entry: Replaced = { digest: before.digest, by };
  const replaced = JSON.stringify([...replacedIn(before.replaced), entry]);
  const salt = randomText();
  const covered = before.covered === null ? null : coveredDigest(key, salt, covers?.after ?? '');
  const row = { ...before, ...after };
  const { seq, person, actor, address, detail } = row;
  const proof = { salt, covered, replaced, digest: digestOf(key, salt, covered, row, replaced) };
  return { seq, person, actor, address, detail, ...proof };
}

/** A row that was tampered with must not get a valid digest. */
function expectAsWritten(key: AuditKey, { before, covers }: Pick<RowChange, 'before' | 'covers'>): void {
  const { seq, salt, covered } = before;
  const isEntry = covered === null || isSame(covered, coveredDigest(key, salt, covers?.before ?? ''));
  if (!isAsWritten(key, before) || !isEntry)
    throw new NotAsWritten(`row ${seq}, or its entry in the history, was changed`);
}

type ProvenAgain = ReturnType<typeof proveAgain>;

async function storeRows(
  tx: Transaction<Tables>,
  pseudonym: string,
  rows: readonly ProvenAgain[],
  entries: readonly ForgottenEntry[],
): Promise<void> {
  if (isPostgres(tx)) {
    // Only a database function that belongs to the owner of the tables can change these rows.
    await sql`select audit_forget(${pseudonym}, ${JSON.stringify(rows)}, ${JSON.stringify(entries)})`.execute(tx);
    return;
  }
  await withPass(tx, ['update audit', 'update lookup_history'], async () => {
    for (const { seq, ...row } of rows) await tx.updateTable('audit').set(row).where('seq', '=', seq).execute();
    for (const { seq, ...entry } of entries) {
      await tx.updateTable('lookup_history').set(entry).where('seq', '=', seq).execute();
    }
  });
}
