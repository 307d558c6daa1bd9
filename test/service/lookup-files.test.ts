// The lists as files, on the command line: export, edit, plan, apply, history, undo. Also many lists.

import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { provideAuditKey } from '../../src/audit/audit-key.ts';
import { readCommandLine } from '../../src/cli/arguments.ts';
import { expectAuditKey } from '../../src/cli/audit.ts';
import { storedLists } from '../../src/cli/commands.ts';
import { lookupCommands } from '../../src/cli/lookups.ts';
import { createListChanges } from '../../src/lookup/changing/list-changes.ts';
import { planChange } from '../../src/lookup/changing/planning.ts';
import { loadCatalog } from '../../src/lookup/reading/catalog.ts';
import { readLists } from '../../src/lookup/stored/list.queries.ts';
import { type Db, openStorage } from '../../src/storage/storage.ts';
import { runHere } from '../support/command.ts';
import { engine } from '../support/database.ts';
import { bearer, startFrontdesk } from '../support/frontdesk.ts';
import { listKeeping } from '../support/lists.ts';
import { runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/waiting.ts';

const desk = shared(startFrontdesk);
let token: string;
beforeAll(async () => {
  token = await desk.signIn();
});

const runExecutable = (...words: string[]) => runToEnd(['lookups', ...words], desk.commandEnv, desk.folder);
const run = (...words: string[]) => runHere(['lookups', ...words], desk.commandEnv);

function file(name: string, text: string): string {
  const path = join(desk.folder, name);
  writeFileSync(path, text);
  return path;
}

const read = async (list: string) => {
  const response = await desk.get(`/employee/${list}`, bearer(token));
  return { etag: response.headers.get('etag'), items: (await response.json()) as { value: string; label: string }[] };
};

test('export, edit a label, plan, apply, see it, see who and why, undo', async () => {
  const before = await read('employment-type');
  const exported = await runExecutable('export');
  expect(exported.exitCode).toBe(0);
  expect(await run('plan', file('lists.yaml', exported.stdout))).toMatchObject({
    exitCode: 0,
    stdout: 'Nothing to change.\n',
  });

  const edited = file('lists.yaml', exported.stdout.replace('label: Intern\n', 'label: Trainee\n'));
  const plan = await runExecutable('plan', edited);
  expect([plan.exitCode, plan.stdout]).toEqual([2, 'employment-type\n  ~ INTERN\n      label: "Intern" → "Trainee"\n']);
  expect((await read('employment-type')).etag).toBe(before.etag);

  const applied = await runExecutable('apply', edited, '--reason', 'new wording');
  expect([applied.exitCode, applied.stdout.endsWith('Applied.\n')]).toEqual([0, true]);
  await until(async () => (await read('employment-type')).items.some(({ label }) => label === 'Trainee'));
  const after = await read('employment-type');
  expect(after.etag).not.toBe(before.etag);
  expect(await run('apply', edited)).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });

  const history = await runExecutable('history', 'employment-type', '--limit', '1');
  expect(history.stdout).toMatch(/^version 2 {2}\S+ {2}command line \(\S+\) {2}new wording\n {2}~ INTERN\n/);

  expect(await runExecutable('undo', 'employment-type', '1')).toMatchObject({ exitCode: 0 });
  await until(async () => (await read('employment-type')).etag === before.etag);
  expect((await read('employment-type')).items).toEqual(before.items);
  expect((await run('undo', 'employment-type', '99')).exitCode).toBe(1);
});

test('an undo while somebody else changes the list says so, and undoes nothing', async () => {
  const storage = await openStorage(desk.config.database);
  const file = (label: string) => `lists: { shift: { items: [{ value: NIGHT, label: ${label} }] } }`;
  const put = (label: string) => listKeeping(desk, token).sendText('apply', 'application/yaml', file(label));
  expect((await put('First')).status).toBe(200);
  // Somebody else changes the list after it was read and before it is written.
  const longWrites = new Proxy(storage.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name, target).bind(target);
      return () => ({
        async execute(change: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
          expect((await put('Second')).status).toBe(200);
          return target.transaction().execute(change);
        },
      });
    },
  });
  const call = readCommandLine(['lookups', 'undo', 'shift', '1']);
  if (!('args' in call)) throw new Error('it is a command');
  const undo = lookupCommands['lookups undo'](call.args, storedLists({ ...storage, longWrites }, 'somebody'));
  await expect(undo).rejects.toMatchObject({
    name: 'CommandError',
    exitCode: 75,
    message:
      'shift has just been changed: it is at version 2. Nothing was undone.\n' +
      'See frontdesk lookups history shift, and try again.',
  });
  await storage.close();
  expect((await read('shift')).items.map(({ label }) => label)).toContain('Second');
});

