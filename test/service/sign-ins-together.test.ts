// Simultaneous sign-ins share transactions, and each has the same result as on its own.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { openSession } from '../../src/auth/login/sign-in.queries.ts';
import { rememberCode } from '../../src/auth/sessions/used-code.queries.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { at, newSession } from '../support/new-session.ts';

const folder = makeFolder();
const key = Buffer.alloc(32);
const statements: string[] = [];
let url: string;
let storage: Storage;
beforeAll(async () => {
  ({ url } = await makeDatabase(folder, { isEmpty: true }));
  storage = await openStorage(readConfig({ DATABASE_URL: url }).database, (text) => void statements.push(text));
  provideAuditKey(storage.db, async () => key);
  for (let person = 0; person < 30; person++) {
    await openSession(storage.db, newSession(`first-${person}`, `p-${person}`, `P-${person}`), at(0));
  }
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const sessionOf = (name: string, person: number) => newSession(`${name}-${person}`, `p-${person}`, `P-${person}`);
const open = (...sessions: ReturnType<typeof newSession>[]) =>
  Promise.all(sessions.map((each) => openSession(storage.db, each, at(1))));
const numbered = (name: string, length: number) => Array.from({ length }, (_, index) => sessionOf(name, index));
const sidsOf = async (pattern: string) => {
  const rows = await storage.db.selectFrom('session').select('sid').where('sid', 'like', pattern).execute();
  return rows.map(({ sid }) => sid).sort();
};
/** Asserts that the audit has no gap, and a row for each session. */
const expectAudited = async (sids: readonly string[]) => {
  const rows = await storage.db.selectFrom('audit').select(['seq', 'session', 'digest']).orderBy('seq').execute();
  expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1));
  for (const sid of sids) expect(rows.filter(({ session }) => session === sid)).toHaveLength(1);
};

