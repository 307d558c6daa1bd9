// frontdesk people forget: nothing about the person is left in any table or in the log, the audit still verifies, and a
// later sign-in creates a new person.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditEntry, writeAudit } from '../../src/audit/audit.ts';
import { ensureAuditKey } from '../../src/audit/key-making.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { Browser } from '../support/browser.ts';
import { runHere } from '../support/command.ts';
import { engine } from '../support/database.ts';
import { everyTableIn } from '../support/every-value.ts';
import { bearer, type Frontdesk, startWithProvider } from '../support/frontdesk.ts';
import { listKeeping } from '../support/lists.ts';
import { runFrontdesk, runToEnd } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let started: Awaited<ReturnType<typeof startWithProvider>>;
let desk: Frontdesk;
let replica: Frontdesk;
let storage: Storage;
beforeAll(async () => {
  started = await startWithProvider();
  desk = started.desk;
  replica = await started.startReplica();
  storage = await openStorage(desk.config.database);
  const key = await ensureAuditKey(storage.db, desk.commandEnv.SECRET_KEY ?? '', new Date());
  if (key === 'sealed') throw new Error('another SECRET_KEY');
});
afterAll(async () => {
  await storage.close();
  await replica.stop();
  await desk.stop();
  await started.provider.close();
});

const runExecutable = (...words: string[]) => runToEnd(words, desk.commandEnv, desk.folder);
const run = (...words: string[]) => runHere(words, desk.commandEnv);
const verify = (...words: string[]) => run('audit', 'verify', ...words);
const query = <T = Record<string, unknown>>(statement: string) => desk.database.query<T>(statement);
const statusOf = async (at: Frontdesk, path: string, token: string) => (await at.get(path, bearer(token))).status;

/** Writes rows as the service does. */
async function write(entries: AuditEntry[]): Promise<void> {
  await storage.db.transaction().execute(async (tx) => {
    for (const entry of entries) writeAudit(tx, entry, new Date());
  });
}

/** The tables and columns in which the pattern occurs. */
async function placesOf(pattern: RegExp): Promise<string[]> {
  const places = new Set<string>();
  // Skips copies that a test has made.
  for (const { name, rows } of await everyTableIn(desk.database)) {
    if (/^(kept|after)_/.test(name)) continue;
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (pattern.test(String(value))) places.add(`${name}.${column}`);
      }
    }
  }
  return [...places].sort();
}

const word = (...words: string[]) =>
  new RegExp(`(?<![\\w-])(${words.map((each) => RegExp.escape(each)).join('|')})(?![\\w-])`);
const ada = word('E-1001', 'Ada', 'Park', 'ada.park@example.com', '+1 555 010 1001', '127.0.0.1', '::1');
const pseudonymOf = async (): Promise<string> => {
  const rows = await query<{ person: string }>("select person from audit where type = 'person-forgotten' order by seq");
  return rows.at(-1)?.person ?? '';
};

