// Commands whose output may be of any length.
import { beforeAll, expect, test } from 'bun:test';
import { startFrontdesk } from '../support/frontdesk.ts';
import { runFrontdesk, runToEnd } from '../support/process.ts';
import { shared } from '../support/shared.ts';

const count = 2500;
const desk = shared(startFrontdesk);
beforeAll(async () => {
  await desk.signIn('E-1002');
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await desk.database.query(
    `insert into session (sid, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, expires_at)
     ${numbers} select 'many-' || i, person_id, roles, authentication, opened_at, last_seen_at, token_expires_at, '${later}' from n, (select * from session limit 1) s`,
  );
  const last = Number((await desk.database.query('select last from audit_counter'))[0]?.last);
  await desk.database.query(
    `insert into audit (seq, at, type, person, salt, digest)
     ${numbers} select ${last} + i, '${later}', 'sign-in', 'E-' || (i % 2), '', '' from n`,
  );
});

const run = (...words: string[]) => runToEnd(words, desk.commandEnv, desk.folder);
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);

test('frontdesk audit --json prints as many of the newest rows as requested, oldest first, over several pages', async () => {
  const { exitCode, stdout } = await run('audit', '--json', '--limit', '2100');
  const ids = rowsOf(stdout).map(({ id }) => Number(id));
  const newest = ids.at(-1) ?? 0;
  expect([exitCode, ids]).toEqual([0, Array.from({ length: 2100 }, (_, index) => newest - 2099 + index)]);
});

test.each([
  '--person E-1 --limit 999999',
  '--person E-1 --limit 1100',
  '--type sign-in --after 100 --limit 1500',
  '--before 2000 --limit 1200',
])('frontdesk audit %s prints what the table has', async (typed) => {
  const options = typed.split(' ');
  const { stdout } = await run('audit', '--json', ...options);
  const filter = Object.fromEntries([0, 2, 4].map((at) => [options[at] ?? '', options[at + 1] ?? '']));
  const conditions = [
    filter['--person'] && `person = '${filter['--person']}'`,
    filter['--type'] && `type = '${filter['--type']}'`,
    filter['--after'] && `seq > ${filter['--after']}`,
    filter['--before'] && `seq < ${filter['--before']}`,
  ].filter(Boolean);
  const direction = filter['--after'] === undefined ? 'desc' : 'asc';
  const rows = await desk.database.query(
    `select seq from audit where ${conditions.join(' and ')} order by seq ${direction} limit ${filter['--limit']}`,
  );
  const expected = rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
  expect(rowsOf(stdout).map(({ id }) => Number(id))).toEqual(expected);
  expect(expected.length).toBeGreaterThan(1000);
});

test('frontdesk sessions list prints every open session once, as a table and as JSON lines', async () => {
  const lines = (await run('sessions', 'list')).stdout.trimEnd().split('\n');
  const rows = rowsOf((await run('sessions', 'list', '--json')).stdout);
  const many = rows.filter(({ session }) => session?.startsWith('many-'));
  expect([lines.length - 1, rows.length, new Set(many.map(({ session }) => session)).size]).toEqual([
    rows.length,
    rows.length,
    count,
  ]);
  expect(lines[0]).toMatch(/^session +person +opened +seen +ends +address +browser$/);
});

test('a reader that stops early is no error', async () => {
  const child = runFrontdesk(['audit', '--limit', '999999'], desk.commandEnv, desk.folder);
  const reader = (child.stdout as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  expect([await child.exited, await new Response(child.stderr as ReadableStream).text()]).toEqual([0, '']);
});

test('frontdesk lookups history prints JSON lines, newest first', async () => {
  const { stdout } = await run('lookups', 'history', 'position', '--json');
  expect(rowsOf(stdout)).toMatchObject([{ version: 1, by: expect.any(String) }]);
});
