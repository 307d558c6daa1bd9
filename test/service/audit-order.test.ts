// Audit rows are numbered in the order in which they become visible: a reader that continues after the last number it saw
// misses no row, even while others write.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { readAudit, type ShownRow } from '../../src/audit/audit.queries.ts';
import { writeAudit } from '../../src/audit/audit.ts';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { ensureActiveKey, rotateKeys } from '../../src/auth/keys/rotation.ts';
import { openSession } from '../../src/auth/login/sign-in.queries.ts';
import { endSessions } from '../../src/auth/sessions/session.queries.ts';
import { readConfig } from '../../src/config/config.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { bearer, makeFolder } from '../support/frontdesk.ts';
import { at, newSession } from '../support/new-session.ts';
import { startCluster, Writer } from '../support/replicas.ts';
import { until } from '../support/waiting.ts';

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const storedIds = async (database: TestDatabase) =>
  (await database.query<{ seq: number }>('select seq from audit order by seq')).map(({ seq }) => String(seq));

test('with three replicas writing under load, a poller sees every row exactly once, in order and without gaps', async () => {
  const database = await makeDatabase(makeFolder());
  const cluster = await startCluster({ count: 3, databaseUrls: [database.url] });
  const [one, two, three] = cluster.replicas.map(({ url }) => url);
  const auditor = await cluster.signIn(cluster.replicas[0], 'E-1006');
  let isWriting = true;
  const seen: string[] = [];

  const poll = async () => {
    let path = '/admin/audit?after=0&limit=7';
    for (let isLast = false; ; isLast = !isWriting) {
      const response = await fetch(`${two}${path}`, { headers: bearer(auditor) });
      expect(response.status).toBe(200);
      const rows = (await response.json()) as ShownRow[];
      seen.push(...rows.map(({ id }) => id));
      const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
      path = new URL(next).href.slice(cluster.publicUrl.length);
      // The last page was requested after all writes.
      if (isLast && rows.length === 0) return;
    }
  };
  const changeLists = async (url = '', writer: Writer) => {
    let acknowledged = 0;
    while (acknowledged < 12) if (await writer.write(url, cluster.token)) acknowledged++;
  };
  const signInAndOut = async (index: number) => {
    const response = await fetch(`${cluster.replicas[index]?.url}${await cluster.callback()}`);
    // A replica that does not get SQLite's only write lock in time answers 503.
    if (response.status !== 200) return;
    const { accessToken } = (await response.json()) as { accessToken: string };
    await fetch(`${one}/auth/logout`, { method: 'POST', headers: bearer(accessToken) });
  };
  const signInsAndOuts = async (index: number) => {
    for (let time = 0; time < 3; time++) await signInAndOut(index);
  };
  const polling = poll();
  await Promise.all([
    changeLists(one, new Writer('employee-level', 'LEAD')),
    changeLists(two, new Writer('position', 'ACCOUNTANT')),
    changeLists(three, new Writer('position', 'ACCOUNTANT')),
    ...cluster.replicas.map((_, index) => signInsAndOuts(index)),
  ]);
  isWriting = false;
  await polling;
  const stored = await storedIds(database);
  await cluster.stop();
  expect(stored.length).toBeGreaterThan(40);
  expect(stored).toEqual(stored.map((_, index) => String(index + 1)));
  expect(seen).toEqual(stored);
});

