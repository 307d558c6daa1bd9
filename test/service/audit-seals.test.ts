// The audit is tamper-evident even to the database's owner: whatever they change is reported.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../support/command.ts';
import { engine } from '../support/database.ts';
import { bearer, type Frontdesk, startWithProvider } from '../support/frontdesk.ts';
import { root, runToEnd } from '../support/process.ts';

const newSecret = 'another secret for these tests, long enough';
let started: Awaited<ReturnType<typeof startWithProvider>>;
let desk: Frontdesk;
let replica: Frontdesk;
/** The seals as the service has logged them. */
let sealFile: string;
/** The last row that was sealed before the first test, and the number of its seal. */
let lastSealed: number;
let lastSeal: number;
beforeAll(async () => {
  started = await startWithProvider();
  desk = started.desk;
  replica = await started.startReplica();
  const token = await desk.signIn();
  for (const [version, label] of ['Chief', 'Head'].entries()) {
    const changed = await fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
      method: 'PATCH',
      headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version + 1}"` },
      body: JSON.stringify({ label }),
    });
    expect(changed.status).toBe(200);
    await desk.runHousekeeping();
  }
  await desk.signIn('E-1003');
  await Promise.all([desk, replica, desk, replica].map((each) => each.runHousekeeping()));
  await Promise.all([desk, replica].map((each) => each.runHousekeeping()));
  lastSealed = await lastRow();
  lastSeal = Number((await query<{ number: number }>('select max(number) as number from audit_seal'))[0]?.number);
  const logged = [...desk.logged, ...replica.logged].filter((line) => line.includes('audit sealed'));
  sealFile = join(desk.folder, 'seals.log');
  writeFileSync(sealFile, logged.sort((a, b) => numberIn(a) - numberIn(b)).join(''));
});
const numberIn = (line: string) => (JSON.parse(line) as { seal: { number: number } }).seal.number;
afterAll(async () => {
  await replica.stop();
  await desk.stop();
  await started.provider.close();
});

const env = () => desk.commandEnv;
const verify = (...words: string[]) => runHere(['audit', 'verify', ...words], env());
const verifiedCommand = async (...words: string[]) => {
  const result = await runHere(words, env());
  expect(result.exitCode).toBe(0);
  return result;
};
const verifyByExecutable = (...words: string[]) => runToEnd(['audit', 'verify', ...words], env(), desk.folder);
const query = <T>(statement: string) => desk.database.query<T>(statement);
const lastRow = async () => Number((await query<{ last: number }>('select last from audit_counter'))[0]?.last);

async function execute(...statements: string[]): Promise<void> {
  for (const statement of statements) await query(statement);
}

test('rows verify, whether sealed or not yet', async () => {
  await desk.signIn('E-1003');
  const rows = await lastRow();
  expect(await verifyByExecutable()).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(
      new RegExp(
        `^${rows} rows and ${lastSeal} seals are as .* The last 1 rows are not sealed yet, since 2\\S+Z\\.\n$`,
      ),
    ),
  });
});

test('two replicas that seal at once make one seal, and none if there are no new rows', async () => {
  const seals = await query<{ number: number; first: number; last: number }>(
    'select * from audit_seal order by number',
  );
  // Two seals at the first start (one for the row about the audit key, one for the row that records that seal), one at the
  // second start, one after each of the two changes, and one by whichever replica seals first.
  expect(seals.map(({ number }) => Number(number))).toEqual(Array.from({ length: lastSeal }, (_, index) => index + 1));
  expect(lastSeal).toBe(6);
  expect(Number(seals.at(-1)?.last)).toBe(lastSealed);
  expect((await verify()).exitCode).toBe(0);
});

test('each seal of a running service is logged, and later proves that no row before it was cut off', async () => {
  expect(readFileSync(sealFile, 'utf8').trimEnd().split('\n').map(numberIn)).toEqual([4, 5, 6]);
  expect((await verify('--last-seal', sealFile)).exitCode).toBe(0);
});

