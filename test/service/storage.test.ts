// Migrations and queries, on the engine of this run. The same tests run on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { readAudit } from '../../src/audit/audit.queries.ts';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { advanceKeys, ensureActiveKey, revokeKey, rotateKeys } from '../../src/auth/keys/rotation.ts';
import { loadSigningKeys } from '../../src/auth/keys/signing-keys.ts';
import { openSession } from '../../src/auth/login/sign-in.queries.ts';
import { claimRenewal, failRenewal } from '../../src/auth/renewal/renewal.queries.ts';
import { createAccessTokens } from '../../src/auth/sessions/access-token.ts';
import { endSessions, listSessions } from '../../src/auth/sessions/session.queries.ts';
import { loadSessions } from '../../src/auth/sessions/sessions.ts';
import { forgetCode, rememberCode } from '../../src/auth/sessions/used-code.queries.ts';
import { readConfig } from '../../src/config/config.ts';
import { bearerHeader } from '../../src/http/access.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import { planAdd, planChange, planUndo } from '../../src/lookup/changing/planning.ts';
import { readEvents, readLastSeq } from '../../src/lookup/history/event.queries.ts';
import { readHistoryPage, readPast } from '../../src/lookup/history/history.queries.ts';
import { addDefaultLists } from '../../src/lookup/lookups.ts';
import { planSettings } from '../../src/lookup/rules/list-settings.ts';
import { readLists } from '../../src/lookup/stored/list.queries.ts';
import { pagesByKey } from '../../src/storage/pages.ts';
import { type Db, openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { at, newSession as session } from '../support/new-session.ts';

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

const nobody = { requestId: undefined, address: undefined };

describe(`on ${engine}`, () => {
  test('only one of twenty simultaneous calls remembers a code, for an hour', async () => {
    const twenty = await Promise.all(Array.from({ length: 20 }, () => rememberCode(db, 'code', at(0))));
    expect(twenty.filter((isNew) => isNew)).toHaveLength(1);
    await forgetCode(db, 'code');
    expect(await rememberCode(db, 'code', at(0))).toBe(true);
    expect(await rememberCode(db, 'other', at(3601))).toBe(true);
    expect(await rememberCode(db, 'code', at(3601))).toBe(true);
  });

  test('pages by a key of two columns have each row after the given place exactly once, in order', async () => {
    const codes = ['b1', 'a1', 'c2', 'a2', 'b2'].map((hash) => ({
      code_hash: `page-${hash}`,
      used_at: `9${hash.at(-1)}`,
    }));
    await db.insertInto('used_code').values(codes).execute();
    const rows = db.selectFrom('used_code').selectAll().where('code_hash', 'like', 'page-%');
    const pages: string[][] = [];
    for await (const page of pagesByKey(rows, 2, { used_at: '91', code_hash: 'page-a1' })) {
      pages.push(page.map(({ code_hash }) => code_hash));
    }
    await db.deleteFrom('used_code').where('code_hash', 'like', 'page-%').execute();
    expect(pages).toEqual([['page-b1', 'page-a2'], ['page-b2', 'page-c2'], []]);
  });

  test('every process learns of each ended session once, and forgets it when its tokens have expired', async () => {
    let now = at(20);
    const [here, elsewhere] = [
      await loadSessions({ db, reads: db, now: () => now }),
      await loadSessions({ db, reads: db, now: () => now }),
    ];
    const sids = Array.from({ length: 30 }, (_, index) => `ended-${index}`);
    for (const sid of sids) await openSession(db, session(sid, 'leaver', 'E-7'), at(20));
    const logout = { type: 'logout', ...nobody } as const;
    await elsewhere.end({ sid: 'ended-0' }, logout);
    await here.reload();
    const first = sids.filter(here.hasEnded);
    await elsewhere.end({ employeeId: 'E-7' }, logout);
    await here.reload();
    const then = sids.filter(here.hasEnded);
    const started = await loadSessions({ db, reads: db, now: () => now });
    const atStart = sids.filter(started.hasEnded);
    now = at(100_000);
    await here.forgetExpired();
    expect([first, then.length, atStart.length, sids.filter(here.hasEnded)]).toEqual([['ended-0'], 30, 30, []]);
  });

  test('after the database was restored from a backup, processes still learn of sessions that end', async () => {
    const now = () => at(20);
    const [here, elsewhere] = [await loadSessions({ db, reads: db, now }), await loadSessions({ db, reads: db, now })];
    const sids = ['lost with the backup', 'after it'];
    for (const sid of sids) await openSession(db, session(sid, 'restored', 'E-8'), at(20));
    await elsewhere.end({ sid: 'lost with the backup' }, { type: 'logout', ...nobody });
    await here.reload();
    await sql`update revision set number = number - 2 where topic = 'sessions'`.execute(db);
    await elsewhere.end({ sid: 'after it' }, { type: 'logout', ...nobody });
    await here.reload();
    expect(sids.filter(here.hasEnded)).toEqual(sids);
  });

  test('a person who signs in under several employee IDs at once has open sessions only under the last one', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = ['A', 'B', 'C'].map((letter) => `${letter}-${round}`);
      await openSession(db, session(`first-${round}`, `mover-${round}`, `Z-${round}`), at(0));
      await Promise.all(ids.map((id) => openSession(db, session(`m-${id}`, `mover-${round}`, id), at(1))));
      const { employee_id: now } = await db
        .selectFrom('person')
        .select('employee_id')
        .where('subject', '=', `mover-${round}`)
        .executeTakeFirstOrThrow();
      const living = (await listSessions(db, at(2), { issuer: 'https://idp.example', subject: `mover-${round}` })).map(
        ({ sid }) => sid,
      );
      expect(living).toEqual([`m-${now}`]);
    }
  });

  test('one of twenty simultaneous renewals may ask the provider; the next may once the first fails or its time is up', async () => {
    await openSession(db, session('renewed', 'renewer', 'E-30'), at(0));
    const claimAt = async (seconds: number) => {
      const claims = Array.from({ length: 20 }, (_, index) => ({ sid: 'renewed', claim: `${seconds}-${index}` }));
      const made = await Promise.all(
        claims.map(async (claim) => ((await claimRenewal(db, claim, at(seconds))) === undefined ? [] : [claim])),
      );
      return made.flat();
    };
    const [first, ...others] = await claimAt(10);
    expect([first?.sid, others]).toEqual(['renewed', []]);
    expect(await claimAt(26)).toEqual([]);
    expect(await claimAt(27)).toHaveLength(1);
    const [late] = await claimAt(44);
    await failRenewal(db, late ?? { sid: '', claim: '' }, { code: 'idp-timeout' }, at(45));
    expect(await claimAt(45)).toHaveLength(1);
    await endSessions(db, { sid: 'renewed' }, { type: 'logout' }, at(46));
    expect(await claimAt(100)).toEqual([]);
  });

  const keyOptions = () => ({
    db,
    secretKey: 'a secret for this test, long enough',
    table: 'signing_key' as const,
    alg: 'ES256' as const,
    actor: 'somebody',
    now: () => at(0),
  });

  test('keys take each step once, even if several processes are due at the same time', async () => {
    const options = keyOptions();
    await Promise.all([ensureActiveKey(options), ensureActiveKey(options), ensureActiveKey(options)]);
    const keys = await loadSigningKeys(db, options.secretKey);
    expect(keys.published().keys).toHaveLength(1);
    expect(await rotateKeys(options, false)).toBe(true);
    expect(await rotateKeys(options, false)).toBe(false);
    // Like five processes, because on PostgreSQL each call has its own connection.
    const due = { ...options, rotationDays: 90, now: () => at(600) };
    await Promise.all(Array.from({ length: 5 }, () => advanceKeys(due)));
    const steps = await readAudit(db, { type: 'key-activated', limit: 100 });
    expect(steps).toHaveLength(2);
    const first = keys.active().kid;
    await keys.reload();
    expect(keys.active().kid).not.toBe(first);
    expect(await revokeKey(options, first)).toBe('signing_key');
    await keys.reload();
    expect(keys.published().keys).toHaveLength(1);
  });

  test('while keys are reloaded there is always one that signs, and it verifies', async () => {
    const options = keyOptions();
    await ensureActiveKey(options);
    const keys = await loadSigningKeys(db, options.secretKey);
    expect(await revokeKey(options, keys.active().kid)).toBe('signing_key');
    let isReading = true;
    const reading = keys.reload().finally(() => {
      isReading = false;
    });
    while (isReading) {
      // Checks the keys between the asynchronous steps of the reload.
      for (let step = 0; step < 100; step++) {
        expect(keys.find(keys.active().kid)).toBeDefined();
        await Promise.resolve();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading;
    expect(keys.find(keys.active().kid)).toBeDefined();
  });

  test('a removed key invalidates its tokens, however they were verified', async () => {
    const options = keyOptions();
    await ensureActiveKey(options);
    const keys = await loadSigningKeys(db, options.secretKey);
    const { kid } = keys.active();
    let isGone = false;
    const tokens = createAccessTokens({
      issuer: 'https://desk.example',
      audience: 'https://desk.example',
      clientId: 'desk',
      keys: { ...keys, find: (wanted) => (isGone ? undefined : keys.find(wanted)) },
      clock: () => at(0).getTime(),
    });
    const token = await tokens.issue(
      { employeeId: 'E-1', sid: 's-1', roles: [], authentication: { amr: [] } },
      { from: at(0), until: at(600) },
    );
    const findVerified = () => tokens.findVerified(bearerHeader(token), at(1).getTime())?.employeeId;

    await tokens.verify(token);
    expect(findVerified()).toBe('E-1');
    // A token is verified with the previous keys while two reloads are in progress. It must be verified again afterwards.
    const reloads = [keys.reload(), keys.reload()];
    await Promise.all([...reloads, tokens.verify(token)]);
    expect(findVerified()).toBeUndefined();
    await tokens.verify(token);
    expect(findVerified()).toBe('E-1');

    const underWay = tokens.verify(token);
    isGone = true;
    await expect(underWay).rejects.toMatchObject({ code: 'invalid-token' });
    isGone = false;

    expect(await revokeKey(options, kid)).toBe('signing_key');
    await keys.reload();
    expect(findVerified()).toBeUndefined();
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'invalid-token' });
  });

  test('the default lists are added only once; changes, conflicts, undos and the history are stored', async () => {
    const listChanges = createListChanges(storage);
    const author = { by: 'E-1', reason: 'why', at: at(0), mayKeepAll: true };
    await addDefaultLists(listChanges, db, at(0));
    await addDefaultLists(listChanges, db, at(1));
    expect((await readLists(db)).map(({ list, items }) => [list, items.length])).toEqual([
      ['employee-level', 8],
      ['employment-type', 8],
      ['overtime-eligibility', 4],
      ['position', 24],
    ]);
    await listChanges.create('grade', { title: 'Grade' }, author);
    await listChanges.change('grade', 1, author, (list) =>
      planAdd(list, { value: 'A', label: 'Ä', labels: { de: 'Ä' } }),
    );
    await listChanges.change('grade', 2, author, (list) =>
      planChange(list, 'A', { label: 'B', validFrom: '2027-01-01' }),
    );
    const stale = listChanges.change('grade', 2, author, (list) => planChange(list, 'A', { label: 'C' }));
    expect(await stale.catch((error: { code: string }) => error.code)).toBe('version-conflict');
    const undone = await listChanges.change('grade', 3, author, async (list, tx) =>
      planUndo(list, await readPast(tx, 'grade', 2), at(9)),
    );
    expect(undone).toMatchObject({ version: 4, items: [{ value: 'A', label: 'Ä', validFrom: null }] });
    const [stored] = await readLists(db, ['grade']);
    expect(stored).toEqual(undone);
    expect((await readHistoryPage(db, 'grade', { limit: 2 })).map(({ version }) => version)).toEqual([4, 3]);
    const last = await readLastSeq(db);
    expect(await readEvents(db, last - 2)).toEqual([{ list: 'grade', seq: last, version: 4 }]);
  });

  test('lists can be read while another list changes again and again', async () => {
    const listChanges = createListChanges(storage);
    const author = { by: 'E-1', reason: undefined, at: at(0), mayKeepAll: true };
    for (const list of ['steady', 'busy']) await listChanges.create(list, { title: 'One' }, author);
    await listChanges.change('steady', 1, author, (list) => planAdd(list, { value: 'A', label: 'a' }));
    let version = 1;
    const reading = storage.reads.withPlugin({
      transformQuery: ({ node }) => node,
      // The other list changes whenever the item of this list has been read.
      async transformResult({ result }) {
        if (result.rows.some(({ list }) => list === 'steady')) {
          await listChanges.change('busy', version, author, (list) => planSettings(list, { title: `${++version}` }));
        }
        return result;
      },
    });
    const lists = await readLists(reading, ['steady', 'busy']);
    expect(lists.map((each) => [each.list, each.version, each.title])).toEqual([
      ['busy', 2, '2'],
      ['steady', 2, 'One'],
    ]);
  });

  test('a row of the history without valid changes is an error', async () => {
    const row = { list: 'grade', at: at(0).toISOString(), by: 'E-1', reason: null, restored_version: null };
    const seq = (await readLastSeq(db)) + 1;
    const write = async (version: number, after: object) => {
      await db
        .insertInto('lookup_history')
        .values({ ...row, seq: seq + version, version, change_count: 1, change_hash: '' })
        .execute();
      await db
        .insertInto('lookup_change')
        .values({ list: 'grade', version, nth: 1, value: 'A', moved: 0, after: JSON.stringify(after) })
        .execute();
    };
    // A label that today's rules refuse, written under earlier rules.
    await write(101, { id: 1, label: ' old ', sortOrder: 1 });
    expect(await readHistoryPage(db, 'grade', { after: 100 })).toMatchObject([
      { changes: [{ before: { label: 'Ä' }, after: { label: ' old ', status: 'active', tags: [] } }] },
    ]);
    await write(102, { title: 'A' });
    await expect(readHistoryPage(db, 'grade', { after: 101 })).rejects.toThrow();
  });

  test.each([
    'delete from lookup_item',
    "update lookup_item set value = 'X' where value = 'ACCOUNTANT'",
    'delete from lookup_change',
    'update lookup_change set moved = 1',
    'insert into lookup_item (id, list, value, label, sort_order) select 9999, list, value, label, sort_order from lookup_item limit 1',
  ])('the database refuses: %s', async (statement) => {
    const error = await sql
      .raw(statement)
      .execute(db)
      .then(
        () => undefined,
        (caught: unknown) => caught,
      );
    expect(error).toBeInstanceOf(Error);
  });
});
