// AUDIT_RETENTION_DAYS: old audit rows are removed in whole seals, and an audit row says which were removed.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import type { ShownRow } from '../../src/audit/audit.queries.ts';
import { type AuditEntry, writeAudit } from '../../src/audit/audit.ts';
import { openAuditKey } from '../../src/audit/audit-key.ts';
import { ensureAuditKey, replaceAuditKey } from '../../src/audit/key-making.ts';
import type { AuditKey } from '../../src/audit/proof/digest.ts';
import { rowsOfSeal, sealAudit } from '../../src/audit/proof/sealing.ts';
import { createRetention } from '../../src/audit/retention.ts';
import { readConfig } from '../../src/config/config.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import { planAdd } from '../../src/lookup/changing/planning.ts';
import { addDefaultLists } from '../../src/lookup/lookups.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { runHere } from '../support/command.ts';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { everyValueIn } from '../support/every-value.ts';
import { bearer, type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { root, runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const env = { SECRET_KEY: 'shared by all replicas, long enough', AUDIT_RETENTION_DAYS: '30' };
const log = pino({ level: 'silent' });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

let folder: string;
let database: TestDatabase;
let storage: Storage;
let key: AuditKey;

/** Opens a new database, and makes its audit key. */
async function open(): Promise<void> {
  folder = makeFolder();
  database = await makeDatabase(folder);
  storage = await openStorage(readConfig({ DATABASE_URL: database.url }).database);
  const ensured = await ensureAuditKey(storage.db, env.SECRET_KEY, daysAgo(100));
  if (ensured === 'sealed') throw new Error('the key is not ours');
  key = ensured;
}

async function close(): Promise<void> {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
}

async function write(count: number, at: Date, entry: Partial<AuditEntry> = {}): Promise<void> {
  await storage.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) writeAudit(tx, { type: 'sign-in', actor: 'E-7', person: 'E-7', ...entry }, at);
  });
}

/** Seals all rows. The first time, this also adds a row that names the first seal, and seals it separately. */
const seal = () => sealAudit({ db: storage.db, key, now: () => daysAgo(100), log });
const numbers = async (statement: string) =>
  (await database.query<Record<string, unknown>>(statement)).map((row) => Number(Object.values(row)[0]));
const oldest = async () => (await numbers('select min(seq) from audit'))[0];
const settings = () => ({ DATABASE_URL: database.url, SECRET_KEY: env.SECRET_KEY });
const run = (...words: string[]) => runHere(words, settings());
const verify = () => run('audit', 'verify');

/**
 * Writes rows of different ages. Returns the number of the last old row. The rows up to it are in seals 1 to 3, and include the
 * key's row and the row that names the first seal. The next seal contains one younger row, so it stays.
 */
async function fill(): Promise<number> {
  const listChanges = createListChanges(storage);
  await addDefaultLists(listChanges, storage.db, daysAgo(100));
  const author = { by: 'E-7', reason: undefined, at: daysAgo(100), mayKeepAll: true };
  await listChanges.change('position', 1, author, (list) => planAdd(list, { value: 'SECOND', label: 'Second' }));
  await write(700, daysAgo(100), { person: 'E-long-gone' });
  await seal();
  await write(600, daysAgo(90), { actor: 'E-long-gone' });
  await seal();
  const [rows = 0] = await numbers('select max(seq) from audit');
  await write(50, daysAgo(40));
  await write(1, daysAgo(20));
  await write(5, daysAgo(40));
  await seal();
  await write(7, daysAgo(40));
  return rows;
}

