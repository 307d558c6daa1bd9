// A database file that is damaged or not a database: every command says what is wrong, and none prints a stack trace.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { runFrontdesk, runToEnd, untilReady } from '../support/process.ts';

const folder = makeFolder();
const path = (name: string) => join(folder, `${name}.db`);
const pageBytes = 4096;

beforeAll(async () => {
  const port = String(freePort());
  const child = runFrontdesk([], { PORT: port, DATABASE_URL: `sqlite:${path('whole')}` }, folder);
  await untilReady(`http://localhost:${port}`);
  child.kill('SIGTERM');
  await child.exited;
  const whole = readFileSync(path('whole'));
  const noise = (length: number) => crypto.getRandomValues(Buffer.alloc(length));
  writeFileSync(path('cut off'), whole.subarray(0, whole.length / 2));
  writeFileSync(path('random bytes'), noise(40_000));
  writeFileSync(path('a text'), 'no database '.repeat(100));
  mkdirSync(path('a folder'));
  // The file opens and its tables are up to date, but the lists cannot be read.
  using database = new Database(path('whole'));
  const items = database.query<{ rootpage: number }, []>(
    "select rootpage from sqlite_master where name = 'lookup_item'",
  );
  const { rootpage = 0 } = items.get() ?? {};
  const pages = Buffer.from(whole);
  noise(pageBytes).copy(pages, (rootpage - 1) * pageBytes);
  writeFileSync(path('damaged inside'), pages);
  const other = new Database(path("another program's"));
  other.run('create table person (name text)');
  other.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secretKey = () => readFileSync(join(folder, 'secret.key'), 'utf8');

/** Runs on a copy, so that each run begins with the same bytes. */
async function run(file: string, words: string[]) {
  const home = makeFolder();
  const [own, copy] = [join(home, 'desk.db'), join(home, 'copy.db')];
  cpSync(path(file), own, { recursive: true });
  const env = { DATABASE_URL: `sqlite:${own}`, PORT: String(freePort()), SECRET_KEY: secretKey() };
  const result = await runToEnd(
    words.map((word) => (word === 'FILE' ? copy : word)),
    env,
    home,
  );
  const isCopied = existsSync(copy);
  rmSync(home, { recursive: true });
  const said = (result.stdout + result.stderr).replaceAll(own, 'desk.db');
  return { exitCode: result.exitCode, said, lines: said.trim().split('\n').length, isCopied };
}

const reasons: [file: string, reason: string][] = [
  ['cut off', 'SQLITE_CORRUPT: the file is damaged, restore a backup'],
  ['random bytes', 'SQLITE_NOTADB: the file is not a SQLite database'],
  ['a text', 'SQLITE_NOTADB: the file is not a SQLite database'],
  ['a folder', 'EISDIR: it is a folder'],
];

describe.each(reasons)('a database file that is %s', (file, reason) => {
  test.each([[['serve']], [['migrate']], [['backup', 'FILE']], [['keys', 'list']]])(
    '%p: one line, exit 78',
    async (words) => {
      const { exitCode, said, isCopied } = await run(file, words);
      expect([exitCode, said, isCopied]).toEqual([78, `desk.db cannot be opened (${reason})\n`, false]);
    },
  );

  test('check reports it, too', async () => {
    const { exitCode, said } = await run(file, ['check']);
    expect([exitCode, said]).toEqual([
      1,
      expect.stringContaining(`FAILS  database           desk.db cannot be opened (${reason})\n`),
    ]);
  });
});

describe('a database file that is damaged inside', () => {
  test('check reads all of it', async () => {
    const { exitCode, said } = await run('damaged inside', ['check']);
    expect([exitCode, said]).toEqual([
      1,
      expect.stringContaining('FAILS  database           desk.db cannot be opened (it is damaged: '),
    ]);
  });

  test('at startup, the damage is not reported as an unavailable database', async () => {
    const { exitCode, said } = await run('damaged inside', ['serve']);
    expect([exitCode, said]).toEqual([
      78,
      'The database cannot be read (SQLITE_CORRUPT: the file is damaged, restore a backup)\n',
    ]);
  });

  test('frontdesk backup names the damaged file, and leaves no copy', async () => {
    const { exitCode, said, isCopied } = await run('damaged inside', ['backup', 'FILE']);
    expect([exitCode, said, isCopied]).toEqual([
      78,
      expect.stringMatching(/^desk\.db cannot be opened \(.*damaged/),
      false,
    ]);
  });
});

test('a copy that fails its check is reported and deleted', async () => {
  // Data that violates a constraint is copied as it is, and found when the copy is checked.
  cpSync(path('whole'), path('broken rule'));
  const database = new Database(path('broken rule'));
  database.run('create table ruled (word text /*free*/)');
  database.run('insert into ruled values (null)');
  database.close();
  const bytes = readFileSync(path('broken rule')).toString('latin1').replace('text /*free*/', 'text not null');
  writeFileSync(path('broken rule'), bytes, 'latin1');
  const { exitCode, said, isCopied } = await run('broken rule', ['backup', 'FILE']);
  expect([exitCode, isCopied]).toEqual([78, false]);
  expect(said).toMatch(
    /^The copy failed its check and was deleted: desk\.db is damaged \(NULL value in ruled\.word\)\n$/,
  );
});

test.each([
  [['serve'], ''],
  [['migrate'], 'migration 1 of 1: 0001, all tables: begun\n'],
])("another program's database is left alone: %p", async (words, printed) => {
  const { exitCode, said } = await run("another program's", words);
  expect([exitCode, said]).toEqual([78, `${printed}desk.db cannot be opened (it contains another program's tables)\n`]);
});

test('a file locked by another process may open later, so the exit code is 75', async () => {
  const file = path('locked');
  const other = new Database(file);
  other.run('begin exclusive');
  const { exitCode, stderr } = await runToEnd(['migrate'], { DATABASE_URL: `sqlite:${file}` });
  other.close();
  expect([exitCode, stderr]).toEqual([75, expect.stringContaining('cannot be opened (SQLITE_BUSY')]);
});