test.each(['yaml', 'csv'])('a whole export as %s, applied again, changes nothing', async (format) => {
  const everything = `lists:
  odd-${format}:
    title: 'Odd: "things"'
    items:
      - { value: A, label: '=1+1', sortOrder: -5, labels: { de: '@x', ar: 'مرحبا' } }
      - { value: B, label: 'say "hi", you', validFrom: 2027-01-01, validTo: 2027-12-31 }
      - { value: C, label: Gone, retired: true, replacedBy: A }
`;
  expect((await run('apply', file('odd.yaml', everything))).exitCode).toBe(0);
  const { stdout } = await run('export', `odd-${format}`, '--format', format);
  expect(await run('plan', file(`again.${format}`, stdout))).toMatchObject({ stdout: 'Nothing to change.\n' });
  if (format === 'csv') expect(stdout).toContain("A,'=1+1,-5,");
});

test('a file made from an older version is refused if it would undo a change', async () => {
  const exported = (await run('export', 'employee-level')).stdout;
  const other = file('other.yaml', 'lists: { employee-level: { items: [{ value: LEAD, label: Team Lead }] } }');
  expect((await run('apply', other)).exitCode).toBe(0);
  const mine = file('mine.yaml', exported.replace('label: Manager\n', 'label: Boss\n'));
  const result = await run('apply', mine);
  expect([result.exitCode, result.stderr]).toEqual([1, expect.stringContaining('employee-level is at version 2 now')]);
  const plain = (await run('export', 'employee-level', '--plain')).stdout;
  expect(plain).not.toContain('version:');
});

test('a command that finds the database locked says so in one line', async () => {
  const unlock = await desk.database.lock();
  const path = file('locked.yaml', 'lists: { employee-level: { items: [{ value: LEAD, label: Locked }] } }');
  const [plan, apply] = await Promise.all([runExecutable('plan', path), runExecutable('apply', path)]);
  await unlock();
  expect(plan.exitCode).toBe(2);
  expect([apply.exitCode, apply.stderr]).toEqual([75, 'The database is locked or cannot be reached. Try again.\n']);
});

test('a reason has the same limits as over HTTP', async () => {
  const path = file('reason.yaml', 'lists: { employee-level: { items: [{ value: LEAD, label: Reason }] } }');
  expect((await run('apply', path, '--reason', 'x'.repeat(501))).exitCode).toBe(65);
});

test('a file with faults is refused as a whole, with the place of every fault, and exit code 65', async () => {
  file('wrong.csv', 'list,value,label\nposition,ACCOUNTANT,Changed\nposition,lower,\n');
  const result = await runExecutable('apply', 'wrong.csv');
  expect([result.exitCode, result.stdout]).toEqual([65, '']);
  expect(result.stderr).toMatch(/^wrong\.csv:3:10 {2}lists\.position\.items\.1\.value: must be UPPER_SNAKE_CASE\n/);
  expect(result.stderr).toContain('wrong.csv:3:');
  expect(result.stderr).toEndWith('Nothing was changed.\n');
  expect((await read('position')).items.some(({ label }) => label === 'Changed')).toBe(false);
});

test('a file that is missing, or of the wrong kind, is reported', async () => {
  expect(await run('plan', 'nowhere.yaml')).toMatchObject({
    exitCode: 1,
    stderr: 'nowhere.yaml cannot be read (ENOENT).\n',
  });
  expect((await run('plan', file('lists.txt', ''))).exitCode).toBe(65);
  expect((await run('export', 'nowhere')).exitCode).toBe(1);
});

test('the default lists are a file like any other', async () => {
  const path = file('default.yaml', readFileSync(new URL('../../lookups/default.yaml', import.meta.url), 'utf8'));
  const own = await startFrontdesk();
  const result = await runToEnd(['lookups', 'plan', path], own.commandEnv, desk.folder);
  await own.stop();
  expect(result).toMatchObject({ exitCode: 0, stdout: 'Nothing to change.\n' });
});

const [lists, items] = isThorough ? [200, 50_000] : [40, 3000];
test(`${lists} lists, and ${items} items in one of them, are applied and served`, async () => {
  const rows = ['list,value,label,sortOrder'];
  for (let list = 0; list < lists; list++) rows.push(`many-${list},V1,Label 1,10`);
  for (let item = 0; item < items; item++) rows.push(`huge,V${item},Label number ${item},${item}`);
  const applied = await runExecutable('apply', file('many.csv', rows.join('\n')));
  expect([applied.exitCode, applied.stderr]).toEqual([0, '']);
  await until(async () => (await desk.get(`/employee/many-${lists - 1}`, bearer(token))).status === 200);
  await until(async () => (await desk.get('/employee/huge', bearer(token))).status === 200);
  const served = (await read('huge')).items;
  expect(served).toHaveLength(items);
  expect(served.at(-1)).toMatchObject({ value: `V${items - 1}`, label: `Label number ${items - 1}` });
  const plain = await desk.get('/employee/huge', { ...bearer(token), 'if-none-match': '*' });
  expect(plain.status).toBe(304);
});

