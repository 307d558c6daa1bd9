// Writes the audit: who signed in, who was refused, and what was ended or changed.
import { type Kysely, sql, type Transaction } from 'kysely';
import { afterCommit, beforeCommit, databaseOf } from '../storage/commit-hooks.ts';
import { randomText } from '../storage/secret.ts';
import { placesOf, type Steps } from '../storage/short-transaction.ts';
import type { Db } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { showRow } from './audit.queries.ts';
import type { AuditType } from './audit.schema.ts';
import { auditKeyOf } from './audit-key.ts';
import { type AuditKey, coveredDigest, digestOf, type ProvenRow } from './proof/digest.ts';

/** Where a request came from. */
export interface Caller {
  requestId: string | undefined;
  address: string | undefined;
}

export interface AuditEntry extends Partial<Caller> {
  type: AuditType;
  /** The employee ID of the person concerned, or `caller:` and the name of a program. */
  person?: string | undefined;
  /** Who did it; undefined if nobody was authenticated. */
  actor: string | undefined;
  session?: string | undefined;
  /** Only Frontdesk's own words and codes, never text from another system. */
  detail?: string | undefined;
  /** Text that is stored in another table, such as a history entry. The row's digest proves this text, too. */
  covers?: string | undefined;
}

/** Actors that are neither a person nor a program: Frontdesk itself, and the identity provider. */
export const frontdesk = 'Frontdesk';
export const identityProvider = 'identity provider';

interface NewRow extends Omit<ProvenRow, 'seq'> {
  covers: AuditEntry['covers'];
}
const waiting = new WeakMap<Transaction<Tables>, NewRow[]>();

/**
 * Adds an audit row to the transaction that makes the recorded change. The row is written at the very end of the
 * transaction, no matter when this is called, because numbering rows takes a lock that every writer needs, and waiting for
 * a second lock while holding it could deadlock.
 */
export function writeAudit(tx: Transaction<Tables>, entry: AuditEntry, now: Date): void {
  let rows = waiting.get(tx);
  if (rows === undefined) {
    rows = [];
    waiting.set(tx, rows);
    beforeCommit(tx, writeWaiting);
  }
  rows.push(rowOf(entry, now));
}

function rowOf(entry: AuditEntry, now: Date): NewRow {
  return {
    at: now.toISOString(),
    type: entry.type,
    person: entry.person ?? null,
    actor: entry.actor ?? null,
    session: entry.session ?? null,
    address: entry.address ?? null,
    request_id: entry.requestId ?? null,
    detail: entry.detail ?? null,
    covers: entry.covers,
  };
}

const rowColumns = [
  'seq',
  'at',
  'type',
  'person',
  'actor',
  'session',
  'address',
  'request_id',
  'detail',
  'salt',
  'digest',
  'covered',
] as const;

/** SQL that takes the next numbers and the lock that every writer needs. Append a `where` or `from`, and `returning last`. */
export const takeAuditNumbers = (count: string) => `update audit_counter set last = last + ${count}`;

/** Ends a short transaction that has taken the numbers up to `last`: writes the rows and commits. */
export async function finishWithAudit(
  db: Db,
  steps: Steps,
  entries: readonly { entry: AuditEntry; now: Date }[],
  last: number,
): Promise<void> {
  const key = await auditKeyOf(db);
  const first = last - entries.length + 1;
  const rows = entries.map(({ entry, now }, index) => prove(rowOf(entry, now), first + index, key));
  const insert = `insert into audit (${rowColumns.join(', ')}) values ${placesOf(rows.length, rowColumns.length)}`;
  await steps.finish(
    insert,
    rows.flatMap((row) => rowColumns.map((column) => row[column])),
  );
  logRows(db, rows);
}

/** Maximum number of rows per statement, because the number of parameters in a statement is limited. */
const rowsOfStatement = 500;

async function writeWaiting(tx: Transaction<Tables>): Promise<void> {
  const rows = waiting.get(tx) ?? [];
  const db = databaseOf(tx);
  // Read before the update below takes the lock, so that other writers do not wait for the key.
  const key = await auditKeyOf(db);
  const { last } = await tx
    .updateTable('audit_counter')
    .set({ last: sql<number>`last + ${rows.length}` })
    .returning('last')
    .executeTakeFirstOrThrow();
  const first = last - rows.length + 1;
  const numbered = rows.map((row, index) => prove(row, first + index, key));
  for (let start = 0; start < numbered.length; start += rowsOfStatement) {
    await tx
      .insertInto('audit')
      .values(numbered.slice(start, start + rowsOfStatement))
      .execute();
  }
  afterCommit(tx, () => logRows(db, numbered));
}

function prove({ covers, ...rest }: NewRow, seq: number, key: AuditKey) {
  const row = { seq, ...rest };
  const salt = randomText();
  const covered = covers === undefined ? null : coveredDigest(key, salt, covers);
  return { ...row, salt, covered, digest: digestOf(key, salt, covered, row) };
}

const writers = new WeakMap<Kysely<Tables>, (row: ProvenRow) => void>();

/**
 * From now on, also writes each row committed through this database as a line of JSON, for log collectors. Each line is
 * written at most once: if the process is killed after the commit, the line may be missing. For a complete copy, read the
 * rows themselves, in the order of their numbers. `instance` is the name of this replica.
 */
export function logAudit(db: Kysely<Tables>, instance: string, write: (line: string) => void): void {
  writers.set(db, (row) => write(`${JSON.stringify({ audit: true, instance, ...showRow(row) })}\n`));
}

function logRows(db: Kysely<Tables>, rows: readonly ProvenRow[]): void {
  const write = writers.get(db);
  if (write === undefined) return;
  for (const row of rows) write(row);
}