describe(`on ${engine}`, () => {
  test('thirty at once are stored in one transaction, each with its own audit row', async () => {
    statements.length = 0;
    const sessions = numbered('many', 30);
    expect(await open(...sessions)).toEqual(sessions.map(() => true));
    expect(statements.filter((text) => text.startsWith('insert into audit '))).toHaveLength(1);
    expect(await sidsOf('many-%')).toEqual(sessions.map(({ sid }) => sid).sort());
    await expectAudited(sessions.map(({ sid }) => sid));
  });

  test('a new person among them is stored, too; of two with the same new employee ID, only one', async () => {
    const sessions = [...numbered('mixed', 5), newSession('mixed-new', 'p-new', 'P-new')];
    expect(await open(...sessions)).toEqual(sessions.map(() => true));
    const rivals = ['a', 'b'].map((name) => newSession(`rival-${name}`, `p-rival-${name}`, 'P-rival'));
    expect((await open(...rivals)).sort()).toEqual([false, true]);
    await expectAudited(['mixed-0', 'mixed-new']);
  });

  test('thirty new people are stored, and on PostgreSQL in few transactions', async () => {
    statements.length = 0;
    const sessions = Array.from({ length: 30 }, (_, index) => newSession(`new-${index}`, `n-${index}`, `N-${index}`));
    expect(await open(...sessions)).toEqual(sessions.map(() => true));
    const written = statements.filter((text) => /^insert into "?audit"? /.test(text)).length;
    expect(written).toBeGreaterThan(0);
    if (engine === 'postgres') expect(written).toBeLessThan(5);
    expect(await sidsOf('new-%')).toEqual(sessions.map(({ sid }) => sid).sort());
    const people = await storage.db.selectFrom('person').selectAll().where('employee_id', 'like', 'N-%').execute();
    expect(new Set(people.map(({ id }) => id)).size).toBe(30);
    expect(people.every(({ id, created_at }) => /^[0-9a-f-]{36}$/.test(id) && created_at === at(0).toISOString())).toBe(
      true,
    );
    await expectAudited(sessions.map(({ sid }) => sid));
  });

  test('two first sign-ins of one person at once are one person with two sessions', async () => {
    const pair = ['a', 'b'].map((name) => newSession(`pair-${name}`, 'p-pair', 'P-pair'));
    const sessions = [newSession('pair-before', 'p-lone', 'P-lone'), ...pair];
    expect(await open(...sessions)).toEqual([true, true, true]);
    const rows = await storage.db
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'person_id')
      .select(['sid', 'person.id'])
      .where('employee_id', '=', 'P-pair')
      .execute();
    expect(rows.map(({ sid }) => sid).sort()).toEqual(['pair-a', 'pair-b']);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    await expectAudited(['pair-before', 'pair-a', 'pair-b']);
  });

  test('an existing account or a taken employee ID does not create a new person', async () => {
    // An existing account with a different employee ID is the same person. A different account with an ID that is taken is
    // refused.
    const renamed = newSession('nobody-renamed', 'p-20', 'P-20-renamed');
    const taken = newSession('nobody-taken', 'p-other', 'P-21');
    const fresh = newSession('nobody-fresh', 'p-fresh', 'P-fresh');
    expect(await open(sessionOf('nobody', 22), renamed, taken, fresh)).toEqual([true, true, false, true]);
    expect(await sidsOf('nobody-%')).toEqual(['nobody-22', 'nobody-fresh', 'nobody-renamed']);
    const ofAccount = await storage.db
      .selectFrom('person')
      .select('employee_id')
      .where('subject', '=', 'p-20')
      .execute();
    expect(ofAccount).toEqual([{ employee_id: 'P-20-renamed' }]);
    expect(await storage.db.selectFrom('person').select('id').where('subject', '=', 'p-other').execute()).toEqual([]);
    await expectAudited(['nobody-22', 'nobody-fresh', 'nobody-renamed']);
  });

  test('two sign-ins of one person at once are two sessions', async () => {
    const sessions = [sessionOf('before', 1), sessionOf('twice-a', 2), sessionOf('twice-b', 2)];
    expect(await open(...sessions)).toEqual([true, true, true]);
    expect(await sidsOf('twice-%')).toEqual(['twice-a-2', 'twice-b-2']);
    await expectAudited(['twice-a-2', 'twice-b-2']);
  });

  test('only the one that cannot be stored fails', async () => {
    const taken = newSession('first-3', 'p-3', 'P-3');
    const outcomes = await Promise.allSettled(
      [sessionOf('lone', 1), sessionOf('lone', 2), taken, sessionOf('lone', 4)].map((each) =>
        openSession(storage.db, each, at(1)),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await sidsOf('lone-%')).toEqual(['lone-1', 'lone-2', 'lone-4']);
    await expectAudited(['lone-1', 'lone-2', 'lone-4']);
  });

  test('only the one whose provider session is too long for a PostgreSQL index fails', async () => {
    const long = sessionOf('wide', 3);
    // Random, because PostgreSQL compresses repeated text.
    const random = Array.from({ length: 100 }, () => crypto.randomUUID()).join('');
    long.identity.providerSessionId = random;
    const all = [sessionOf('wide', 1), sessionOf('wide', 2), long, sessionOf('wide', 4)];
    const outcomes = await Promise.allSettled(all.map((each) => openSession(storage.db, each, at(1))));
    const status = engine === 'postgres' ? 'rejected' : 'fulfilled';
    expect(outcomes.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', status, 'fulfilled']);
    await expectAudited(['wide-1', 'wide-2', 'wide-4']);
  });

  test('only the first of several simultaneous uses of a code counts', async () => {
    const codes = ['first', 'same', 'same', 'other', 'same'];
    const uses = codes.map((code) => rememberCode(storage.db, code, at(2)));
    expect(await Promise.all(uses)).toEqual([true, true, false, true, false]);
    expect(await rememberCode(storage.db, 'other', at(3))).toBe(false);
    // A week later, the code is no longer remembered.
    expect(await rememberCode(storage.db, 'other', at(7 * 86_400))).toBe(true);
  });

  test('new people who sign in at two replicas at once, in different orders, are stored once', async () => {
    const replica = await openStorage(readConfig({ DATABASE_URL: url }).database);
    provideAuditKey(replica.db, async () => key);
    for (let round = 0; round < 10; round++) {
      const newcomers = (name: string) =>
        Array.from({ length: 40 }, (_, index) => {
          const person = 40 * round + index;
          return newSession(`${name}-${person}`, `both-${person}`, `BOTH-${person}`);
        });
      const opened = await Promise.all([
        ...newcomers('here').map((each) => openSession(storage.db, each, at(1))),
        ...newcomers('there')
          .reverse()
          .map((each) => openSession(replica.db, each, at(1))),
      ]);
      expect(opened).toEqual(opened.map(() => true));
    }
    await replica.close();
    const people = await storage.db.selectFrom('person').select('id').where('employee_id', 'like', 'BOTH-%').execute();
    expect(people).toHaveLength(400);
    const sids = [...(await sidsOf('here-%')), ...(await sidsOf('there-%'))];
    expect(sids).toHaveLength(800);
    await expectAudited(sids);
  });

  if (engine === 'postgres') {
    test("nobody waits for another person's row", async () => {
      const holder = new Client(url);
      await holder.connect();
      await holder.query('begin');
      await holder.query("update person set name = 'held' where employee_id in ('P-7', 'P-8')");
      // One of the two waiting sign-ins is stored on its own, the other together with more sign-ins.
      const alone = open(sessionOf('held', 7));
      await Bun.sleep(50);
      const together = open(sessionOf('held', 8));
      const others = numbered('free', 5);
      expect(await open(...others)).toEqual(others.map(() => true));
      expect(await sidsOf('held-%')).toEqual([]);
      await holder.query('commit');
      await holder.end();
      expect([await alone, await together]).toEqual([[true], [true]]);
      await expectAudited(['held-7', 'held-8', 'free-0']);
    });

    test('nobody waits for a code that another sign-in is about to use', async () => {
      const holder = new Client(url);
      await holder.connect();
      await holder.query('begin');
      await holder.query("insert into used_code (code_hash, used_at) values ('held', $1)", [at(1).toISOString()]);
      const held = rememberCode(storage.db, 'held', at(2));
      await Bun.sleep(50);
      expect(await rememberCode(storage.db, 'free', at(2))).toBe(true);
      await holder.query('commit');
      await holder.end();
      expect(await held).toBe(false);
    });
  }
});
