// Runs the SQL expression that `lookups migration` prints. It converts stored values to their final values.
import { beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../support/command.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);
beforeAll(async () => {
  await apply('grade,A,A,,\ngrade,B,B,,\ngrade,C,C,,\ngrade,D,D,,\ngrade,E,E,,\n');
  await apply('grade,A,A,true,B\n');
  await apply('grade,B,B,true,C\ngrade,D,D,true,\n');
});

const run = (...words: string[]) => runHere(words, desk.commandEnv);

async function apply(csv: string): Promise<void> {
  const file = join(desk.folder, 'lists.csv');
  writeFileSync(file, `list,value,label,retired,replacedBy\n${csv}`);
  expect(await run('lookups', 'apply', file)).toMatchObject({ exitCode: 0 });
}

async function migrate(...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run('lookups', 'migration', ...words);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

/** Stores the values in a table, and returns its contents after an UPDATE with the expression. */
async function store(expression: string, values: readonly string[]) {
  const table = `stored_${crypto.randomUUID().replaceAll('-', '')}`;
  const { query } = desk.database;
  await query(`create table ${table} (id integer, "position" varchar(64))`);
  await query(
    `insert into ${table} values ${values.map((value, index) => `(${index}, '${value.replaceAll("'", "''")}')`).join(', ')}`,
  );
  await query(`update ${table} set position = ${expression}`);
  const rows = await query<{ position: string }>(`select position from ${table} order by id`);
  await query(`drop table ${table}`);
  return rows.map(({ position }) => position);
}

test('stored values become their final values, even if a chain has grown, and others stay', async () => {
  const stored = ['A', 'B', 'C', 'D', 'E', 'ELSEWHERE', "it's"];
  const after = ['C', 'C', 'C', 'D', 'E', 'ELSEWHERE', "it's"];
  const sql = await migrate('grade', '--since', '2', '--column', 'position');
  expect(sql).toBe(
    "-- grade, from version 2 to 3: stored values to final values.\n-- D is retired, and nothing replaces it.\nCASE position\n  WHEN 'A' THEN 'C'\n  WHEN 'B' THEN 'C'\n  ELSE position\nEND\n",
  );
  for (const words of [['--since', '1'], ['--since', '2'], []]) {
    expect(await store(await migrate('grade', ...words, '--column', 'position'), stored)).toEqual(after);
  }
  expect(await store(await migrate('grade', '--since', '2', '--column', '"position"'), ['A'])).toEqual(['C']);
  // Command substitution in a shell removes the last line break.
  expect(await store(sql.trimEnd(), ['B'])).toEqual(['C']);
});

test('with nothing to map, the expression is the column', async () => {
  const sql = await migrate('employee-level', '--since', '1', '--column', 'position');
  expect(sql).toBe('-- employee-level, from version 1 to 1: nothing to map.\nposition\n');
  expect(await store(sql, ['LEAD', 'X'])).toEqual(['LEAD', 'X']);
});

test('ten thousand values at once', async () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `V${index}`);
  await apply(`many,LAST,Last,,\n${values.map((value) => `many,${value},${value},true,LAST\n`).join('')}`);
  const sql = await migrate('many', '--column', 'position');
  expect(await store(sql, ['V0', 'V9999', 'OTHER'])).toEqual(['LAST', 'LAST', 'OTHER']);
});

test.each([
  [['grade', '--since', '99'], 1, 'grade has versions 1 to 3.\n'],
  [['nowhere', '--since', '1'], 1, 'There is no list nowhere.\n'],
  [['grade', '--since', '0'], 64, '--since must be a whole number from 1 to 999999999.\n'],
  [['grade', '--since', '1', '--column', 'a;drop'], 64, '--column must be a column like position'],
])('lookups migration %j: %d', async (words, exitCode, message) => {
  const result = await runToEnd(['lookups', 'migration', ...words], desk.commandEnv, desk.folder);
  expect([result.exitCode, result.stdout]).toEqual([exitCode, '']);
  expect(result.stderr).toStartWith(message);
});
