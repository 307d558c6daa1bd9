// The database's owner tricks the service into proving forged rows, or into removing rows. Verification reports both.
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
import { runHere } from '../support/command.ts';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';

const logged: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

let folder: string;
let database: TestDatabase;
let storage: Storage;
let key: AuditKey;
/** The time of the rows that the service writes at startup. */
let startedAt: Date;
beforeEach(async () => {
  startedAt = daysAgo(100);
  folder = makeFolder();
  database = await makeDatabase(folder);
  storage = await openStorage(readConfig(env()).database);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url, SECRET_KEY: 'for the digests of these rows, long enough' });
const verify = (...words: string[]) => runHere(['audit', 'verify', ...words], env());
const seal = () => sealAudit({ db: storage.db, key, now: () => startedAt, log });
const oldest = async () => Number((await database.query<{ seq: number }>('select min(seq) as seq from audit'))[0]?.seq);
const named = (fault: string) => ({ exitCode: 65, stderr: expect.stringContaining(fault) });

/** Does what the service does at startup. If there are no rows yet, this writes the first one, about the key. */
async function start(): Promise<void> {
  const made = await ensureAuditKey(storage.db, env().SECRET_KEY, startedAt);
  if (made === 'sealed') throw new Error('the key is not ours');
  key = made;
}

async function write(count: number, at = new Date()): Promise<void> {
  await storage.db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) writeAudit(tx, { type: 'sign-in', person: 'E-7', actor: 'E-7' }, at);
  });
}

const removeOld = () =>
  createRetention({ storage, database: readConfig(env()).database, key, days: 30, now: () => new Date(), log }).run();

async function asOwner(...statements: string[]): Promise<void> {
  for (const table of ['audit', 'audit_seal']) {
    if (engine === 'postgres') await database.query(`alter table ${table} disable trigger user`);
    else for (const change of ['update', 'delete']) await database.query(`drop trigger ${table}_no_${change}`);
  }
  for (const statement of statements) await database.query(statement);
  // This trigger does not stop the service's own functions, because they add a row to audit_pass first.
  if (engine === 'postgres') await database.query('alter table audit enable trigger user');
}

/** On PostgreSQL, an owner can first drop the constraints that require the proof. */
const withoutProof =
  engine === 'postgres'
    ? 'alter table audit alter digest drop not null, alter salt drop not null; update audit set salt = null, digest = null, covered = null'
    : "update audit set salt = '', digest = '', covered = null";

const added =
  "insert into audit (seq, at, type, person, salt, digest) values (20, '2026-01-01T00:00:00.000Z', 'sign-in', 'E-9', '', '')";

test('if the owner removes every seal and digest and changes a row, that is reported even after the service has sealed again', async () => {
  await start();
  await write(5);
  await seal();
  expect((await verify()).exitCode).toBe(0);
  await asOwner('delete from audit_seal', withoutProof, "update audit set person = 'E-9' where seq = 3");
  await seal();
  await write(1);
  expect(await verify()).toMatchObject(named('row 1 was added, changed or moved'));
});

test('if the owner removes the key as well and startup makes a new one, every earlier row is reported until the new key is acknowledged', async () => {
  await start();
  await write(5);
  await seal();
  await asOwner('delete from audit_key', 'delete from audit_seal', withoutProof, "update audit set person = 'E-9'");
  await start();
  await seal();
  await write(1);
  expect(await database.query("select detail from audit where type = 'key-made' order by seq")).toEqual([
    { detail: 'audit key, after row 0 and seal 0' },
    { detail: 'audit key, after row 7 and seal 0' },
  ]);
  expect(await verify()).toMatchObject(named('row 1 was added, changed or moved'));
  expect(await verify('--before-reset', '6')).toMatchObject(named('row 7 was added, changed or moved'));
  // This option is for operators who have lost the key. The forgery is reported all the same.
  expect(await verify('--before-reset', '7')).toMatchObject(named('seal 1 is not the one that row 7 names'));
});

test('if the owner removes only the key, the earlier digests no longer match', async () => {
  await start();
  await write(5);
  await asOwner('delete from audit_key');
  await start();
  expect(await verify()).toMatchObject(named('row 1 was added, changed or moved: its digest does not match'));
});

test('if the owner prevents seals, rows whose seal is overdue are reported, but not rows that a killed process left unsealed', async () => {
  await start();
  await seal();
  await write(2, daysAgo(3));
  expect((await verify()).exitCode).toBe(0);
  await write(1, new Date(daysAgo(3).getTime() + 180_000));
  expect(await verify()).toMatchObject(named('row 3 from '));
  await seal();
  expect((await verify()).exitCode).toBe(0);
});

test('rows that the owner adds where retention removed others are reported', async () => {
  await start();
  await write(19, daysAgo(100));
  await seal();
  await write(1);
  await removeOld();
  expect([await oldest(), (await verify()).exitCode]).toEqual([22, 0]);
  await asOwner(added);
  expect(await verify()).toMatchObject(named('row 20 was added'));
});

test('rows that the owner adds where retention removed rows from before a reset of the keys are reported', async () => {
  await start();
  await write(19, daysAgo(100));
  await seal();
  await storage.db.transaction().execute((tx) => replaceAuditKey(tx, env().SECRET_KEY, 'ops', daysAgo(100)));
  await start();
  await seal();
  await write(1);
  await removeOld();
  expect([await oldest(), (await verify()).exitCode]).toEqual([23, 0]);
  await asOwner(added);
  expect(await verify('--before-reset', '21')).toMatchObject(named('row 20 was added'));
});

test('unsealed rows that only a lost key could prove are removed once the next key is old enough', async () => {
  await start();
  await write(19, daysAgo(100));
  await storage.db.transaction().execute((tx) => replaceAuditKey(tx, env().SECRET_KEY, 'ops', daysAgo(60)));
  await start();
  startedAt = new Date();
  await seal();
  await removeOld();
  expect([await oldest(), (await verify()).exitCode]).toEqual([22, 0]);
});

test('retention does not remove rows that the owner has made look old', async () => {
  startedAt = daysAgo(2);
  await start();
  await write(20, daysAgo(2));
  await seal();
  await write(1);
  await asOwner("update audit set at = '2020-01-01T00:00:00.000Z' where seq <= 21");
  await removeOld();
  expect(await oldest()).toBe(1);
  expect(logged.at(-1)).toContain('old audit rows are not removed, because they or their seal were tampered with');
  expect((await verify()).exitCode).toBe(65);
});
