// Who may read the audit, how its pages work, and that reading it is audited, too.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ShownRow } from '../../src/audit/audit.queries.ts';
import type { DevelopmentProvider } from '../../src/dev/development-provider.ts';
import { addOwnKeyCaller, makeSigner } from '../support/callers.ts';
import { bearer, type Frontdesk, startWithProvider } from '../support/frontdesk.ts';
import { expectProblem } from '../support/problem.ts';
import { runToEnd } from '../support/process.ts';

let desk: Frontdesk;
let replica: Frontdesk;
let provider: DevelopmentProvider;
beforeAll(async () => {
  const started = await startWithProvider();
  ({ desk, provider } = started);
  replica = await started.startReplica({ AUDIT_READ_ROLES: 'AUDITOR,MANAGER' });
});
afterAll(async () => {
  await replica.stop();
  await desk.stop();
  await provider.close();
});

async function read(query: string, token: string, at = desk) {
  const response = await at.get(`/admin/audit${query}`, bearer(token));
  expect(response.status).toBe(200);
  const link = response.headers.get('link') ?? '';
  const next = /^<([^>]+)>; rel="next"/.exec(link)?.[1];
  const older = /, <([^>]+)>; rel="prev"$/.exec(link)?.[1];
  return { rows: (await response.json()) as ShownRow[], next, older };
}

test('auditors may read it, and keepers of lists may not', async () => {
  for (const person of ['E-1001', 'E-1002', 'E-1003']) {
    await expectProblem(await desk.get('/admin/audit', bearer(await desk.signIn(person))), 'forbidden', 403);
  }
  expect((await read('', await desk.signIn('E-1006'))).rows.length).toBeGreaterThan(0);
});

test('AUDIT_READ_ROLES names other roles', async () => {
  expect((await replica.get('/admin/audit', bearer(await desk.signIn('E-1001')))).status).toBe(403);
  expect((await read('', await desk.signIn('E-1002'), replica)).rows.length).toBeGreaterThan(0);
});

test('a program with the role may read it, and its reading is audited under its name, once for all of its tokens', async () => {
  const newToken = await addOwnKeyCaller(desk, 'archive', await makeSigner(), 'AUDITOR');
  for (let time = 0; time < 3; time++) await read('?limit=1', await newToken());
  const recorded = "select actor from audit where type = 'audit-read' and person = 'caller:archive'";
  expect(await desk.database.query(recorded)).toEqual([{ actor: 'caller:archive' }]);
});

describe('pages', () => {
  test('the newest rows are returned oldest first; `before` leads to older rows, and the link to newer ones', async () => {
    const token = await desk.signIn('E-1006');
    await read('', token);
    const all = (await read('?after=0&limit=1000', token)).rows.map(({ id }) => id);
    const newest = await read('?limit=3', token);
    expect(newest.rows.map(({ id }) => id)).toEqual(all.slice(-3));
    const older = await read(`?limit=3&before=${newest.rows[0]?.id}`, token);
    expect(older.rows.map(({ id }) => id)).toEqual(all.slice(-6, -3));
    const following = await read(new URL(older.next ?? '').search, token);
    expect(following.rows).toEqual(newest.rows);
    // There are no more rows yet: the same link is returned again, and will lead to later rows.
    const end = await read(new URL(following.next ?? '').search, token);
    expect([end.rows, end.next]).toEqual([[], following.next]);
    await desk.signIn('E-1003');
    expect((await read(new URL(end.next ?? '').search, token)).rows).toMatchObject([
      { type: 'sign-in', person: 'E-1003' },
    ]);
  });

  test('the link keeps the filter, and is an address of PUBLIC_URL', async () => {
    const token = await desk.signIn('E-1006');
    const { rows, next } = await read(
      '?type=sign-in&person=E-1006&since=2026-01-31&until=2999-01-31&limit=1',
      token,
      replica,
    );
    const query = `after=${rows[0]?.id}&limit=1&since=2026-01-31&until=2999-01-31&type=sign-in&person=E-1006`;
    expect(next).toBe(`${desk.url}/admin/audit?${query}`);
  });
});

test('rows have the names of people, but not of programs or of people who never signed in', async () => {
  const token = await desk.signIn('E-1006');
  await desk.signIn('E-1002');
  const named = (rows: object[]) => rows.map((row) => row as { person: string; personName: string; actorName: string });
  const [signIn] = named((await read('?type=sign-in&person=E-1002&limit=1', token)).rows);
  expect(signIn).toMatchObject({ personName: 'Samuel Okafor', actorName: 'Samuel Okafor' });
  const [change] = named((await read('?type=list-changed&limit=1&before=50', token)).rows);
  expect(change).toMatchObject({ person: null, personName: null, actor: 'Frontdesk', actorName: null });
});