describe('with two replicas', () => {
  let replicas: [Frontdesk, Frontdesk];
  let removed: number;
  let history: unknown;
  let next: string;
  const readPage = async (path: string, token: string) => {
    const response = await replicas[0].get(path, bearer(token));
    expect(response.status).toBe(200);
    next = /<[^>]*(\/admin\/audit[^>]*)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    return (await response.json()) as ShownRow[];
  };
  beforeAll(async () => {
    await open();
    removed = await fill();
    history = await database.query('select * from lookup_history order by seq');
    replicas = [await startFrontdesk(env, folder, database), await startFrontdesk(env, folder, database)];
  });
  afterAll(async () => {
    for (const each of replicas) await each.stop();
    await close();
  });

  test('if both remove rows at once, each row is removed once, and one audit row says which', async () => {
    expect((await verify()).exitCode).toBe(0);
    const auditor = await replicas[0].signIn('E-1006');
    expect(await readPage('/admin/audit?after=0&limit=3', auditor)).toHaveLength(3);
    await Promise.all([...replicas, ...replicas].map((each) => each.runHousekeeping()));
    await until(async () => (await oldest()) === removed + 1);
    await Promise.all(replicas.map((each) => each.runHousekeeping()));
    const said = await database.query("select actor, person, detail from audit where type = 'audit-removed'");
    expect(said).toEqual([{ actor: 'Frontdesk', person: null, detail: `until row ${removed}, seal 3` }]);
    // A poller whose next row was removed continues with the oldest existing row, and a new poller begins with it.
    for (const path of [next, '/admin/audit?after=0&limit=3']) {
      expect((await readPage(path, auditor)).map(({ id }) => id)).toEqual([1, 2, 3].map((n) => String(removed + n)));
    }
  });

  test('only the seals of the removed rows are left; the history of the lists is as it was', async () => {
    expect(await everyValueIn(database)).not.toContain('E-long-gone');
    expect(await numbers('select number from audit_seal order by number')).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(await database.query('select * from lookup_history order by seq')).toEqual(history as never);
  });

  test('the audit verifies, and the command says what was removed', async () => {
    const { exitCode, stdout } = await runToEnd(['audit', 'verify'], settings(), folder);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`Rows 1 to ${removed} were removed by retention, so`),
    ]);
  });

  describe('the owner of the database', () => {
    const kept = ['audit', 'audit_seal', 'lookup_history'];
    beforeAll(async () => {
      for (const table of kept) {
        if (engine === 'postgres') await database.query(`alter table ${table} disable trigger user`);
        else for (const change of ['update', 'delete']) await database.query(`drop trigger ${table}_no_${change}`);
        await database.query(`create table kept_${table} as select * from ${table}`);
      }
    });
    const forged = (until: number) =>
      `insert into audit (seq, at, type, actor, detail, salt, digest) select last + 1, '2027', 'audit-removed',
        'Frontdesk', 'until row ${until}, seal 3', 'salt', '${'f'.repeat(64)}' from audit_counter`;
    const isRemoval = "type = 'audit-removed'";
    const cases: [name: string, statements: (removed: number) => string[], named: (removed: number) => string][] = [
      [
        'removes one more row',
        (last) => [`delete from audit where seq = ${last + 1}`],
        (last) => `row ${last + 1} is missing`,
      ],
      [
        'removes the seals with the rows',
        () => ['delete from audit_seal where number < 3'],
        () => 'seal 3 does not follow',
      ],
      [
        "deletes the entry in a list's history whose audit row was removed",
        () => ["delete from lookup_history where list = 'position' and version = 1"],
        () => 'list position: its history has 1 of 2 versions',
      ],
      [
        'changes the last seal that was removed',
        () => [`update audit_seal set hash = '${'f'.repeat(64)}' where number = 3`],
        () => 'seal 4 does not match its rows',
      ],
      [
        'removes more, and forges a row that says so',
        (last) => [`delete from audit where seq <= ${last + 56}`, forged(last + 56)],
        (last) => `row ${last + 1} is missing`,
      ],
      [
        'removes more, and changes the row to say so',
        (last) => [
          `delete from audit where seq <= ${last + 56}`,
          `update audit set detail = 'until row ${last + 56}, seal 3' where ${isRemoval}`,
        ],
        () => 'row 1 is missing',
      ],
      ['removes the row that says so', () => [`delete from audit where ${isRemoval}`], () => 'row 1 is missing'],
      [
        'adds a row that says so, and removes nothing',
        (last) => [forged(last + 56)],
        () => 'was added, changed or moved',
      ],
    ];
    test.each(cases)('%s: this is reported', async (_, statements, named) => {
      for (const statement of statements(removed)) await database.query(statement);
      const { exitCode, stderr } = await verify();
      for (const table of kept) {
        await database.query(`delete from ${table}`);
        await database.query(`insert into ${table} select * from kept_${table}`);
      }
      await database.query('update audit_counter set last = (select max(seq) from audit)');
      expect([exitCode, stderr]).toEqual([65, expect.stringContaining(named(removed))]);
      expect((await verify()).exitCode).toBe(0);
    });
  });
});

