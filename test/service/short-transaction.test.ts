// Transactions sent in as few messages as possible are still transactions.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { openSession } from '../../src/auth/login/sign-in.queries.ts';
import { readConfig } from '../../src/config/config.ts';
import { transactShortly } from '../../src/storage/short-transaction.ts';
import { type Db, openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { at, newSession } from '../support/new-session.ts';

const folder = makeFolder();
let storage: Storage;
let db: Db;
beforeAll(async () => {
  const { url } = await makeDatabase(folder, { isEmpty: true });
  storage = await openStorage(readConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '40' }).database);
  db = storage.db;
  provideAuditKey(db, async () => Buffer.alloc(32));
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = 'insert into used_code (code_hash, used_at) values ($1, $2)';
const codes = async () =>
  (await db.selectFrom('used_code').select('code_hash').orderBy('code_hash').execute()).map(
    ({ code_hash }) => code_hash,
  );

describe(`on ${engine}`, () => {
  test('a finished transaction is stored, with all its steps', async () => {
    const result = await transactShortly(db, async (steps) => {
      expect(await steps.run(insert, ['a', 'x'])).toEqual({ rows: [], written: 1 });
      const { rows } = await steps.run('select used_at from used_code where code_hash = $1', ['a']);
      expect(rows).toEqual([{ used_at: 'x' }]);
      return steps.finish(insert, ['b', 'x']);
    });
    expect(result.written).toBe(1);
    expect(await codes()).toEqual(['a', 'b']);
  });

  test('a transaction that is not finished, or fails at any step, leaves nothing', async () => {
    const before = await codes();
    const left = await transactShortly(db, async (steps) => {
      await steps.run(insert, ['c', 'x']);
      return 'left';
    });
    expect(left).toBe('left');
    const failing = [
      transactShortly(db, (steps) => steps.finish(insert, ['a', 'x'])),
      transactShortly(db, async (steps) => {
        await steps.run(insert, ['d', 'x']);
        return steps.finish(insert, ['a', 'x']);
      }),
    ];
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const thrown = transactShortly(db, async (steps) => {
      await steps.run(insert, ['e', 'x']);
      throw new Error('on the way');
    });
    await expect(thrown).rejects.toThrow('on the way');
    expect(await codes()).toEqual(before);
    // The pool's connections are still usable.
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        transactShortly(db, (steps) => steps.finish(insert, [`many-${index}`, 'x'])),
      ),
    );
    expect(await codes()).toHaveLength(before.length + 15);
  });

  test('twenty sign-ins of seven known people at once: twenty sessions, and audit rows without a gap', async () => {
    for (let person = 0; person < 7; person++)
      await openSession(db, newSession(`first-${person}`, `p-${person}`, `P-${person}`), at(0));
    const signIns = Array.from({ length: 20 }, (_, index) =>
      newSession(`s-${index}`, `p-${index % 7}`, `P-${index % 7}`),
    );
    expect(await Promise.all(signIns.map((each) => openSession(db, each, at(1))))).not.toContain(false);
    const rows = await db.selectFrom('audit').select(['seq', 'session']).orderBy('seq').execute();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
    expect(new Set(rows.map(({ session }) => session)).size).toBe(27);
    const sessions = await db
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'session.person_id')
      .select(['sid', 'employee_id'])
      .execute();
    expect(sessions).toHaveLength(27);
    expect(sessions.find(({ sid }) => sid === 's-19')?.employee_id).toBe('P-5');
  });
});