test('audit seal seals new rows and prints the last seal; that output, or a line of the pretty log, later proves all rows before it', async () => {
  await desk.signIn('E-1003');
  const { stdout } = await verifiedCommand('audit', 'seal');
  const { seal } = JSON.parse(stdout) as { seal: { number: number; last: number } };
  expect(seal).toMatchObject({ number: lastSeal + 1, last: await lastRow() });
  // With nothing new to seal, the command prints the last seal again.
  expect((await verifiedCommand('audit', 'seal')).stdout).toBe(stdout);
  const file = join(desk.folder, 'printed-seal');
  for (const line of [stdout, `[12:00:00] INFO: audit sealed ${stdout}`]) {
    writeFileSync(file, line);
    expect((await verify('--last-seal', file)).exitCode).toBe(0);
    writeFileSync(file, line.replace(/"hash":"./, '"hash":"x'));
    expect((await verify('--last-seal', file)).exitCode).toBe(65);
  }
});

describe('the owner of the database', () => {
  const forged = 'f'.repeat(64);
  const changedTables = ['audit', 'audit_seal', 'lookup_history', 'lookup_change', 'lookup_item'];
  const columns = 'at, type, person, actor, session, address, request_id, detail, salt, digest, covered';
  beforeAll(async () => {
    await query('create table kept_lookup_list as select * from lookup_list');
    for (const table of changedTables) {
      if (engine === 'postgres') await query(`alter table ${table} disable trigger user`);
      else for (const change of ['update', 'delete']) await query(`drop trigger ${table}_no_${change}`);
      await query(`create table kept_${table} as select * from ${table}`);
    }
  });

  afterAll(async () => {
    if (engine === 'postgres') await query('alter table audit enable trigger user');
  });

  /** Undoes all changes. */
  async function restore(): Promise<void> {
    await query("delete from lookup_list where name = 'spies'");
    await query(`update lookup_list set readers = null, title = kept.title, titles = kept.titles,
        descriptions = kept.descriptions, version = kept.version, updated_at = kept.updated_at
      from kept_lookup_list as kept where kept.name = lookup_list.name`);
    for (const table of changedTables) {
      await execute(`delete from ${table}`, `insert into ${table} select * from kept_${table}`);
    }
    await query('update audit_counter set last = (select max(seq) from audit)');
    expect((await verify('--last-seal', sealFile)).exitCode).toBe(0);
  }

  const next = '(select max(seq) + 1 from audit)';
  const cutRows = 'delete from audit where seq > 6';
  /** What the owner does, grouped by the message that reports it. */
  const cases: Record<string, Record<string, string | string[]>> = {
    'row 3 was added, changed or moved': {
      'changes a field': "update audit set person = 'E-9' where seq = 3",
      'changes a field and its digest': `update audit set person = 'E-9', digest = '${forged}' where seq = 3`,
      'swaps two rows': [
        'update audit set seq = -3 where seq = 3',
        'update audit set seq = 3 where seq = 4',
        'update audit set seq = 4 where seq = -3',
      ],
    },
    'row 8 was': {
      'changes a field and removes its digest': "update audit set person = 'E-9', digest = '' where seq = 8",
    },
    'row 4 is missing': {
      'deletes a row': 'delete from audit where seq = 4',
    },
    'row 4 was added, changed or moved': {
      'deletes a row and renumbers those after it': [
        'delete from audit where seq = 4',
        'update audit set seq = -seq where seq > 4',
        'update audit set seq = -seq - 1 where seq < 0',
      ],
    },
    'row \\d+ was added, changed or moved': {
      'adds a row at the end': `insert into audit (seq, at, type, salt, digest) values (${next}, '2027-01-01T00:00:00.000Z', 'sign-in', '', '')`,
      'adds a copy of a row at the end': `insert into audit (seq, ${columns}) select ${next}, ${columns} from audit where seq = 3`,
    },
    'row 7 is missing, but seal': {
      'cuts off the end': [cutRows, 'update audit_counter set last = 6'],
    },
    'row \\d+ is missing, but rows up to \\d+ were written': {
      'cuts off rows that are not sealed': 'update audit_counter set last = last + 1',
    },
    'row 1 was added, changed or moved: its digest does not match': {
      'replaces a seal and its rows': [
        "update audit set person = 'E-9', digest = '', salt = '' where seq <= 8",
        `update audit_seal set hash = '${forged}' where number = 1`,
      ],
    },
    'seal 1 does not match its rows': {
      'changes a seal': `update audit_seal set hash = '${forged}' where number = 1`,
    },
    'seal 1 is missing, but row 2 names it': {
      'removes all seals': 'delete from audit_seal',
    },
    'seal 3 does not follow': {
      'removes a seal': 'delete from audit_seal where number = 2',
    },
    'its entry in the history was changed': {
      'changes the history of a list': "update lookup_history set by = 'E-9' where version = 2",
      'changes what a version changed':
        "update lookup_change set after = replace(after, 'Chief', 'Boss') where version = 2",
      'says that a version only moved an item': 'update lookup_change set moved = 1 where version = 2',
      'removes what a version changed': 'delete from lookup_change where version = 2',
      'adds to what a version changed':
        "insert into lookup_change select list, version, nth + 1, 'ZZ', moved, after from lookup_change where version = 2",
      'hides a change from the history of its value':
        "update lookup_change set moved = 1 where list = 'employee-level' and version = 3",
      'changes the hash of a version': `update lookup_history set change_hash = '${forged}' where version = 2`,
      'changes the place of a version in the stream of changes':
        'update lookup_history set seq = seq + 1000 where version = 2',
      'changes how many changes a version has': 'update lookup_history set change_count = 0 where version = 2',
      'changes the first title of a list in its history, and serves it': [
        "update lookup_change set after = replace(after, 'Position', 'Rank') where list = 'position' and value = ''",
        "update lookup_list set title = 'Rank' where name = 'position'",
      ],
    },
    'row -1 was added': {
      'adds a row before the first': `insert into audit (seq, ${columns}) select -1, ${columns} from audit where seq = 3`,
    },
    'row \\d+: its entry in the history was changed': {
      'adds a change before the first of a version, and serves it': [
        `insert into lookup_change select list, 3, -1, value, moved, replace(after, 'Senior', 'Boss')
          from lookup_change where list = 'employee-level' and version = 1 and value = 'SENIOR'`,
        "update lookup_item set label = 'Boss' where list = 'employee-level' and value = 'SENIOR'",
      ],
      // On PostgreSQL, the column holds only integers.
      ...(engine === 'sqlite' && {
        'adds a change between two versions, and serves it': [
          `insert into lookup_change select list, 2.5, nth, value, moved, replace(after, 'Senior', 'Boss')
            from lookup_change where list = 'employee-level' and version = 1 and value = 'SENIOR'`,
          "update lookup_item set label = 'Boss' where list = 'employee-level' and value = 'SENIOR'",
        ],
      }),
    },
    'list employee-level: changes of version 4 were added to its history': {
      'adds a change of a version that is still to come, and serves it': [
        `insert into lookup_change select list, 4, nth, value, moved, replace(after, 'Head', 'Boss')
          from lookup_change where list = 'employee-level' and version = 3`,
        "update lookup_item set label = 'Boss' where list = 'employee-level' and value = 'LEAD'",
      ],
    },
    'list employee-level: item LEAD was changed outside of Frontdesk: label\\.': {
      'changes an item that forms are served':
        "update lookup_item set label = 'Boss' where list = 'employee-level' and value = 'LEAD'",
    },
    'list employee-level: item LEAD was changed outside of Frontdesk: labels\\.': {
      'translates an item': `update lookup_item set labels = '{"de":"Boss"}' where list = 'employee-level' and value = 'LEAD'`,
    },
    'list employee-level: item LEAD was changed outside of Frontdesk: content\\.': {
      'makes an item unreadable':
        "update lookup_item set labels = 'x' where list = 'employee-level' and value = 'LEAD'",
    },
    'list position: item ACCOUNTANT was changed outside of Frontdesk: id\\.': {
      'changes the id of an item': "update lookup_item set id = 9999 where list = 'position' and value = 'ACCOUNTANT'",
    },
    'list position: item SPY was added outside of Frontdesk': {
      'adds an item': `insert into lookup_item (id, list, value, label, sort_order)
          select max(id) + 1, 'position', 'SPY', 'Spy', 1 from lookup_item`,
    },
    'list position: item ACCOUNTANT is missing': {
      'removes an item': "delete from lookup_item where list = 'position' and value = 'ACCOUNTANT'",
    },
    'list position: its settings were changed outside of Frontdesk: title\\.': {
      'renames a list': "update lookup_list set title = 'Rank' where name = 'position'",
    },
    'list position: its settings were changed outside of Frontdesk: titles\\.': {
      'renames a list in another language': `update lookup_list set titles = '{"de":"Rang"}' where name = 'position'`,
    },
    'list position: its settings were changed outside of Frontdesk: descriptions\\.': {
      'describes a list in another language': `update lookup_list set descriptions = '{"de":"x"}' where name = 'position'`,
    },
    'list position: its settings were changed outside of Frontdesk: content\\.': {
      'makes the titles of a list unreadable': "update lookup_list set titles = 'x' where name = 'position'",
    },
    'list position: its updatedAt was changed outside of Frontdesk': {
      'says that a list was changed later':
        "update lookup_list set updated_at = '2027-01-01T00:00:00.000Z' where name = 'position'",
    },
    'list position: its settings were changed outside of Frontdesk: readers\\.': {
      'lets others read a list': "update lookup_list set readers = '[\"GUEST\"]' where name = 'position'",
    },
    'list spies: it was added outside of Frontdesk': {
      'adds a list': "insert into lookup_list (name, title, version, updated_at) values ('spies', 'Spies', 1, '')",
    },
    'list agents is missing, but it has a history': {
      'adds changes of a list whose name would be the first':
        "insert into lookup_change (list, version, nth, value, moved, after) values ('agents', 1, 1, 'A', 0, '{}')",
    },
    'list spies is missing, but it has a history': {
      'adds changes of a list that does not exist':
        "insert into lookup_change (list, version, nth, value, moved, after) values ('spies', 1, 1, 'A', 0, '{}')",
    },
    'its entry in the history is missing': {
      'deletes an entry of the history': 'delete from lookup_history where version = 3',
    },
  };
  const rows = Object.entries(cases).flatMap(([named, ways]) =>
    Object.entries(ways).map(([name, statements]) => [name, [statements].flat(), named] as const),
  );
  test.each(rows)('%s: this is reported', async (_, statements, named) => {
    await execute(...statements);
    const { exitCode, stderr } = await verify();
    await restore();
    expect([exitCode, stderr]).toEqual([65, expect.stringMatching(new RegExp(named))]);
  });

  test('cuts off rows, seals, counter and history: a seal that was kept elsewhere shows it', async () => {
    const [{ last } = { last: 0 }] = await query<{ last: number }>('select last from audit_seal where number = 4');
    await execute(
      `delete from audit where seq > ${last}`,
      'delete from audit_seal where number > 4',
      `update audit_counter set last = ${last}`,
    );
    const leftBehind = await verify();
    await execute('delete from lookup_history where version > 2', 'delete from lookup_change where version > 2');
    const versionStill = await verify();
    await execute(`update lookup_list set version = 2,
      updated_at = (select at from lookup_history as step where step.list = 'employee-level' and step.version = 2)
      where name = 'employee-level'`);
    const servedStill = await verify();
    await execute("update lookup_item set label = 'Chief' where value = 'LEAD'");
    const unaided = await verify();
    const aided = await verify('--last-seal', sealFile);
    await restore();
    expect(versionStill.stderr).toContain('its version is 3, but its history ends with 2');
    expect(servedStill.stderr).toContain('item LEAD was changed outside of Frontdesk: label.');
    expect(leftBehind.stderr).toContain('version 3 of employee-level was added to the history');
    expect(unaided.exitCode).toBe(0);
    expect([aided.exitCode, aided.stderr]).toEqual([
      65,
      expect.stringContaining('seal 6 is missing: the end of the audit was cut off'),
    ]);
  });

  test('replaces the key: it cannot be decrypted', async () => {
    const [{ sealed } = { sealed: '' }] = await query<{ sealed: string }>('select sealed from audit_key');
    await query("update audit_key set sealed = 'a key of theirs'");
    const { exitCode, stderr } = await verifyByExecutable();
    await query(`update audit_key set sealed = '${sealed}'`);
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining('SECRET_KEY')]);
  });
});