/** Enough rows for three seals. The seals are removed one after the other. */
const many = 2 * rowsOfSeal + 1;

describe('in one process', () => {
  let now: Date;
  beforeEach(open);
  afterEach(close);
  const removeOld = (days = 30) => {
    const { database: opened } = readConfig(settings());
    return createRetention({ storage, database: opened, key, days, now: () => now, log }).run();
  };
  const said = () => database.query<{ detail: string }>("select detail from audit where type = 'audit-removed'");

  test('nothing is removed if the number of days is 0 or if no row is old enough, and rows without a seal are never removed', async () => {
    now = daysAgo(0);
    await write(10, daysAgo(100));
    await removeOld();
    await seal();
    await removeOld(0);
    await removeOld(101);
    expect([await oldest(), await said()]).toEqual([1, []]);
  });

  test('the row that says what was removed is itself removed later, and the next such row covers both', async () => {
    await write(10, daysAgo(100));
    await seal();
    now = daysAgo(60);
    await removeOld();
    expect([await oldest(), await said()]).toEqual([13, [{ detail: 'until row 12, seal 2' }]]);
    await seal();
    await write(10, daysAgo(55));
    await seal();
    now = daysAgo(0);
    await removeOld();
    expect([await oldest(), await said()]).toEqual([25, [{ detail: 'until row 24, seal 5' }]]);
    expect(await verify()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Rows 1 to 24 were removed') });
  });

  test('old rows are removed at most once a day', async () => {
    await write(10, daysAgo(100));
    await seal();
    // These rows become old enough some hours after the earlier rows were removed.
    await write(10, daysAgo(89.5));
    await seal();
    now = daysAgo(60);
    await removeOld();
    now = daysAgo(59.1);
    await removeOld();
    expect(await oldest()).toBe(13);
    now = daysAgo(58.9);
    await removeOld();
    expect(await oldest()).toBe(23);
  });

  test('a removal that is killed half-way leaves an audit that verifies, and the next process finishes it', async () => {
    await write(many, daysAgo(100));
    await seal();
    now = daysAgo(0);
    await write(1, now);
    const program = `
      import { ensureAuditKey } from '${root}/src/audit/key-making.ts';
      import { createRetention } from '${root}/src/audit/retention.ts';
      import { readConfig } from '${root}/src/config/config.ts';
      import { openStorage } from '${root}/src/storage/storage.ts';
      const { database } = readConfig(process.env);
      const storage = await openStorage(database);
      const key = await ensureAuditKey(storage.db, process.env.SECRET_KEY, new Date());
      const log = { info() {}, warn() {} };
      await createRetention({ storage, database, key, days: 30, now: () => new Date(), log }).run();`;
    const child = Bun.spawn([process.execPath, '--no-env-file', '-e', program], {
      env: { ...process.env, ...settings() },
    });
    await until(async () => ((await oldest()) ?? 0) > 1);
    child.kill('SIGKILL');
    await child.exited;
    const left = await oldest();
    expect(left).toBeLessThan(many + 1);
    expect(await verify()).toMatchObject({ exitCode: 0 });
    const { database: opened } = readConfig(settings());
    const retention = createRetention({ storage, database: opened, key, days: 30, now: () => now, log });
    // The first run removes nothing, because another replica might be removing rows. The second run finds that no row was
    // removed since the first one, and finishes the removal.
    await retention.run();
    expect(await oldest()).toBe(left);
    await retention.run();
    expect([await oldest(), await said()]).toEqual([many + 3, [{ detail: `until row ${many + 2}, seal 3` }]]);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });

  test('a removal that is stopped ends part of the way, and leaves an audit that verifies', async () => {
    await write(many, daysAgo(100));
    await seal();
    now = daysAgo(0);
    const { database: opened } = readConfig(settings());
    const retention = createRetention({ storage, database: opened, key, days: 30, now: () => now, log });
    const run = retention.run();
    await until(async () => ((await oldest()) ?? 0) > 1);
    await retention.stop();
    await run;
    expect(await oldest()).toBeLessThan(many + 1);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });

  test('after the older rows of a forgotten person are removed, the others still verify', async () => {
    for (const days of [100, 90, 20]) {
      await write(10, daysAgo(days));
      await seal();
    }
    const forgotten = await run('people', 'forget', 'E-7');
    expect(forgotten.exitCode).toBe(0);
    now = daysAgo(65);
    await removeOld();
    expect([await oldest(), (await verify()).exitCode]).toEqual([13, 0]);
    await seal();
    now = daysAgo(0);
    await removeOld();
    expect([await oldest(), (await verify()).exitCode]).toEqual([23, 0]);
    // Matched as a whole word, because random salts may contain these characters.
    expect(await everyValueIn(database)).not.toMatch(/\bE-7\b/);
  });

  test('rows from before a reset of the keys are removed once the new key is old enough, too', async () => {
    await write(10, daysAgo(100));
    await seal();
    await write(2, daysAgo(100));
    await storage.db.transaction().execute((tx) => replaceAuditKey(tx, env.SECRET_KEY, 'ops', daysAgo(60)));
    const replaced = await openAuditKey(storage.db, env.SECRET_KEY);
    if (typeof replaced === 'string') throw new Error(replaced);
    key = replaced;
    await seal();
    now = daysAgo(40);
    await removeOld();
    expect(await oldest()).toBe(1);
    now = daysAgo(0);
    await removeOld();
    expect([await oldest(), (await verify()).exitCode]).toEqual([16, 0]);
  });

  test('at startup, rows that a killed process left are sealed separately from later rows; at a stop, no row is left unsealed', async () => {
    await write(5, daysAgo(100));
    const desk = await startFrontdesk(env, makeFolder(), database);
    expect(await numbers('select last from audit_seal order by number limit 1')).toEqual([6]);
    await desk.signIn();
    await desk.stop();
    expect(await numbers('select max(last) from audit_seal')).toEqual(await numbers('select last from audit_counter'));
    expect(await verify()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('The last 0 rows are not sealed yet.'),
    });
  });

  test('rows that an owner removes without an announcement are reported', async () => {
    await write(10, daysAgo(100));
    await seal();
    await write(1, daysAgo(0));
    if (engine === 'postgres') await database.query('alter table audit disable trigger user');
    else await database.query('drop trigger audit_no_delete');
    await database.query('delete from audit where seq <= 10');
    expect(await verify()).toMatchObject({ exitCode: 65, stderr: expect.stringContaining('row 1 is missing') });
  });
});