describe('in the database itself', () => {
  let database: TestDatabase;
  let storage: Storage;
  beforeAll(async () => {
    database = await makeDatabase(folder);
    storage = await openStorage(readConfig({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '80' }).database);
    provideAuditKey(storage.db, async () => Buffer.alloc(32));
  });
  afterAll(() => storage.close());
  const logout = { type: 'logout' } as const;
  const waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

  test('40 operations at once that need the same people, sessions, lists and keys all succeed', async () => {
    const { db } = storage;
    const secretKey = 'a secret for this test, long enough';
    const keys = { db, secretKey, table: 'signing_key', alg: 'ES256', actor: 'somebody', now: () => at(0) } as const;
    await ensureActiveKey(keys);
    const lists = createListChanges(storage);
    const author = { by: 'somebody', reason: undefined, at: at(0), mayKeepAll: true };
    for (let round = 0; round < 2; round++) {
      const people = Array.from({ length: 10 }, (_, index) => `${round}-${index}`);
      for (const who of people) await openSession(db, newSession(`a-${who}`, who, `A-${who}`), at(0));
      // Each person changes to an employee ID that a newcomer also claims, while another operation ends the person's sessions.
      const operations = people.flatMap((who) => [
        () => openSession(db, newSession(`b-${who}`, who, `B-${who}`), at(1)),
        () => openSession(db, newSession(`c-${who}`, `newcomer-${who}`, `B-${who}`), at(1)),
        () => endSessions(db, { issuer: 'https://idp.example', subject: who }, logout, at(2)),
        () => lists.create(`list-${who}`, { title: 'A list' }, author),
      ]);
      await Promise.all([...operations.map((act) => act()), rotateKeys(keys, true)]);
    }
    expect(await storedIds(database)).toEqual((await storedIds(database)).map((_, index) => String(index + 1)));
  });

  test('a sign-in under a new employee ID that waits for a lock blocks no other audit row', async () => {
    const { db } = storage;
    await openSession(db, newSession('before', 'mover', 'M-1'), at(0));
    const { moving } = await db.transaction().execute(async (tx) => {
      const rest = sql.raw(
        'name, given_name, family_name, email, email_verified, phone_number, created_at, last_login_at',
      );
      await sql`insert into person (id, issuer, subject, employee_id, ${rest})
        select 'other', issuer, 'other', 'M-2', ${rest} from person where subject = 'mover'`.execute(tx);
      const moving = openSession(db, newSession('after', 'mover', 'M-2'), at(1));
      // The sign-in has ended the session under the old ID, and waits for the row of the person with the new ID.
      if (engine === 'postgres') await until(async () => (await database.query(waiting)).length > 0);
      writeAudit(tx, { type: 'sign-in', actor: 'M-2' }, at(1));
      return { moving };
    });
    expect(await moving).toBe(false);
  });

  test('a transaction that fails takes no number', async () => {
    const before = await storedIds(database);
    const failing = storage.db.transaction().execute(async (tx) => {
      writeAudit(tx, { type: 'logout', actor: 'somebody' }, at(0));
      await sql`insert into audit (seq, at, type, salt, digest) values (1, 'now', 'forged', '', '')`.execute(tx);
    });
    await expect(failing).rejects.toThrow();
    expect(await storedIds(database)).toEqual(before);
  });

  test('rows before or after a number, and since or until a time, are found in order', async () => {
    const { db } = storage;
    const count = (await storedIds(database)).length;
    const write = (seconds: number) =>
      db
        .transaction()
        .execute(async (tx) => writeAudit(tx, { type: 'audit-read', actor: 'E-7', person: 'E-7' }, at(seconds)));
    // The third row comes from a replica whose clock is slow.
    for (const seconds of [10_000, 10_002, 10_001, 10_003]) await write(seconds);
    const idsOf = (rows: ShownRow[]) => rows.map(({ id }) => Number(id) - count);
    expect(idsOf(await readAudit(db, { limit: 2 }))).toEqual([3, 4]);
    expect(idsOf(await readAudit(db, { limit: 2, before: count + 3 }))).toEqual([1, 2]);
    expect(idsOf(await readAudit(db, { limit: 2, after: count }))).toEqual([1, 2]);
    expect(idsOf(await readAudit(db, { limit: 9, after: count + 4 }))).toEqual([]);
    expect(idsOf(await readAudit(db, { limit: 9, since: at(10_002) }))).toEqual([2, 4]);
    expect(idsOf(await readAudit(db, { limit: 9, since: at(10_001), after: count + 2 }))).toEqual([3, 4]);
    expect(idsOf(await readAudit(db, { limit: 9, person: 'E-7', type: 'audit-read', since: at(0) }))).toEqual([
      1, 2, 3, 4,
    ]);
    expect(await readAudit(db, { limit: 9, person: 'E-7', type: 'logout' })).toEqual([]);
    const ofPerson = { limit: 9, person: 'E-7' };
    expect(idsOf(await readAudit(db, { ...ofPerson, until: at(10_001.5) }))).toEqual([1, 3]);
    expect(idsOf(await readAudit(db, { ...ofPerson, since: at(10_001), until: at(10_003) }))).toEqual([2, 3]);
    // This row is so much later than `until` that the search leaves out its number and all higher ones.
    await write(20_000);
    expect(idsOf(await readAudit(db, { ...ofPerson, until: at(10_003) }))).toEqual([1, 2, 3]);
    expect(idsOf(await readAudit(db, { ...ofPerson, until: at(10_003), limit: 1 }))).toEqual([3]);
    expect(idsOf(await readAudit(db, { ...ofPerson, until: at(20_001) }))).toEqual([1, 2, 3, 4, 5]);
  });
});
