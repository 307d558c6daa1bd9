// Adds a year of audit rows to a database that has the tables and the audit key.
import { type Kysely, sql } from 'kysely';
import { type AuditKey, digestOf } from '../src/audit/proof/digest.ts';
import { isPostgres } from '../src/storage/migrations/engine.ts';
import type { Tables } from '../src/storage/tables.ts';

const columns = ['at', 'type', 'person', 'actor', 'session', 'address', 'request_id', 'detail', 'salt', 'digest'];
const rowsOfStatement = 2000;
const yearMs = 365 * 86_400_000;

/** Adds rows about 10,000 people, spread evenly over the year that begins at `from`. */
export async function addAuditOfAYear(db: Kysely<Tables>, key: AuditKey, count: number, from: Date): Promise<void> {
  const { last } = await db.selectFrom('audit_counter').select('last').executeTakeFirstOrThrow();
  const given = isPostgres(db) ? 'jsonb_array_elements' : 'json_each';
  const texts = columns.map((column) => `given.value ->> '${column}'`);
  const insert = sql.raw(`insert into audit (seq, ${columns.join(', ')})
    select cast(given.value ->> 'seq' as bigint), ${texts.join(', ')} from ${given}(`);
  for (let start = 0; start < count; start += rowsOfStatement) {
    const rows = Array.from({ length: Math.min(rowsOfStatement, count - start) }, (_, index) =>
      rowOf(key, start + index + 1, last, new Date(from.getTime() + ((start + index) * yearMs) / count)),
    );
    await sql`${insert}${JSON.stringify(rows)}) as given`.execute(db);
  }
  await db
    .updateTable('audit_counter')
    .set({ last: last + count })
    .execute();
}

function rowOf(key: AuditKey, nth: number, last: number, at: Date) {
  const person = `E-${((nth % 10_000) * 7919) % 10_000}`;
  const row = {
    seq: last + nth,
    at: at.toISOString(),
    type: ['list-changed', 'sign-in-refused'][nth % 50] ?? 'sign-in',
    person,
    actor: person,
    session: crypto.randomUUID(),
    address: '10.0.0.1',
    request_id: crypto.randomUUID(),
    detail: 'bound',
  };
  const salt = crypto.randomUUID();
  return { ...row, salt, digest: digestOf(key, salt, null, row) };
}
