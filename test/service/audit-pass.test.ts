// The database refuses every change to the audit and the lists' history, except in a transaction with a pass (audit_pass).
// No setting of the database can be used instead of the pass.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { writeAudit } from '../../src/audit/audit.ts';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { ensureAuditKey } from '../../src/audit/key-making.ts';
import { readConfig } from '../../src/config/config.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import { addDefaultLists } from '../../src/lookup/lookups.ts';
import { withPass } from '../../src/storage/audit-pass.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { runToEnd } from '../support/process.ts';

const folder = makeFolder();
const now = new Date('2026-11-16T06:00:00Z');
let database: TestDatabase;
let storage: Storage;
beforeAll(async () => {
  database = await makeDatabase(folder, { isEmpty: true });
  storage = await openStorage(readConfig({ DATABASE_URL: database.url }).database);
  provideAuditKey(storage.db, async () => Buffer.alloc(32));
  await addDefaultLists(createListChanges(storage), storage.db, now);
  await storage.db.transaction().execute(async (tx) => writeAudit(tx, { type: 'logout', actor: 'E-1' }, now));
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const changes = [
  "update audit set person = 'E-9'",
  'delete from audit',
  "update audit set person = 'E-9' where seq = 0",
  "update lookup_history set by = 'E-9'",
  'delete from lookup_history',
  'delete from audit_seal',
  engine === 'sqlite'
    ? "insert or replace into audit (seq, at, type, salt, digest) select seq, at, 'x', salt, digest from audit limit 1"
    : 'truncate audit',
];
/** SQLite's triggers fire once for each row, so a statement that matches no row is not refused. */
const refused = engine === 'postgres' ? changes : changes.filter((change) => !/seq = 0|seal/.test(change));

test.each(refused)('%s is refused', async (change) => {
  await expect(database.query(change)).rejects.toThrow('append-only');
});

const onThisEngine = engine === 'postgres' ? describePostgres : describeSqlite;
describe('a pass', onThisEngine);

function describeSqlite(): void {
  const change = (allowed: 'update audit' | 'delete audit', keeps = false) =>
    storage.db.transaction().execute(async (tx) => {
      const act = async () => void (await tx.updateTable('audit').set({ detail: 'changed' }).execute());
      await (keeps ? tx.insertInto('audit_pass').values({ allowed }).execute() : withPass(tx, [allowed], act));
    });

  test('allows the one change that it is for, in its transaction', async () => {
    await expect(change('delete audit')).rejects.toThrow('append-only');
    await change('update audit');
    expect(await database.query('select distinct detail from audit')).toEqual([{ detail: 'changed' }]);
    expect(await database.query('select * from audit_pass')).toEqual([]);
    await expect(database.query("update audit set person = 'E-9'")).rejects.toThrow('append-only');
  });

  test('cannot be left behind: a transaction that leaves one is not committed', async () => {
    await expect(change('update audit', true)).rejects.toThrow('FOREIGN KEY');
    expect(await database.query('select * from audit_pass')).toEqual([]);
  });

  test('never allows deleting the history', async () => {
    const statement = "insert into audit_pass (allowed) values ('delete lookup_history')";
    await expect(database.query(statement)).rejects.toThrow('CHECK');
  });
}

/** These tests use an account that owns nothing, created as docs/operations.md describes. */
function describePostgres(): void {
  const name = `desk_${crypto.randomUUID().replaceAll('-', '')}`;
  let own: TestDatabase;
  let url: string;
  let service: Client;
  beforeAll(async () => {
    own = await makeDatabase(folder, { isEmpty: true });
    await own.query(`create role ${name} login password 'secret'`);
    await own.query(`grant usage on schema public to ${name}`);
    await own.query(`alter default privileges in schema public grant select, insert, update on tables to ${name}`);
    await (await openStorage(readConfig({ DATABASE_URL: own.url }).database)).close();
    await own.query(`grant delete on used_code, session to ${name}`);
    await own.query(`revoke update on audit, lookup_history from ${name}`);
    await own.query(
      "insert into audit (seq, at, type, person, salt, digest) values (1, '2026-11-16', 'sign-in', 'E-1', 'a', 'c')",
    );
    await own.query('update audit_counter set last = 1');
    url = Object.assign(new URL(own.url), { username: name, password: 'secret' }).href;
    service = new Client(url);
    await service.connect();
  });
  afterAll(async () => {
    await service.end();
    await own.query(`drop owned by ${name}; drop role ${name}`);
  });

  test('the account has all that the service needs, and frontdesk check confirms that or names the missing grant', async () => {
    const findings = async () => (await runToEnd(['check'], { DATABASE_URL: url }, folder)).stdout;
    expect(await findings()).not.toContain('grant');
    await own.query(`revoke execute on function audit_forget(text, jsonb, jsonb) from ${name}`);
    expect(await findings()).toContain(
      'as the owner, grant execute on function audit_forget(text, jsonb, jsonb) to it',
    );
    await own.query(`grant execute on function audit_forget(text, jsonb, jsonb) to ${name}`);
  });

  test('without a grant, the service and its commands end with a message that points to frontdesk check', async () => {
    await own.query(`revoke select on audit_key from ${name}`);
    const env = { DATABASE_URL: url, SECRET_KEY: 'long enough for these tests, and random' };
    const ended = [await runToEnd(['serve'], env, folder), await runToEnd(['audit', 'verify'], env, folder)];
    await own.query(`grant select on audit_key to ${name}`);
    for (const { exitCode, stderr } of ended) {
      expect([exitCode, stderr]).toEqual([
        78,
        'The database account lacks permissions. Run frontdesk check to see which to grant.\n',
      ]);
    }
  });

  test.each([
    "insert into audit_pass (allowed) values ('update audit')",
    'select * from audit_pass',
    'delete from audit_pass',
    "update audit set person = 'E-9'",
    'delete from audit',
    'truncate audit',
    "update lookup_history set by = 'E-9'",
    'alter table audit disable trigger user',
    'set session_replication_role = replica',
    'create table audit_pass (allowed text)',
  ])('the account may not: %s', async (statement) => {
    await expect(service.query(statement)).rejects.toThrow(/^(permission denied|must be owner)/);
  });

  const forget = (rows: object[], history: object[] = []) =>
    service.query('select audit_forget($1, $2, $3)', [
      `forgotten-${'0'.repeat(32)}`,
      JSON.stringify(rows),
      JSON.stringify(history),
    ]);
  const row = { seq: 1, person: `forgotten-${'0'.repeat(32)}`, salt: 's', digest: 'd', replaced: '[{"digest":"c"}]' };

  test.each([
    ['gives a row to somebody else', [{ ...row, person: 'E-9' }]],
    ['names an actor where there was none', [{ ...row, actor: 'E-9' }]],
    ['writes an address', [{ ...row, address: '192.0.2.1' }]],
    ['writes a detail', [{ ...row, detail: 'something' }]],
    ['makes up several earlier digests', [{ ...row, replaced: '[{"digest":"b"},{"digest":"c"}]' }]],
    ['makes up the earlier digest', [{ ...row, replaced: '[{"digest":"b"}]' }]],
    ['keeps the digest', [{ ...row, digest: 'c' }]],
    ['names a row that does not exist', [{ ...row, seq: 2 }]],
  ])('audit_forget refuses a change that %s', async (_, rows) => {
    await expect(forget(rows)).rejects.toThrow('not a forgetting');
  });

  test('audit_forget refuses to write a name that is not a pseudonym', async () => {
    await expect(service.query("select audit_forget('E-9', '[]', '[]')")).rejects.toThrow('not a pseudonym');
  });

  test('after audit_forget, the rest of its transaction may change nothing else, and no setting allows it', async () => {
    await service.query('begin');
    await service.query(
      'set local search_path = pg_temp, public; create temp table audit_pass (xact xid8, allowed text)',
    );
    await service.query("insert into audit_pass values (pg_current_xact_id(), 'update audit')");
    await forget([row]);
    await expect(service.query("update public.audit set person = 'E-9'")).rejects.toThrow('permission denied');
    await service.query('rollback');
  });

  test('even an account with the privilege to change the tables cannot change the audit', async () => {
    await own.query(`grant update, delete, truncate on audit, lookup_history to ${name}`);
    for (const statement of [
      "update public.audit set person = 'E-9'",
      'delete from public.audit',
      'truncate public.audit',
    ]) {
      await service.query('begin');
      await service.query(
        'set local search_path = pg_temp, public; create temp table audit_pass (xact xid8, allowed text)',
      );
      await service.query(
        "insert into audit_pass values (pg_current_xact_id(), 'update audit'), (pg_current_xact_id(), 'delete audit')",
      );
      await service.query("set local frontdesk.audit_pass = 'on'");
      await forget([row]);
      await expect(service.query(statement)).rejects.toThrow('append-only');
      await service.query('rollback');
    }
    expect((await service.query('select person from public.audit')).rows).toEqual([{ person: 'E-1' }]);
  });

  test('a pass of another transaction allows nothing, not even for the owner', async () => {
    await own.query("insert into audit_pass (allowed) values ('update audit'), ('delete audit')");
    await expect(own.query("update audit set person = 'E-9'")).rejects.toThrow('append-only');
    await expect(own.query('delete from audit')).rejects.toThrow('append-only');
    await own.query('delete from audit_pass');
  });

  test('the account can forget a person, and the audit still verifies', async () => {
    await own.query(`revoke update, delete, truncate on audit, lookup_history from ${name}`);
    const env = { DATABASE_URL: url, SECRET_KEY: 'for the digests of these rows, long enough' };
    const { db, close } = await openStorage(readConfig(env).database);
    await ensureAuditKey(db, env.SECRET_KEY, now);
    await close();
    expect(await runToEnd(['people', 'forget', 'E-1'], env, folder)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await runToEnd(['audit', 'verify'], env, folder)).toMatchObject({ exitCode: 0, stderr: '' });
    const { rows } = await service.query("select count(*)::int as left_over from public.audit where person = 'E-1'");
    expect(rows).toEqual([{ left_over: 0 }]);
  });
}
