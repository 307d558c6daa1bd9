// Forgetting people in an audit with rows whose proofs were made with a lost key, and with rows that retention removes.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { writeAudit } from '../../src/audit/audit.ts';
import { ensureAuditKey, replaceAuditKey } from '../../src/audit/key-making.ts';
import type { AuditKey } from '../../src/audit/proof/digest.ts';
import { sealAudit } from '../../src/audit/proof/sealing.ts';
import { createRetention } from '../../src/audit/retention.ts';
import { readConfig } from '../../src/config/config.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { everyValueIn } from '../support/every-value.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { runToEnd } from '../support/process.ts';

const log = pino({ level: 'silent' });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

let folder: string;
let database: TestDatabase;
let storage: Storage;
let key: AuditKey;
beforeEach(async () => {
  folder = makeFolder();
  database = await makeDatabase(folder);
  storage = await openStorage(readConfig({ DATABASE_URL: database.url }).database);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url, SECRET_KEY: 'for the digests of these rows, long enough' });
const run = (...args: string[]) => runToEnd(args, env(), folder);
const seal = () => sealAudit({ db: storage.db, key, now: () => daysAgo(100), log });

/** Makes the audit's key, as the service does at startup. */
async function makeKey(): Promise<void> {
  const made = await ensureAuditKey(storage.db, env().SECRET_KEY, daysAgo(100));
  if (made === 'sealed') throw new Error('the key is not ours');
  key = made;
}

async function write(person: string, count: number, at = new Date()): Promise<void> {
  await storage.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) writeAudit(tx, { type: 'logout', person, actor: person }, at);
  });
}

test('rows from before a reset of the keys are forgotten, and those after it still need a valid digest', async () => {
  await makeKey();
  await write('E-old', 3);
  await write('E-other', 1);
  await storage.db.transaction().execute((tx) => replaceAuditKey(tx, env().SECRET_KEY, 'ops', new Date()));
  await makeKey();
  await write('E-old', 2);
  await write('E-other', 1);
  await seal();
  expect(await run('people', 'forget', 'E-old')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await everyValueIn(database)).not.toContain('E-old');
  const known = ['--before-reset', '5'];
  expect((await run('audit', 'verify')).stderr).toContain('The present key was made after row 5: see --before-reset');
  expect(await run('audit', 'verify', ...known)).toMatchObject({ exitCode: 0, stderr: '' });
  await database.query(
    `insert into audit (seq, at, type, salt, digest)
     select last + 1, '2027-01-01T00:00:00.000Z', 'sign-in', '', '' from audit_counter`,
  );
  expect((await run('audit', 'verify', ...known)).stderr).toMatch(/row \d+ was added, changed or moved/);
});

test('retention removes rows that were changed to forget a person, and the rest is still proven', async () => {
  await makeKey();
  await write('E-old', 700, daysAgo(100));
  await seal();
  await write('E-old', 5);
  await write('E-other', 1);
  expect((await run('people', 'forget', 'E-old')).exitCode).toBe(0);
  expect((await run('audit', 'verify')).exitCode).toBe(0);
  const opened = readConfig(env()).database;
  await createRetention({ storage, database: opened, key, days: 30, now: () => new Date(), log }).run();
  expect(await database.query('select min(seq) as oldest from audit')).toEqual([{ oldest: expect.anything() }]);
  const verified = await run('audit', 'verify');
  expect([verified.exitCode, verified.stdout]).toEqual([
    0,
    expect.stringContaining('Rows 1 to 702 were removed by retention, so'),
  ]);
  // A change to one of the remaining rows is still noticed.
  const dropped = engine === 'postgres' ? 'alter table audit disable trigger user' : 'drop trigger audit_no_update';
  await database.query(dropped);
  await database.query('update audit set replaced = null where seq = 703');
  expect((await run('audit', 'verify')).stderr).toContain('row 703 was added, changed or moved');
});