describe('a person with every kind of data', () => {
  let tokens: string[];
  let before: { id: string };
  let sealFile: string;
  let pseudonym: string;
  beforeAll(async () => {
    // Nobody else sends requests, so every network address is this person's.
    tokens = [await desk.signIn('E-1001'), await desk.signIn('E-1001')];
    const keeping = listKeeping(desk, tokens[0] ?? '');
    await keeping.change('PATCH', 'position', '/items/ACCOUNTANT', {
      label: 'Accountant (new)',
      reason: 'as E-1001 said',
    });
    for (const [as, reason] of [
      ['E-1001', 'by a command'],
      ['E-1002', 'asked for by E-1001, not E-10010'],
    ] as const) {
      const { version } = await keeping.read('position');
      expect(
        (await run('lookups', 'undo', 'position', String(version - 1), '--as', as, '--reason', reason)).exitCode,
      ).toBe(0);
    }
    expect((await run('people', 'move', 'E-1001', 'https://other.example', 'other')).exitCode).toBe(0);
    expect((await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`)).response.status).toBe(403);
    expect((await run('people', 'move', 'E-1001', started.provider.issuer, 'E-1001')).exitCode).toBe(0);
    tokens = [await desk.signIn('E-1001'), await desk.signIn('E-1001')];
    await write([
      {
        type: 'sign-in-refused',
        person: 'E-1005',
        actor: undefined,
        detail: 'account-not-permitted: it: subject E-1001: sub',
      },
      { type: 'session-ended', person: 'E-1001', actor: 'command line (E-1002)' },
      { type: 'sign-in', person: 'E-10010', actor: 'E-10010', detail: 'not meant' },
    ]);
    await desk.runHousekeeping();
    sealFile = join(desk.folder, 'seal.log');
    writeFileSync(sealFile, desk.logged.filter((line) => line.includes('audit sealed')).join(''));
    // Both replicas cache the tokens as valid, so that only a revocation stops them.
    for (const [index, at] of [desk, replica].entries()) {
      for (const path of ['/employee/position', '/auth/me'])
        expect(await statusOf(at, path, tokens[index] ?? '')).toBe(200);
    }
    [before = { id: '' }] = await query<{ id: string }>("select id from person where employee_id = 'E-1001'");
    await query('create table kept_audit as select * from audit');
    await query('create table kept_lookup_history as select * from lookup_history');
    expect(await placesOf(ada)).toContain('person.email');
    const forgotten = await runExecutable('people', 'forget', 'E-1001', '--as', 'E-1001');
    expect(forgotten).toEqual({
      exitCode: 0,
      stdout: 'The person is forgotten. Log lines and backups may still contain their data: see docs/privacy.md.\n',
      stderr: '',
    });
    pseudonym = await pseudonymOf();
  });
  afterAll(async () => {
    await query('drop table kept_audit');
    await query('drop table kept_lookup_history');
  });

  test('their tokens are refused by every replica, even after it has reloaded the sessions', async () => {
    for (let round = 0; round < 2; round++) {
      for (const [index, at] of [desk, replica].entries()) {
        for (const path of ['/employee/position', '/auth/me'])
          expect(await statusOf(at, path, tokens[index] ?? '')).toBe(401);
      }
      expect((await run('sessions', 'end', '--person', 'E-1001')).exitCode).toBe(1);
      await desk.runHousekeeping();
      await replica.runHousekeeping();
    }
  });

  test('no column of any table has the employee ID, the account, the name, the email, the phone number or an address', async () => {
    expect(await placesOf(ada)).toEqual([]);
    expect(await query('select * from forgetting')).toEqual([]);
    expect(await query('select * from audit_pass')).toEqual([]);
  });

  test('the log has nothing about them', () => {
    const logged = [...desk.logged, ...replica.logged].join('');
    expect(logged).toContain('signed in');
    expect(logged).not.toMatch(ada);
  });

  test("a pseudonym that identifies nobody replaces it everywhere, and other people's rows are unchanged", async () => {
    expect(pseudonym).toMatch(/^forgotten-[0-9a-f]{32}$/);
    expect(await placesOf(new RegExp(pseudonym))).toEqual([
      'audit.actor',
      'audit.person',
      'audit.replaced',
      'lookup_history.by',
      'lookup_history.reason',
      'person.employee_id',
      'person.subject',
    ]);
    expect(await query("select by, reason from lookup_history where list = 'position' order by version")).toEqual([
      { by: 'Frontdesk', reason: 'default lists' },
      { by: pseudonym, reason: `as ${pseudonym} said` },
      { by: `command line (${pseudonym})`, reason: 'by a command' },
      { by: 'command line (E-1002)', reason: `asked for by ${pseudonym}, not E-10010` },
    ]);
    expect(await query("select person, detail from audit where type = 'sign-in-refused' order by seq")).toEqual([
      { person: pseudonym, detail: expect.stringMatching(/^account-not-permitted: [^:]+$/) },
      { person: 'E-1005', detail: 'account-not-permitted: it' },
    ]);
    expect(await query("select detail from audit where type = 'person-moved'")).toEqual([
      { detail: 'https://other.example' },
      { detail: started.provider.issuer },
    ]);
    expect(await query("select detail from audit where person = 'E-10010'")).toEqual([{ detail: 'not meant' }]);
    const rows = await query<{ actor: string; detail: string }>(
      `select actor, detail from audit where type = 'person-forgotten' and person = '${pseudonym}' order by seq`,
    );
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`command line (${pseudonym})`]));
    // Each step changes the rows of one seal, and has its own audit row.
    const details = rows.map(({ detail }) => detail.replace(/\d+ rows.*/, '…'));
    const steps = details.slice(1, -1);
    expect(steps).toEqual(Array.from(steps, (_, index) => `step ${index + 1}: …`));
    expect([details[0], details.at(-1)]).toEqual(['begun', `finished after ${steps.length} steps`]);
  });

  test('the audit still verifies, even with a seal kept from before', async () => {
    expect((await verify()).stderr).toBe('');
    expect((await runExecutable('audit', 'verify', '--last-seal', sealFile)).exitCode).toBe(0);
  });

  test('forgetting them again finds no such person, and neither a pseudonym nor Frontdesk is a person: exit code 1', async () => {
    const nobody = (id: string) =>
      `Nobody has the employee ID ${id}, and neither the audit nor a list's history mentions it.\n`;
    const noPerson = (id: string) => `${id} is not the employee ID of a person.\n`;
    for (const [id, message] of [
      ['E-1001', nobody],
      ['E-9', nobody],
      [pseudonym, noPerson],
      ['Frontdesk', noPerson],
    ] as const) {
      expect(await run('people', 'forget', id)).toEqual({ exitCode: 1, stdout: '', stderr: message(id) });
    }
  });

  describe('the owner of the database changes what is left', () => {
    const protectedTables = ['audit', 'audit_seal', 'lookup_history'];
    const triggers = (state: 'enable' | 'disable') =>
      Promise.all(protectedTables.map((table) => query(`alter table ${table} ${state} trigger user`)));
    const dropped = protectedTables.flatMap((table) => ['update', 'delete'].map((change) => `${table}_no_${change}`));
    let definitions: { sql: string }[];
    beforeAll(async () => {
      for (const table of protectedTables) await query(`create table after_${table} as select * from ${table}`);
      if (engine === 'postgres') return void (await triggers('disable'));
      const names = dropped.map((name) => `'${name}'`).join(', ');
      definitions = await query(`select sql from sqlite_master where type = 'trigger' and name in (${names})`);
      for (const name of dropped) await query(`drop trigger ${name}`);
    });
    afterAll(async () => {
      for (const table of protectedTables) await query(`drop table after_${table}`);
      if (engine === 'postgres') await triggers('enable');
      else for (const { sql } of definitions) await query(sql);
    });

    async function restore(): Promise<void> {
      for (const table of protectedTables) {
        await query(`delete from ${table}`);
        await query(`insert into ${table} select * from after_${table}`);
      }
      await query('update audit_counter set last = (select max(seq) from audit)');
    }

    const changed = '(select min(seq) from after_audit where replaced is not null)';
    const old = (column: string) => `${column} = (select ${column} from kept_audit where kept_audit.seq = audit.seq)`;
    const putBack = ['person', 'actor', 'address', 'detail', 'salt', 'digest', 'covered', 'replaced']
      .map(old)
      .join(', ');
    const cases: [name: string, statements: string[], named: RegExp][] = [
      [
        'changes a row that was changed',
        [`update audit set detail = 'x' where seq = ${changed}`],
        /row \d+ was added, changed or moved/,
      ],
      [
        'changes which digest was sealed',
        [`update audit set replaced = replace(replaced, '"digest":"', '"digest":"0') where seq = ${changed}`],
        /row \d+ was added, changed or moved/,
      ],
      [
        'gives the person back from a backup',
        [`update audit set ${putBack} where seq = ${changed}`],
        /row \d+: the rows that were changed to forget a person do not match this record/,
      ],
      [
        'gives a list entry back from a backup',
        ["update lookup_history set by = 'E-1001' where by like 'forgotten-%'"],
        /its entry in the history was changed/,
      ],
      [
        'disguises a change of their own as a forgetting',
        [
          `update audit set person = 'E-1002', replaced = (select replaced from after_audit where seq = ${changed})
            where person = 'E-10010'`,
        ],
        /row \d+ was added, changed or moved/,
      ],
      [
        'cuts off the rows that account for it',
        [
          "delete from audit where seq >= (select min(seq) from after_audit where detail like 'step 1:%')",
          'delete from audit_seal where last > (select max(seq) from audit)',
          'update audit_counter set last = (select max(seq) from audit)',
        ],
        /row \d+ was changed, but not by forgetting a person/,
      ],
      [
        'adds an entry to the history of a list, without a row',
        [
          `insert into lookup_history (seq, list, version, at, by, change_count, change_hash)
            select max(seq) + 1, 'position', 5, '2026-01-01T00:00:00.000Z', 'E-1002', 0, '' from lookup_history`,
        ],
        /version 5 of position was added to the history: the audit has no row for it/,
      ],
    ];
    test.each(cases)('%s: this is reported', async (_, statements, named) => {
      for (const statement of statements) await query(statement);
      const { exitCode, stderr } = await verify();
      await restore();
      expect([exitCode, stderr]).toEqual([65, expect.stringMatching(named)]);
    });

    test('forgetting a person does not give a valid digest to a row that was tampered with', async () => {
      await query("update audit set detail = 'changed' where person = 'E-10010'");
      const { exitCode, stderr } = await run('people', 'forget', 'E-10010');
      expect([exitCode, stderr]).toEqual([
        65,
        expect.stringMatching(/row \d+, or its entry in the history, was changed/),
      ]);
      const [row] = await query<{ detail: string }>("select detail from audit where person = 'E-10010'");
      expect(row?.detail).toBe('changed');
      await query("update audit set detail = 'not meant' where person = 'E-10010'");
      const unfinished = await verify();
      expect([unfinished.exitCode, unfinished.stdout]).toEqual([
        0,
        expect.stringMatching(
          /\nforgotten-[0-9a-f]{32} has not been forgotten completely\. Run frontdesk people forget again\.\n$/,
        ),
      ]);
      expect((await run('people', 'forget', 'E-10010')).exitCode).toBe(0);
    });
  });

  test('they may sign in again, as a new person', async () => {
    const token = await desk.signIn('E-1001');
    expect(await statusOf(replica, '/auth/me', token)).toBe(200);
    const people = await query<{ id: string }>("select id from person where employee_id = 'E-1001'");
    expect(people).toHaveLength(1);
    expect(people[0]?.id).not.toBe(before.id);
    expect(await query(`select sid from session where person_id = '${people[0]?.id}'`)).toHaveLength(1);
    const { stdout } = await runExecutable('people', 'export', 'E-1001');
    expect((JSON.parse(stdout) as { audit: { type: string }[] }).audit.map(({ type }) => type)).toEqual([
      'sign-in',
      'person-exported',
    ]);
  });

  test('two people in one audit row can be forgotten, one after the other', async () => {
    expect((await run('people', 'forget', 'E-1002')).exitCode).toBe(0);
    expect(await placesOf(word('E-1002'))).toEqual([]);
    const twice = await query<{ replaced: string }>("select replaced from audit where replaced like '%},{%'");
    expect(twice.length).toBeGreaterThan(1);
    expect((await verify('--last-seal', sealFile)).stderr).toBe('');
  });
});

test('a person who was only ever refused is forgotten, too', async () => {
  await write([
    {
      type: 'sign-in-refused',
      person: 'E-7',
      actor: undefined,
      address: '192.0.2.7',
      detail: 'invalid: no: subject abc-7: sub',
    },
  ]);
  expect((await run('people', 'forget', 'E-7')).exitCode).toBe(0);
  expect(await placesOf(word('E-7', 'abc-7', '192.0.2.7'))).toEqual([]);
  expect((await verify()).stderr).toBe('');
});

test('a sign-in during the forgetting is either erased with the rest, or belongs to a new person', async () => {
  const first = await desk.signIn('E-1004');
  const env = { ...desk.commandEnv, AUDIT_LOG: 'stdout' };
  const forgetting = runFrontdesk(['people', 'forget', 'E-1004'], env, desk.folder);
  await until(async () => (await query("select 1 from forgetting where employee_id = 'E-1004'")).length > 0);
  const during = [await desk.signIn('E-1004'), await replica.signIn('E-1004')];
  const isErased = async () => (await query('select 1 from forgetting where last_audit is null')).length === 0;
  await until(isErased);
  const after = await desk.signIn('E-1004');
  expect(await forgetting.exited).toBe(0);
  // All of the command's audit log lines, even the first, contain the pseudonym instead of the employee ID.
  const lines = await new Response(forgetting.stderr).text();
  expect([lines.includes('"session-ended"'), lines.includes('E-1004')]).toEqual([true, false]);
  for (const [token, status] of [...[first, ...during].map((token) => [token, 401] as const), [after, 200] as const]) {
    expect(await statusOf(replica, '/auth/me', token)).toBe(status);
  }
  const people = await query<{ id: string }>("select id from person where employee_id = 'E-1004'");
  expect(people).toHaveLength(1);
  const sids = await query<{ sid: string }>(`select sid from session where person_id = '${people[0]?.id}'`);
  expect(sids).toHaveLength(1);
  // The rows under the employee ID belong to the new session.
  expect(await query("select type, session from audit where person = 'E-1004'")).toEqual([
    { type: 'sign-in', session: sids[0]?.sid },
  ]);
  expect((await verify()).stderr).toBe('');
});

test('progress that the command did not write itself is refused, and erases nothing', async () => {
  await write([{ type: 'logout', person: 'E-9', actor: 'E-9' }]);
  // If accepted, this row would erase another person's sessions.
  await query(`insert into forgetting
    (pseudonym, employee_id, person_id, issuer, subject, last_audit, last_history, audit_done, steps, digest)
    values ('forgotten-00000000000000000000000000000000', 'E-9', 'somebody else', 'x', 'E-1002', 1000000, 0, 0, 0,
      '${'0'.repeat(64)}')`);
  expect(await query('select 1 from forgetting')).toHaveLength(1);
  const { exitCode, stderr } = await run('people', 'forget', 'E-9');
  expect([exitCode, stderr]).toEqual([
    65,
    expect.stringContaining('the row of the table forgetting was added or changed'),
  ]);
  expect(await query("select 1 from audit where person = 'E-9'")).toHaveLength(1);
  await query('delete from forgetting');
  expect((await run('people', 'forget', 'E-9')).exitCode).toBe(0);
  expect((await verify()).stderr).toBe('');
});

const maxRows = 4000;

test('forgetting that is killed half-way is reported as unfinished, and continues under the same pseudonym', async () => {
  const entries = Array.from({ length: maxRows }, () => ({ type: 'logout', person: 'E-8', actor: 'E-8' }) as const);
  await write(entries);
  for (let round = 1; round <= 2; round++) {
    const child = runFrontdesk(['people', 'forget', 'E-8'], desk.commandEnv, desk.folder);
    await until(async () => {
      const [progress] = await query<{ steps: number }>("select steps from forgetting where employee_id = 'E-8'");
      return Number(progress?.steps ?? 0) >= 2 * round;
    });
    child.kill('SIGKILL');
    await child.exited;
  }
  const [{ pseudonym } = { pseudonym: '' }] = await query<{ pseudonym: string }>('select pseudonym from forgetting');
  const left = await query("select seq from audit where person = 'E-8'");
  expect([left.length > 0, left.length < maxRows]).toEqual([true, true]);
  const unfinished = await verify();
  expect([unfinished.exitCode, unfinished.stdout]).toEqual([
    0,
    expect.stringContaining(`\n${pseudonym} has not been forgotten completely. Run frontdesk people forget again.\n`),
  ]);
  await query('update forgetting set audit_done = audit_done + 1000000');
  expect((await run('people', 'forget', 'E-8')).exitCode).toBe(65);
  await query('update forgetting set audit_done = audit_done - 1000000');
  expect((await run('people', 'forget', 'E-8')).exitCode).toBe(0);
  expect(await placesOf(word('E-8'))).toEqual([]);
  const forgotten = await query(`select seq from audit where type = 'logout' and person = '${pseudonym}'`);
  expect(forgotten).toHaveLength(maxRows);
  const verified = await verify();
  expect([verified.exitCode, verified.stdout.includes('not been forgotten')]).toEqual([0, false]);
});