/** Only on PostgreSQL. SQLite has no functions: there, the service deletes the rows itself. */
const describeFunction = () => {
  beforeAll(async () => {
    await open();
    await write(10, daysAgo(100));
    await seal();
    await write(10, daysAgo(0.9));
    await seal();
    await write(1, daysAgo(100));
  });
  afterAll(close);

  test.each([
    ['do not begin with the oldest', 'audit_remove(2, 11, 1)'],
    ['are not of that seal', 'audit_remove(1, 12, 1)'],
    ['are not the whole seal', 'audit_remove(1, 10, 1)'],
    ['are of no seal', 'audit_remove(1, 23, 3)'],
    ['name a seal that is not there', 'audit_remove(1, 11, 4)'],
    ['are less than a day old', 'audit_remove(1, 22, 3)'],
    ['are none', 'audit_remove(null, 11, 1)'],
  ])('refuses rows that %s', async (_, call) => {
    await expect(database.query(`select ${call}`)).rejects.toThrow('not a removal');
    expect(await oldest()).toBe(1);
  });

  test('is for accounts that may write to the audit, and allows nothing else in the rest of the transaction', async () => {
    expect(
      await database.query(
        "select has_function_privilege('pg_monitor', 'audit_remove(bigint, bigint, bigint)', 'execute') as may",
      ),
    ).toEqual([{ may: false }]);
    await expect(database.query('select audit_remove(1, 11, 1); delete from audit')).rejects.toThrow('append-only');
    await database.query('select audit_remove(1, 11, 1)');
    expect(await oldest()).toBe(12);
  });
};
if (engine === 'postgres') describe('the function that removes rows', describeFunction);