test('an answer that is being sent when the list changes arrives complete and unchanged', async () => {
  // 5 MB, more than the buffers of a connection hold.
  const description = 'x'.repeat(500);
  const rows = Array.from({ length: 10_000 }, (_, index) => `slow,V${index},Label ${index},${description}`);
  const { exitCode } = await run('apply', file('slow.csv', ['list,value,label,description', ...rows].join('\n')));
  expect(exitCode).toBe(0);
  await until(async () => (await desk.get('/employee/slow', bearer(token))).status === 200);
  const { hostname, port } = new URL(desk.url);
  const slow = connect(Number(port), hostname);
  const begun = Promise.withResolvers<Buffer>();
  slow.once('data', (chunk: Buffer) => {
    slow.pause();
    begun.resolve(chunk);
  });
  slow.write(
    `GET /employee/slow HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const first = await begun.promise;
  for (const label of ['Renamed once', 'Renamed twice']) {
    const { etag } = await read('slow');
    expect((await run('apply', file('renamed.csv', `list,value,label\nslow,V9999,${label}`))).exitCode).toBe(0);
    const unlessKnown = { ...bearer(token), 'if-none-match': etag ?? '' };
    await until(async () => (await desk.get('/employee/slow', unlessKnown)).status === 200);
    expect((await read('slow')).items.at(-1)?.label).toBe(label);
  }
  const rest = await Array.fromAsync(slow as AsyncIterable<Buffer>);
  const [, body = ''] = Buffer.concat([first, ...rest])
    .toString()
    .split('\r\n\r\n');
  const received = JSON.parse(body) as { label: string }[];
  expect([received.length, received.at(-1)?.label]).toEqual([10_000, 'Label 9999']);
});

describe('a long list', () => {
  const longList = 6000;
  const rowsOf = (label: string) =>
    Array.from({ length: longList }, (_, index) => `long-list,V${index},${label} ${index}`);
  const apply = (rows: readonly string[]) => run('apply', file('long.csv', ['list,value,label', ...rows].join('\n')));
  beforeAll(async () => {
    expect((await apply(rowsOf('Label'))).exitCode).toBe(0);
  });

  test('is read in few pages, and PostgreSQL does not sort the remaining rows for each page', async () => {
    const pages: string[] = [];
    const storage = await openStorage(desk.config.database, (text) => {
      if (/^select .* from "lookup_item"|^fetch /.test(text)) pages.push(text);
    });
    const read = await readLists(storage.db, ['long-list']);
    const inTransaction = await storage.db.transaction().execute((tx) => readLists(tx, ['long-list']));
    await storage.close();
    const values = read[0]?.items.map(({ value }) => value);
    expect(values).toEqual(rowsOf('').map((row) => row.split(',')[1] ?? ''));
    expect(inTransaction).toEqual(read);
    expect(pages.length).toBeLessThan(engine === 'postgres' ? 9 : 30);
    if (engine === 'postgres') expect(pages.filter((text) => text.includes('order by'))).toEqual([]);
  });

  test('a list that this process has written is not read again, even if the notice of the change is handled first', async () => {
    let readings = 0;
    const storage = await openStorage(desk.config.database, (text) => {
      if (/^select .* from "lookup_item"|^fetch /.test(text)) readings++;
    });
    provideAuditKey(storage.db, () => expectAuditKey(storage.reads, desk.config));
    const catalog = await loadCatalog(storage.reads, () => new Date(), {});
    const version = catalog.get('long-list')?.version ?? 0;
    const author = { by: 'somebody', reason: undefined, at: new Date(), mayKeepAll: true };
    const changes = createListChanges(storage, undefined, catalog);
    const own = await changes.change('long-list', version, author, (list) => planChange(list, 'V3', { label: 'Own' }));
    readings = 0;
    const [noticed, loaded] = await Promise.all([catalog.reload(), catalog.reload(own)]);
    await storage.close();
    expect([noticed, loaded, readings]).toEqual([[own], [], 0]);
    expect(catalog.getItem('long-list', 'V3')?.label).toBe('Own');
  });

  test('the audit verifies after changes by files', async () => {
    const verified = await runToEnd(['audit', 'verify'], desk.commandEnv, desk.folder);
    expect([verified.exitCode, verified.stderr]).toEqual([0, '']);
  });
});