test('a process killed while it writes and seals leaves an audit that verifies', async () => {
  const row = await lastRow();
  const program = `
    import { ensureAuditKey } from '${root}/src/audit/key-making.ts';
    import { writeAudit } from '${root}/src/audit/audit.ts';
    import { sealAudit } from '${root}/src/audit/proof/sealing.ts';
    import { readConfig } from '${root}/src/config/config.ts';
    import { openStorage } from '${root}/src/storage/storage.ts';
    const { db } = await openStorage(readConfig(process.env).database);
    const key = await ensureAuditKey(db, process.env.SECRET_KEY, new Date());
    const log = { info: () => process.stdout.write('sealed\\n') };
    for (;;) {
      await db.transaction().execute(async (tx) => writeAudit(tx, { type: 'logout', actor: 'killed' }, new Date()));
      await sealAudit({ db, key, now: () => new Date(), log });
    }`;
  for (let round = 0; round < 2; round++) {
    const child = Bun.spawn([process.execPath, '--no-env-file', '-e', program], {
      env: { ...process.env, ...env() },
      stdout: 'pipe',
    });
    const reader = child.stdout.getReader();
    for (let chunks = 0; chunks < 5 + round; chunks++) await reader.read();
    child.kill('SIGKILL');
    await child.exited;
  }
  await desk.runHousekeeping();
  expect(await lastRow()).toBeGreaterThan(row);
  expect(await verify()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('The last 0 rows are not sealed yet.'),
  });
});

