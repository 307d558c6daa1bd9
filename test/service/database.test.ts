// The database's contents, as docs/database.md lists them, and which databases are opened.
import { afterAll, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { engine, makeDatabase, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/frontdesk.ts';
import { root, runToEnd } from '../support/process.ts';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })));

async function makeEmpty(): Promise<{ database: TestDatabase; run(...words: string[]): ReturnType<typeof runToEnd> }> {
  const folder = makeFolder();
  folders.push(folder);
  const database = await makeDatabase(folder, { isEmpty: true });
  const env = { DATABASE_URL: database.url, SECRET_KEY: 'for the digests of these rows, long enough' };
  return { database, run: (...words) => runToEnd(words, env, folder) };
}

const queries =
  engine === 'postgres'
    ? {
        Columns: `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
        Indexes: `select indexrelid::regclass::text as name from pg_index join pg_class on oid = indexrelid
          where relnamespace = 'public'::regnamespace and indexrelid not in (select conindid from pg_constraint)`,
        Functions: `select proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
        Triggers: 'select tgname as name from pg_trigger where not tgisinternal',
      }
    : {
        Columns: `select t.name || '.' || c.name as name from sqlite_master as t, pragma_table_info(t.name) as c
          where t.type = 'table' and t.name not like 'sqlite_%'`,
        Indexes: `select name from sqlite_master where type = 'index' and sql is not null`,
        Functions: 'select 1 as name where false',
        Triggers: `select name from sqlite_master where type = 'trigger'`,
      };

/** The names in the first cell of each row, without rows about the other engine. */
function namesIn(section: string): string[] {
  const isElsewhere = (about: string) => about.startsWith(engine === 'postgres' ? 'SQLite:' : 'PostgreSQL:');
  return [...section.matchAll(/^\| (`[^|]+) \| ([^|]*) \|$/gm)].flatMap(([, names = '', about = '']) =>
    isElsewhere(about) ? [] : [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
}

/** The columns that are listed in a page with one section for each table. */
function columnsIn(page: string): string[] {
  const sections = page.split(/^##+ /m).filter((section) => section.startsWith('`'));
  return sections.flatMap((section) => {
    const [, table] = /^`(\w+)`/.exec(section) ?? [];
    return namesIn(section).map((column) => `${table}.${column}`);
  });
}

test('docs/database.md and docs/privacy.md have every table, column, index, function and trigger', async () => {
  const { database, run } = await makeEmpty();
  await run('migrate');
  const [page = '', privacy = ''] = ['database', 'privacy'].map((name) =>
    readFileSync(join(root, `docs/${name}.md`), 'utf8'),
  );
  const sectionOf = (title: string) => new RegExp(`\\n## ${title}\\n(.*?)(?=\\n## |$)`, 's').exec(page)?.[1] ?? '';
  const described = {
    Columns: [...columnsIn(page), ...columnsIn(privacy.split('### Tables without personal data')[0] ?? '')],
    Indexes: namesIn(sectionOf('Indexes')),
    Functions: engine === 'postgres' ? namesIn(sectionOf('Functions')) : [],
    Triggers: namesIn(sectionOf('Triggers')),
  };
  for (const [what, statement] of Object.entries(queries)) {
    const names = (await database.query<{ name: string }>(statement)).map(({ name }) => name);
    expect([what, described[what as keyof typeof described].sort()]).toEqual([what, names.sort()]);
  }
});

test('a database from before the first release is not opened, and the message says how to move the lists', async () => {
  const { database, run } = await makeEmpty();
  await database.query('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))');
  await database.query("insert into kysely_migration values ('0001-start', ''), ('0002-sign-in', '')");
  const opened = await run('migrate');
  expect([opened.exitCode, opened.stdout]).toEqual([78, '']);
  expect(opened.stderr).toContain('its tables are from before version 1.0.0');
  expect(opened.stderr).toContain('Export the lists with the old version (frontdesk lookups export --plain)');
  expect(opened.stderr).toContain('apply the file to a new database with this version (frontdesk lookups apply)');
  expect(await database.query('select name from kysely_migration')).toHaveLength(2);
});

test('the very first row of the audit has a digest, even if a command writes it', async () => {
  const { database, run } = await makeEmpty();
  expect((await run('migrate')).exitCode).toBe(0);
  expect(await database.query('select * from audit')).toEqual([]);
  const account = ['--issuer', 'https://ci.example', '--subject', 'payroll'];
  expect(await run('callers', 'add', 'payroll', ...account)).toMatchObject({ exitCode: 0 });
  const rows = await database.query<{ type: string }>('select type from audit order by seq limit 2');
  expect(rows.map(({ type }) => type)).toEqual(['key-made', 'caller-added']);
  expect(await run('audit', 'verify')).toMatchObject({ exitCode: 0, stderr: '' });
});