test('`until` with a day includes that day, and `until` with a time excludes that time', async () => {
  const token = await desk.signIn('E-1006');
  const [last = { id: '', at: '' }] = (await read('?type=sign-in&limit=1', token)).rows;
  const { id: newest, at } = last;
  const idsUntil = async (until: string) =>
    (await read(`?type=sign-in&limit=1000&until=${until}`, token)).rows.map(({ id }) => id);
  expect(await idsUntil(at.slice(0, 10))).toContain(newest);
  expect(await idsUntil(new Date(Date.parse(at) + 1).toISOString())).toContain(newest);
  expect(await idsUntil(at)).not.toContain(newest);
  expect(await idsUntil('2020-01-01')).toEqual([]);
  // A time in the year 10000, which is how other systems may write that there is no end.
  expect(await idsUntil('9999-12-31')).toContain(newest);
  expect((await read('?since=9999-12-31T23:59:59-01:00', token)).rows).toEqual([]);
});

test('reading is audited once for each session in ten minutes, whichever replica is asked', async () => {
  const recorded = async (token: string) => {
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
    return desk.database.query(
      `select person, actor, address from audit where type = 'audit-read' and session = '${sid}'`,
    );
  };
  const [mine, other] = [await desk.signIn('E-1006'), await desk.signIn('E-1006')];
  const everywhere = [desk, replica, desk, replica].map((at) => at.get('/admin/audit?limit=1', bearer(mine)));
  expect((await Promise.all(everywhere)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const row = { person: 'E-1006', actor: 'E-1006', address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) };
  expect((await recorded(mine)) as unknown[]).toEqual([row]);
  await read('', other);
  expect((await recorded(other)) as unknown[]).toEqual([row]);
  for (const at of [desk, replica]) at.advance(601);
  for (const at of [desk, replica]) await read('', mine, at);
  expect(await recorded(mine)).toHaveLength(2);
});

test('no rows are returned if reading them cannot be audited', async () => {
  const token = await desk.signIn('E-1006');
  const unlock = await desk.database.lock();
  const response = await desk.get('/admin/audit', bearer(token));
  await unlock();
  await expectProblem(response, 'storage-unavailable', 503);
});

test('commands are audited under the account of the system, or the name that is given', async () => {
  const run = (...words: string[]) => runToEnd(words, desk.commandEnv, desk.folder);
  const { stdout } = Bun.spawnSync(['id', '-un']);
  await desk.signIn('E-1004');
  await desk.signIn('E-1005');
  const { last = 0 } = (await desk.database.query<{ last: number }>('select last from audit_counter'))[0] ?? {};
  for (const words of [
    // This call has no --as, and no environment variable names the account.
    ['sessions', 'end', '--person', 'E-1004'],
    ['sessions', 'end', '--person', 'E-1005', '--as', 'ticket 42'],
    ['people', 'move', 'E-1004', 'https://new.example', 'abc', '--as', 'ticket 43'],
    ['keys', 'rotate', '--now', '--as', 'ticket 44'],
  ]) {
    expect([words, (await run(...words)).exitCode]).toEqual([words, 0]);
  }
  const { rows } = await read(`?after=${last}&limit=4`, await desk.signIn('E-1006'));
  expect(rows.map(({ type, person, actor }) => [type, person, actor])).toEqual([
    ['session-ended', 'E-1004', `command line (${stdout.toString().trim()})`],
    ['session-ended', 'E-1005', 'command line (ticket 42)'],
    ['person-moved', 'E-1004', 'command line (ticket 43)'],
    ['key-activated', null, 'command line (ticket 44)'],
  ]);
});

describe('who changed what', () => {
  let token: string;
  beforeAll(async () => {
    token = await desk.signIn('E-1006');
    const admin = await desk.signIn('E-1001');
    const items = [
      { value: 'WELDER', label: 'Welder', labels: { de: 'Schweißer' } },
      { value: 'BAKER', label: 'Baker' },
    ];
    await send(admin, 'POST', '/apply', { lists: { craft: { title: 'Crafts', items } } });
    await send(admin, 'PATCH', '/craft/items/WELDER', { label: 'Senior welder', reason: 'New scale' }, 1);
    await send(admin, 'PATCH', '/craft/items/WELDER', { label: 'Fitter' }, 2);
    await send(admin, 'PATCH', '/craft/items/BAKER', { description: 'Bread' }, 3);
    await send(admin, 'POST', '/apply', { lists: { 'craft-of-old': { title: 'Old', items } } });
  });
  const send = async (admin: string, method: string, path: string, body: object, version = 0) => {
    const headers = { ...bearer(admin), 'content-type': 'application/json', 'if-match': `"${version}"` };
    const init = { method, headers, body: JSON.stringify(body) };
    expect((await fetch(`${desk.url}/admin/lookups${path}`, init)).ok).toBe(true);
  };
  const details = async (query: string) => (await read(query, token)).rows.map(({ detail }) => detail);

  test('by list, only the changes of that list are found, page by page', async () => {
    const versions = [1, 2, 3, 4].map((version) => `craft version ${version}`);
    expect(await details('?list=craft')).toEqual(versions);
    expect(await details('?list=craft&after=0&limit=2')).toEqual(versions.slice(0, 2));
    const newest = await read('?list=craft&limit=2', token);
    expect(newest.rows.map(({ detail }) => detail)).toEqual(versions.slice(2));
    const older = await read(new URL(newest.older ?? '').search, token);
    expect([older.rows.map(({ detail }) => detail), older.older === undefined]).toEqual([versions.slice(0, 2), false]);
    expect((await read(new URL(older.older ?? '').search, token)).rows).toEqual([]);
    expect(await details('?list=no-such-list')).toEqual([]);
    expect(await details('?list=craft&type=sign-in')).toEqual([]);
  });

  test('by name, words of the current name or the employee ID are searched', async () => {
    expect((await read('?list=craft&limit=1', token)).rows).toMatchObject([
      { person: 'E-1001', personName: 'Ada Park' },
    ]);
    for (const name of ['ada', 'PARK%20Ad', 'E-1001']) {
      expect([name, (await details(`?list=craft&name=${name}`)).length]).toEqual([name, 4]);
    }
    for (const name of ['dapark', 'Ines', 'nobody', 'ada%20ines']) {
      expect([name, await details(`?list=craft&name=${name}`)]).toEqual([name, []]);
    }
    // `d` matches Maria del Carmen Ruiz and Ines Duarte. The rows of both are returned in order.
    for (const person of ['E-1006', 'E-1003', 'E-1006', 'E-1003']) await desk.signIn(person);
    const all = (await read('?name=d&type=sign-in&limit=1000', token)).rows;
    expect(new Set(all.map(({ person }) => person))).toEqual(new Set(['E-1003', 'E-1006']));
    expect(all.slice(-4).map(({ person }) => person)).toEqual(['E-1006', 'E-1003', 'E-1006', 'E-1003']);
    expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => a - b));
  });

  test('by words, the states before and after, translations, reasons, names and rows are searched', async () => {
    expect(await details('?list=craft&q=senior')).toEqual(['craft version 2', 'craft version 3']);
    expect(await details('?list=craft&q=fitt')).toEqual(['craft version 3']);
    expect(await details('?list=craft&q=schweisser')).toEqual([1, 2, 3].map((version) => `craft version ${version}`));
    expect(await details('?list=craft&q=ada%20scale')).toEqual(['craft version 2']);
    // All words must be in the same change. Version 1 has both values, but in two changes.
    expect(await details('?list=craft&q=welder%20baker')).toEqual([]);
    expect(await details('?q=bread&since=2026-01-01')).toEqual(['craft version 4']);
    expect(await details('?q=bread&after=0')).toEqual(['craft version 4']);
  });

  test('a search continues where the last one ended', async () => {
    const found: (string | null)[] = [];
    let [query, steps] = ['?list=craft&q=welder&limit=1', 0];
    for (; query !== '' && steps < 9; steps++) {
      const { rows, older } = await read(query, token);
      found.push(...rows.map(({ detail }) => detail));
      query = older === undefined ? '' : new URL(older).search;
    }
    expect([found, steps]).toEqual([['craft version 3', 'craft version 2', 'craft version 1'], 4]);
  });

  test.each(['name=', 'list=', 'q=', 'q=%00', 'who=Ada', `q=${'a'.repeat(101)}`])('%s is 400', async (query) => {
    await expectProblem(await desk.get(`/admin/audit?${query}`, bearer(token)), 'invalid-request', 400);
  });

  test('a person who was forgotten is not found by name', async () => {
    await desk.signIn('E-1005');
    const [{ name = '' } = {}] = await desk.database.query<{ name: string }>(
      "select name from person where employee_id = 'E-1005'",
    );
    const query = `?type=sign-in&name=${encodeURIComponent(name)}`;
    expect((await details(query)).length).toBeGreaterThan(0);
    const { exitCode } = await runToEnd(['people', 'forget', 'E-1005'], desk.commandEnv, desk.folder);
    expect(exitCode).toBe(0);
    expect(await details(query)).toEqual([]);
    expect(await details('?type=sign-in&name=E-1005')).toEqual([]);
  });

  test('what each entry changed is in the history, which auditors may read', async () => {
    const response = await desk.get('/admin/lookups/craft/history?before=4&limit=1', bearer(token));
    expect(response.status).toBe(200);
    expect((await response.json()) as object[]).toMatchObject([
      { version: 3, changes: [{ before: { label: 'Senior welder' }, after: { label: 'Fitter' } }] },
    ]);
  });
});
