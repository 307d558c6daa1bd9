// Seals many audit rows, as after an outage during which no seal could be made.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { ensureAuditKey } from '../../src/audit/key-making.ts';
import { sealAudit } from '../../src/audit/proof/sealing.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { engine, makeDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';

const rows = 10_000;
const numbers =
  engine === 'postgres'
    ? `select n from generate_series(1, ${rows}) as numbers(n)`
    : `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select n from numbers`;

test('other connections can write while many rows are sealed', async () => {
  const folder = makeFolder();
  const database = await makeDatabase(folder);
  const settings = readConfig({ DATABASE_URL: database.url }).database;
  const [{ db, close }, other] = [await openStorage(settings), await openStorage(settings)];
  await database.query(
    `insert into audit (seq, at, type, salt, digest)
     select n, '2026-11-16T06:00:00.000Z', 'sign-in', '', '' from (${numbers}) as counted`,
  );
  await database.query(`update audit_counter set last = ${rows}`);
  const key = await ensureAuditKey(db, 'for the digests of these rows, long enough', new Date());
  if (key === 'sealed') throw new Error('the key is not ours');
  /** How many seals existed at each write of the other connection. */
  const seen = new Set<number>();
  const write = async () => {
    await other.db.transaction().execute(async (tx) => {
      await tx.updateTable('audit_key').set({ id: 1 }).execute();
      seen.add((await tx.selectFrom('audit_seal').select('number').execute()).length);
    });
  };
  const writing: Promise<void>[] = [];
  const timer = setInterval(() => writing.push(write()), 5);
  await sealAudit({ db, key, now: () => new Date(), log: { info() {} } });
  clearInterval(timer);
  await Promise.all(writing);
  // At least one of the writes happened after the first of the five seals, and before the last.
  expect([...seen].some((seals) => seals > 0 && seals < 5)).toBe(true);
  await other.close();
  await close();
  rmSync(folder, { recursive: true, force: true });
});