test('keys reseal includes the audit key: with the new SECRET_KEY the audit verifies, and the old one cannot decrypt the key', async () => {
  const resealed = await runToEnd(['keys', 'reseal'], { ...env(), NEW_SECRET_KEY: newSecret }, desk.folder);
  expect(resealed.exitCode).toBe(0);
  expect((await verifyByExecutable()).exitCode).toBe(78);
  const after = await runToEnd(['audit', 'verify'], { ...env(), SECRET_KEY: newSecret }, desk.folder);
  expect(after.exitCode).toBe(0);
});

test('a command that writes rows needs SECRET_KEY', async () => {
  const { DATABASE_URL = '' } = env();
  const elsewhere = await runToEnd(['sessions', 'end', '--person', 'E-1003'], {
    DATABASE_URL,
    SECRET_KEY: 'x'.repeat(40),
  });
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([78, expect.stringContaining('SECRET_KEY')]);
});

test('if startup makes a new key, it says so, and every earlier row is reported', async () => {
  const secretKey = { SECRET_KEY: newSecret };
  await query('delete from audit_key');
  const row = await lastRow();
  desk = await desk.restart(secretKey);
  const warnings = desk.logged.filter((line) => line.includes('an audit key was created'));
  expect(warnings.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, before: { row: expect.any(Number), seal: expect.any(Number) } }),
  ]);
  expect(JSON.parse(warnings[0] ?? '').before.row).toBeGreaterThanOrEqual(row);
  const { exitCode, stderr } = await runHere(['audit', 'verify'], { ...env(), ...secretKey });
  expect([exitCode, stderr]).toEqual([65, expect.stringContaining('row 1 was added, changed or moved')]);
});
