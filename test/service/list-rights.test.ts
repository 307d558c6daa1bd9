// Who may do what with which list, on every path that touches one.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { readCommandLine } from '../../src/cli/arguments.ts';
import { runOverHttp } from '../../src/cli/remote-lists.ts';
import { loadContract } from '../support/contract.ts';
import { bearer, type Frontdesk, startFrontdesk, startWithProvider } from '../support/frontdesk.ts';
import { everybody, startWithListPeople, type Who } from '../support/list-people.ts';
import { type ListKeeping, listKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { until } from '../support/waiting.ts';

let desk: Frontdesk;
let tokenOf: (who: Who) => string;
let keeping: ListKeeping;
beforeAll(async () => {
  ({ desk, tokenOf, keeping } = await startWithListPeople());
});
afterAll(() => desk.stop());

const headersOf = (who: Who) => (who === 'nobody' ? {} : bearer(tokenOf(who)));
const get = (who: Who, path: string, headers = {}) => desk.get(path, { ...headersOf(who), ...headers });
function send(who: Who, method: string, path: string, body: unknown, version?: number) {
  const headers = {
    ...headersOf(who),
    'content-type': 'application/json',
    ...(version !== undefined && { 'if-match': `"${version}"` }),
  };
  return fetch(desk.url + path, { method, headers, body: JSON.stringify(body) });
}

/** A version that no list has: permitted changes are refused with 412, so nothing changes. */
const wrong = 999;
const one = { value: 'ONE', label: 'One' };
const yaml = { accept: 'application/yaml' };
const csv = { accept: 'text/csv' };

interface Row {
  operation: string;
  path: string;
  /** What is special about the row, if its path does not show it. */
  about?: string;
  /** The statuses for admin, keeper-a, keeper-b, reader-a, planner, auditor, anybody, program, nobody. */
  statuses: string;
  body?: unknown;
  version?: number;
  headers?: Record<string, string>;
}

const readA = '200 200 403 200 403 403 403 200 401';
const readB = '200 403 200 403 403 403 403 403 401';
const readOpen = '200 200 200 200 200 200 200 200 401';
const readNone = '404 404 404 404 404 404 404 404 401';
const seeA = '200 200 403 403 200 200 403 403 401';
const seeB = '200 403 200 403 200 200 403 403 401';
const seeNone = '404 404 404 403 404 404 403 403 401';
const changeA = '412 412 403 403 403 403 403 403 401';
const changeB = '412 403 412 403 403 403 403 403 401';
const changeNone = '404 404 404 403 403 403 403 403 401';
const seeOpen = '200 403 403 403 200 200 403 403 401';
const changeOpen = '412 403 403 403 403 403 403 403 401';
/** Everybody who may see a list may plan changes to it, except auditors. */
const planA = '200 200 403 403 200 403 403 403 401';
const planB = '200 403 200 403 200 403 403 403 401';
const planAny = '200 403 403 403 200 403 403 403 401';
const seeSome = '200 200 200 403 200 200 403 403 401';

/** What a person may see in the administration, and who may change it, list by list. */
const seen = { 'list-a': seeA, 'list-b': seeB, 'list-gone': seeA, position: seeOpen, 'no-such-list': seeNone };
const changed = {
  'list-a': changeA,
  'list-b': changeB,
  'list-gone': changeA,
  position: changeOpen,
  'no-such-list': changeNone,
};

/** Makes a row for each list. */
const eachList = (statuses: Record<string, string>, method: string, path: string, more: Partial<Row> = {}): Row[] =>
  Object.entries(statuses).map(([list, each]) => ({
    operation: `${method} /admin/lookups/{list}${path.replace(/\?.*/, '').replace('ONE', '{value}').replace('1', '{version}')}`,
    path: `/admin/lookups/${list}${path}`,
    statuses: each,
    ...more,
  }));
const change = (method: string, path: string, body: object) =>
  eachList(changed, method, path, { body, version: wrong });
const read = (path: string, statuses: string, more: Partial<Row> = {}, method = 'GET'): Row => ({
  operation: `${method} /employee/{list}`,
  path: `/employee/${path}`,
  statuses,
  ...more,
});
/** Makes a row for an operation without parameters in its path. */
const plain = (operation: string, statuses: string, more: Partial<Row> = {}): Row => ({
  operation,
  path: operation.replace(/^\w+ /, ''),
  statuses,
  ...more,
});

const document = (path: string, about: string, statuses: string, lists: object): Row => ({
  operation: `POST /admin/lookups/${path}`,
  path: `/admin/lookups/${path}`,
  about,
  statuses,
  body: { lists },
});

const rows: Row[] = [
  read('list-a', readA),
  read('list-b', readB),
  read('list-gone', readNone),
  read('no-such-list', readNone),
  read('No_List', readNone),
  read('list-a?include=ONE', readA),
  read('list-b?include=ONE', readB),
  read('list-a?asOf=2026-01-01', readA),
  read('list-b?asOf=2099-01-01', readB),
  read('list-gone?asOf=2026-01-01', readNone),
  read('list-a', '304 304 403 304 403 403 403 304 401', { about: 'with any tag', headers: { 'if-none-match': '*' } }),
  read('list-a', readA, {}, 'HEAD'),
  read('list-b', readB, {}, 'HEAD'),
  read('list-gone', readNone, {}, 'HEAD'),
  plain('GET /employee/position', readOpen),
  plain('GET /employee/overtime-eligibility', readOpen),
  plain('GET /employee/employment-type', readOpen),
  plain('GET /employee/employee-level', readOpen),
  plain('GET /lookups', readOpen),
  plain('HEAD /lookups', readOpen),
  plain('GET /lookups/titles', readOpen),
  plain('HEAD /lookups/titles', readOpen),
  plain('GET /lookups/changes', readOpen),
  plain('POST /lookups/validate', readOpen, { body: { 'list-a': 'ONE', 'list-b': 'ONE' } }),
  plain('GET /admin/search', seeSome, { path: '/admin/search?q=one' }),
  plain('GET /admin/permissions', readOpen),
  plain('GET /admin/roles', '200 403 403 403 403 403 403 403 401'),
  plain('GET /admin/lookups', seeSome),
  plain('HEAD /admin/lookups', seeSome),
  plain('POST /admin/lookups', '409 403 403 403 403 403 403 403 401', {
    about: 'with a name that is taken',
    body: { list: 'list-a', title: 'A' },
  }),
  ...['', '/history', '/history?value=ONE', '/last-changes', '/versions/1'].flatMap((path) =>
    eachList(seen, 'GET', path),
  ),
  ...eachList({ 'list-a': seeA }, 'GET', '', { about: 'as YAML', headers: yaml }),
  ...eachList({ 'list-b': seeB }, 'GET', '', { about: 'as CSV', headers: csv }),
  ...eachList({ 'list-a': seeA }, 'HEAD', ''),
  ...change('PATCH', '', { title: 'Other' }),
  ...change('POST', '/items', { value: 'TWO', label: 'Two' }),
  ...change('PATCH', '/items/ONE', { label: 'Uno' }),
  ...change('POST', '/items/ONE/retire', {}),
  ...change('POST', '/items/ONE/restore', {}),
  ...change('PUT', '/order', { values: ['ONE'] }),
  ...change('POST', '/undo', { version: 1 }),
  document('plan', 'of list-a', planA, { 'list-a': { title: 'Other', items: [one] } }),
  document('plan', 'of list-b', planB, { 'list-b': { title: 'Other', items: [one] } }),
  document('plan', 'of both', planAny, { 'list-a': { items: [one] }, 'list-b': {} }),
  document('plan', 'of a new list', planAny, { 'list-new': { items: [one] } }),
  document('plan', 'of unchanged readers', planA, { 'list-a': { readers: ['READS A'], keepers: ['KEEPS A'] } }),
  document('plan', 'of other readers', planAny, { 'list-a': { readers: null } }),
  document('plan', 'of other keepers', planAny, { 'list-a': { keepers: ['READS A'] } }),
  document('plan', 'of an archive', planAny, { 'list-a': { archived: true } }),
  document('plan', 'of a restored list', planAny, { 'list-gone': { archived: false } }),
  document('apply', 'of list-a', changeA, { 'list-a': { title: 'Other', version: wrong } }),
  document('apply', 'of list-b', changeB, { 'list-b': { title: 'Other', version: wrong } }),
  document('apply', 'of both', changeOpen, {
    'list-a': { title: 'Other', version: wrong },
    'list-b': { items: [one] },
  }),
  document('apply', 'of list-a and a new list', changeOpen, {
    'list-a': { title: 'Other', version: wrong },
    'list-new': { items: [one] },
  }),
  ...[{ readers: null }, { keepers: ['READS A'] }, { archived: true }].map((settings) =>
    document('apply', `of ${Object.keys(settings)[0]}`, changeOpen, {
      'list-a': { ...settings, version: wrong },
    }),
  ),
  document('apply', 'of nothing new', '200 200 403 403 403 403 403 403 401', {
    'list-a': { readers: ['READS A'], keepers: ['KEEPS A'], archived: false, items: [one] },
  }),
];

describe('who may do what', () => {
  test.each(rows.map((row): [string, Row] => [[row.operation, row.path, row.about].join(' '), row]))(
    '%s',
    async (_, { operation, path, body, version, headers = {}, statuses }) => {
      const [method = ''] = operation.split(' ');
      const asked = everybody.map(async (who) => {
        const isRead = method === 'GET' || method === 'HEAD';
        const response = isRead
          ? await fetch(desk.url + path, { method, headers: { ...headersOf(who), ...headers } })
          : await send(who, method, path, body, version);
        await response.body?.cancel();
        return response.status;
      });
      expect((await Promise.all(asked)).join(' ')).toBe(statuses);
    },
  );

  test('the table above has every operation on lists', async () => {
    const { operations } = await loadContract(desk.url);
    const ofLists = operations
      .map(({ name }) => name)
      .filter((name) => /\/(lookups|employee|permissions|roles|search)/.test(name));
    expect(
      [...new Set(rows.map(({ operation }) => operation))].filter((name) => !name.startsWith('HEAD')).sort(),
    ).toEqual(ofLists.sort());
  });

  test('and the operations in it have left the lists unchanged', async () => {
    expect(await keeping.read('list-a')).toMatchObject({ title: 'list-a', version: 1, archived: false });
    expect(await keeping.read('list-b')).toMatchObject({ title: 'list-b', version: 1 });
    expect((await get('admin', '/admin/lookups/list-new')).status).toBe(404);
  });
});

describe('what each person sees', () => {
  const standard = ['employee-level', 'employment-type', 'overtime-eligibility', 'position'];

  test.each<[Who, string[]]>([
    ['admin', [...standard, 'list-a', 'list-b']],
    ['keeper-a', [...standard, 'list-a']],
    ['keeper-b', [...standard, 'list-b']],
    ['reader-a', [...standard, 'list-a']],
    ['planner', standard],
    ['anybody', standard],
    ['program', [...standard, 'list-a']],
  ])('in /lookups and /lookups/titles, %s', async (who, lists) => {
    for (const path of ['/lookups', '/lookups/titles'])
      expect(Object.keys((await (await get(who, path)).json()) as object)).toEqual(lists.sort());
  });

  test('the ETag of /lookups depends on the lists in the answer', async () => {
    const tagOf = async (who: Who) => (await get(who, '/lookups')).headers.get('etag') ?? '';
    expect(await tagOf('reader-a')).toBe(await tagOf('program'));
    expect(await tagOf('reader-a')).not.toBe(await tagOf('anybody'));
    const theirs = { 'if-none-match': await tagOf('admin') };
    expect((await get('anybody', '/lookups', theirs)).status).toBe(200);
    expect((await get('admin', '/lookups', theirs)).status).toBe(304);
  });

  test.each<[Who, string[]]>([
    ['admin', [...standard, 'list-a', 'list-b', 'list-gone']],
    ['keeper-a', ['list-a', 'list-gone']],
    ['keeper-b', ['list-b']],
    ['planner', [...standard, 'list-a', 'list-b', 'list-gone']],
    ['auditor', [...standard, 'list-a', 'list-b', 'list-gone']],
  ])('in /admin/lookups, %s', async (who, lists) => {
    const summaries = (await (await get(who, '/admin/lookups')).json()) as { list: string }[];
    expect(summaries.map(({ list }) => list)).toEqual(lists.sort());
  });

  test.each<[Who, boolean, boolean, boolean]>([
    ['admin', true, true, false],
    ['keeper-a', true, false, false],
    ['keeper-b', true, false, false],
    ['reader-a', false, false, false],
    ['planner', true, false, false],
    ['anybody', false, false, false],
    ['program', false, false, false],
    ['auditor', true, false, true],
  ])('in /admin/permissions, %s', async (who, seeLists, createLists, readAudit) => {
    const answer = await get(who, '/admin/permissions');
    expect(await answer.json()).toEqual({ seeLists, createLists, readAudit });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    // The reported permissions match what the operations allow.
    expect((await get(who, '/admin/lookups')).status).toBe(seeLists ? 200 : 403);
    expect((await send(who, 'POST', '/admin/lookups', { list: 'list-a', title: 'A' })).status).toBe(
      createLists ? 409 : 403,
    );
    expect((await get(who, '/admin/audit')).status).toBe(readAudit ? 200 : 403);
  });

  test('in /admin/roles, the roles of people, of programs and of settings, each once, and nothing else', async () => {
    const answer = await get('admin', '/admin/roles');
    const { roles, ...rest } = (await answer.json()) as { roles: string[] };
    expect(rest).toEqual({});
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(roles).toEqual([...new Set(roles)].sort());
    // The answer contains people's roles and a role that only a setting names, but no employee ID.
    expect(roles).toContain('KEEPS A');
    expect(roles).toContain('LOOKUP_ADMIN');
    expect(roles).toContain('TOKEN_INTROSPECTOR');
    expect(roles).not.toContain('E-1001');
  });

  test.each<[Who, string[]]>([
    ['admin', ['list-a', 'list-b', 'list-gone']],
    ['keeper-a', ['list-a', 'list-gone']],
    ['keeper-b', ['list-b']],
    ['planner', ['list-a', 'list-b', 'list-gone']],
    ['auditor', ['list-a', 'list-b', 'list-gone']],
  ])('in /admin/search, %s', async (who, lists) => {
    const inItems = (await (await get(who, '/admin/search?q=one')).json()) as { items: { list: string }[] };
    expect(inItems.items.map(({ list }) => list)).toEqual(lists);
    const inLists = (await (await get(who, '/admin/search?q=list')).json()) as { lists: { list: string }[] };
    expect(inLists.lists.map(({ list }) => list)).toEqual(lists);
  });

  test('a value of an unreadable list is not judged, and one of an archived list is archived', async () => {
    const judged = async (who: Who) => {
      const sent = { 'list-a': ['ONE', 'NONE'], 'list-gone': 'ONE' };
      const { results } = (await (await send(who, 'POST', '/lookups/validate', sent)).json()) as {
        results: { list: string; value: string; status: string }[];
      };
      return results.map(({ status }) => status);
    };
    expect(await judged('reader-a')).toEqual(['active', 'unknown', 'archived']);
    expect(await judged('anybody')).toEqual(['forbidden', 'forbidden', 'archived']);
  });
});

describe('parents in a list that somebody may not read', () => {
  const parents = { 'list-b': ['ONE'], position: ['ACCOUNTANT'] };
  let version: number;
  beforeAll(async () => {
    ({ version } = await keeping.change('PATCH', 'list-a', '/items/ONE', { parents }));
  });
  afterAll(() =>
    keeping.change('PATCH', 'list-a', '/items/ONE', { label: 'One', parents: { 'list-b': null, position: null } }),
  );
  const relabel = { 'list-a': { items: [{ ...one, label: 'Other' }] } };
  const json = (who: Who, path: string) => get(who, `/admin/lookups/${path}`);

  test.each<[string, Who, (who: Who) => Promise<Response>]>([
    ['of fields', 'reader-a', (who) => get(who, '/employee/list-a?fields=parents')],
    ['of fields on a past day', 'reader-a', (who) => get(who, '/employee/list-a?fields=parents&asOf=2020-01-01')],
    ['of the list', 'keeper-a', (who) => json(who, 'list-a')],
    ['as YAML', 'keeper-a', (who) => get(who, '/admin/lookups/list-a', yaml)],
    ['as CSV', 'keeper-a', (who) => get(who, '/admin/lookups/list-a', csv)],
    ['of the history', 'keeper-a', (who) => json(who, 'list-a/history')],
    ['of the history of a value', 'keeper-a', (who) => json(who, 'list-a/history?value=ONE')],
    ['of a version', 'keeper-a', (who) => json(who, `list-a/versions/${version}`)],
    ['of a plan', 'keeper-a', (who) => send(who, 'POST', '/admin/lookups/plan', { lists: relabel })],
    ['of an apply', 'keeper-a', (who) => send(who, 'POST', '/admin/lookups/apply', { lists: relabel })],
    ['of a change', 'keeper-a', (who) => changeNow(who, 'PATCH', '/items/ONE', { label: 'Changed' })],
    ['of an undo', 'keeper-a', (who) => changeNow(who, 'POST', '/undo', { version })],
    ['of a conflict', 'keeper-a', (who) => send(who, 'PATCH', '/admin/lookups/list-a', { title: 'A' }, version - 1)],
  ])('are left out of the answer %s', async (about, who, ask) => {
    // The admin, who may see the parents, asks first: the cached answer must not be given to the next person.
    const whole = await (await ask('admin')).text();
    if (about === 'of an apply') await keeping.change('POST', 'list-a', '/undo', { version });
    const seen = await (await ask(who)).text();
    expect([whole.includes('list-b'), whole.includes('position')]).toEqual([true, true]);
    expect([seen.includes('list-b'), seen.includes('position')]).toEqual([false, true]);
  });

  async function changeNow(who: Who, method: string, path: string, body: object): Promise<Response> {
    return send(who, method, `/admin/lookups/list-a${path}`, body, (await keeping.read('list-a')).version);
  }

  test('are not revealed by where and validate', async () => {
    const refused = await get('reader-a', '/employee/list-a?where=list-b:ONE');
    const unreadable = { field: 'where', message: 'there is no list list-b that you may read' };
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [unreadable] }]);
    expect((await get('admin', '/employee/list-a?where=list-b:ONE')).status).toBe(200);
    const judged = async (who: Who) => {
      const response = await send(who, 'POST', '/lookups/validate', { 'list-a': 'ONE', 'list-b': 'NONE' });
      return ((await response.json()) as { results: { status: string }[] }).results.map(({ status }) => status);
    };
    expect(await judged('admin')).toEqual(['not-with-parent', 'unknown']);
    expect(await judged('reader-a')).toEqual(['active', 'forbidden']);
  });

  test.each([[['ONE']], [['NONE']], [null]])(
    'cannot be set to %j by a keeper, whatever parents the item has',
    async (values) => {
      const path = '/admin/lookups/list-a';
      const fault = 'must be a list that exists and that you may read';
      const sent = { ...one, parents: { 'list-b': values } };
      const { version: seen } = await keeping.read('list-a');
      const answers = [
        await send('keeper-a', 'PATCH', `${path}/items/ONE`, { parents: sent.parents }, seen),
        await send('keeper-a', 'POST', '/admin/lookups/apply', { lists: { 'list-a': { items: [sent] } } }),
      ];
      for (const answer of answers) {
        expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ message: fault }] }]);
      }
      expect((await keeping.read('list-a')).items[0]?.parents).toEqual(parents);
    },
  );
});

describe('a keeper of one list', () => {
  test('may change its items, title and description, and may undo changes', async () => {
    const path = '/admin/lookups/list-b';
    const settings = { title: 'B', description: 'Of B' };
    expect((await send('keeper-b', 'PATCH', path, settings, 1)).status).toBe(200);
    expect((await send('keeper-b', 'POST', `${path}/items`, { value: 'TWO', label: 'Two' }, 2)).status).toBe(201);
    expect((await send('keeper-b', 'POST', `${path}/undo`, { version: 1 }, 3)).status).toBe(200);
    const document = { lists: { 'list-b': { title: 'B', items: [one] } } };
    expect((await send('keeper-b', 'POST', '/admin/lookups/apply', document)).status).toBe(200);
    const history = (await (await get('keeper-b', `${path}/history`)).json()) as { by: string }[];
    expect(history.map(({ by }) => by)).toEqual(['keeper-b', 'keeper-b', 'keeper-b', 'keeper-b', 'admin']);
  });

  test('learns nothing about an unreadable list by naming its values as parents', async () => {
    const path = '/admin/lookups/list-a';
    const { version } = await keeping.read('list-a');
    const ask = async (list: string, value: string) => {
      const item = { value: 'CHILD', label: 'Child', parents: { [list]: [value] } };
      const document = { lists: { 'list-a': { items: [item] } } };
      const answers = [
        await send('keeper-a', 'POST', `${path}/items`, item, version),
        await send('keeper-a', 'PATCH', `${path}/items/ONE`, { parents: item.parents }, version),
        await send('keeper-a', 'POST', '/admin/lookups/plan', document),
        await send('keeper-a', 'POST', '/admin/lookups/apply', document),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<{ errors: unknown }>));
      return JSON.stringify(bodies.map(({ errors }) => errors));
    };
    const said = await ask('list-b', 'ONE');
    expect(said).toContain('must be a list that exists and that you may read');
    expect(await ask('list-b', 'NONE')).toBe(said);
    expect(await ask('list-x', 'ONE')).toBe(said.replaceAll('list-b', 'list-x'));
  });

  test('keeps the parents that others have named, and may name those they read', async () => {
    await keeping.apply('list-a', [{ ...one, parents: { 'list-b': ['ONE'] } }]);
    const exported = await (await get('keeper-a', '/admin/lookups/list-a', yaml)).text();
    const edited = exported.replace('label: One', 'label: First').replace(/version: .*/, '');
    const headers = { ...headersOf('keeper-a'), 'content-type': 'application/yaml' };
    const applied = await fetch(`${desk.url}/admin/lookups/apply`, { method: 'POST', headers, body: edited });
    expect(applied.status).toBe(200);
    const { items } = await keeping.read('list-a');
    expect(items).toMatchObject([{ label: 'First', parents: { 'list-b': ['ONE'] } }]);
    await keeping.change('PATCH', 'list-a', '/items/ONE', { label: 'One', parents: { 'list-b': null } });
    const { version } = await keeping.read('list-a');
    const parents = { position: ['ACCOUNTANT'] };
    const path = '/admin/lookups/list-a/items/ONE';
    expect((await send('keeper-a', 'PATCH', path, { parents }, version)).status).toBe(200);
    expect((await send('keeper-a', 'PATCH', path, { parents: { position: null } }, version + 1)).status).toBe(200);
  });

  test.each([
    { readers: ['X'] },
    { readers: null },
    { keepers: null },
    { archived: true },
    { title: 'T', archived: true },
  ])('may not send %j', async (settings) => {
    const before = await keeping.read('list-a');
    await expectProblem(
      await send('keeper-a', 'PATCH', '/admin/lookups/list-a', settings, before.version),
      'forbidden',
      403,
    );
    expect(await keeping.read('list-a')).toEqual(before);
  });

  test('may not bring an archived list back, and may still change it', async () => {
    const path = '/admin/lookups/list-gone';
    await expectProblem(await send('keeper-a', 'PATCH', path, { archived: false }, 1), 'forbidden', 403);
    expect((await send('keeper-a', 'POST', `${path}/items`, { value: 'TWO', label: 'Two' }, 1)).status).toBe(201);
    expect((await send('admin', 'PATCH', path, { archived: false }, 2)).status).toBe(200);
    expect((await (await get('anybody', '/employee/list-gone')).json()) as unknown[]).toHaveLength(2);
    expect((await send('admin', 'PATCH', path, { archived: true }, 3)).status).toBe(200);
    await expectProblem(await get('anybody', '/employee/list-gone'), 'not-found', 404);
  });

  test('may use the command line over HTTP for their own lists only', async () => {
    const run = async (who: Who, ...words: string[]) => {
      const call = readCommandLine(['lookups', ...words, '--url', desk.url]);
      if ('help' in call) throw new Error(call.help);
      const { url = '', ...options } = call.args.options;
      try {
        return await runOverHttp(call.name, { ...call.args, options }, url, { FRONTDESK_TOKEN: tokenOf(who) });
      } catch (error) {
        return error as { exitCode: number; message: string };
      }
    };
    const exported = String(await run('keeper-a', 'export'));
    expect(exported).toContain('  list-a:\n');
    expect(exported).toContain('  list-gone:\n');
    expect(exported).not.toContain('list-b');
    expect(exported).not.toContain('position');
    // `history` returns no text. It writes to standard output while it reads.
    const written = spyOn(process.stdout, 'write').mockImplementation(((_: string, done: () => void) => {
      done();
      return true;
    }) as typeof process.stdout.write);
    expect(await run('keeper-a', 'history', 'list-a')).toBe('');
    const history = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    expect(history).toContain('version 1');
    expect(await run('keeper-a', 'export', 'list-b')).toMatchObject({ message: 'There is no list list-b.' });
    const file = `${desk.folder}/b.yaml`;
    await Bun.write(file, 'lists:\n  list-b:\n    title: Mine\n');
    expect(await run('keeper-a', 'plan', file)).toMatchObject({ exitCode: 77 });
    expect(await run('keeper-a', 'apply', file)).toMatchObject({ exitCode: 77 });
    expect(await run('keeper-b', 'plan', file)).toMatchObject({ exitCode: 2 });
    expect(await run('reader-a', 'export')).toMatchObject({ exitCode: 77 });
  });
});

/** Reads a stream of changes. `until` waits until the stream names `last`, and returns all lists that it has named so far. */
function watchLists({ body }: Response) {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const lists = () => Array.from(text.matchAll(/"list":"([^"]+)"/g), ([, list = '']) => list);
  return {
    async until(last: string): Promise<string[]> {
      while (!lists().includes(last)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`closed after ${text}`);
        text += new TextDecoder().decode(value);
      }
      return lists();
    },
    cancel: () => reader.cancel(),
  };
}

describe('the stream of changes', () => {
  const watch = async (who: Who, headers = {}) => watchLists(await get(who, '/lookups/changes', headers));
  const rename = (list: string) => keeping.change('PATCH', list, '', { title: crypto.randomUUID() });

  test('names the lists that the person may read, and no others', async () => {
    const [reader, other] = [await watch('reader-a'), await watch('anybody')];
    await rename('list-a');
    await rename('list-b');
    await rename('position');
    expect(await reader.until('position')).toEqual(['list-a', 'position']);
    expect(await other.until('position')).toEqual(['position']);
    await Promise.all([reader.cancel(), other.cancel()]);
    // If a stream resumes from an earlier event, the changes that it missed are restricted in the same way.
    const [again, otherAgain] = [
      await watch('reader-a', { 'last-event-id': '100000' }),
      await watch('anybody', { 'last-event-id': '100000' }),
    ];
    expect(await again.until('position')).toContain('list-a');
    expect(await otherAgain.until('position')).not.toContain('list-a');
    await Promise.all([again.cancel(), otherAgain.cancel()]);
  });

  test('follows a change of readers: an open stream gets nothing more about a list that becomes unreadable', async () => {
    await keeping.send('POST', '', { list: 'list-c', title: 'C' });
    const [reader, admin] = [await watch('anybody'), await watch('admin')];
    await rename('list-c');
    await keeping.change('PATCH', 'list-c', '', { readers: ['BOARD'] });
    await rename('list-c');
    await keeping.change('PATCH', 'list-c', '', { readers: null });
    await rename('position');
    expect(await reader.until('position')).toEqual(['list-c', 'list-c', 'position']);
    expect(await admin.until('position')).toEqual(['list-c', 'list-c', 'list-c', 'list-c', 'position']);
    await Promise.all([reader.cancel(), admin.cancel()]);
  });

  test('announces that a list was archived to people who could read it', async () => {
    await keeping.send('POST', '', { list: 'list-d', title: 'D' });
    const reader = await watch('anybody');
    await keeping.change('PATCH', 'list-d', '', { archived: true });
    expect(await reader.until('list-d')).toEqual(['list-d']);
    await reader.cancel();
    await expectProblem(await get('anybody', '/employee/list-d'), 'not-found', 404);
  });
});

test('people who may read no list are refused everywhere, even for lists that do not exist', async () => {
  const closed = await startWithListPeople({ LOOKUP_READ_ROLES: 'STAFF' });
  const token = bearer(closed.tokenOf('anybody'));
  const paths = ['/employee/position', '/employee/list-a', '/employee/list-gone', '/employee/no-such-list', '/lookups'];
  for (const path of [...paths, '/lookups/titles', '/lookups/changes']) {
    await expectProblem(await closed.desk.get(path, token), 'forbidden', 403);
  }
  const headers = { ...token, 'content-type': 'application/json' };
  const validate = await fetch(`${closed.desk.url}/lookups/validate`, { method: 'POST', headers, body: '{}' });
  await expectProblem(validate, 'forbidden', 403);
  // Keepers read their own lists, and keepers of all lists read every list, whatever LOOKUP_READ_ROLES says.
  const listsOf = async (who: Who) =>
    Object.keys((await (await closed.desk.get('/lookups', bearer(closed.tokenOf(who)))).json()) as object);
  expect(await listsOf('keeper-a')).toEqual(['list-a']);
  expect(await listsOf('admin')).toHaveLength(6);
  await closed.desk.stop();
});

test('keepers need as strong a sign-in for changes as administrators, and the role is checked first', async () => {
  const strict = await startWithListPeople({ KEEP_MAX_AGE_SECONDS: '60' });
  strict.desk.advance(120);
  const ask = (who: Who) => listKeeping(strict.desk, strict.tokenOf(who)).send('PATCH', '/list-a', { title: 'T' }, 1);
  await expectProblem(await ask('keeper-a'), 'stronger-sign-in-needed', 401);
  await expectProblem(await ask('reader-a'), 'forbidden', 403);
  expect((await strict.desk.get('/admin/lookups/list-a', bearer(strict.tokenOf('keeper-a')))).status).toBe(200);
  await strict.desk.stop();
});

test('rights that are changed at one replica apply at the others, and to open streams there', async () => {
  const { desk: first, provider, startReplica } = await startWithProvider();
  const second = await startReplica();
  const [admin, employee] = [bearer(await first.signIn('E-1001')), bearer(await first.signIn('E-1003'))];
  const write = async (method: string, path: string, body: object, version = 0) => {
    const headers = { ...admin, 'content-type': 'application/json', 'if-match': `"${version}"` };
    const response = await fetch(`${first.url}/admin/lookups${path}`, { method, headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
  };
  const reader = watchLists(await second.get('/lookups/changes', employee));
  await write('POST', '', { list: 'pay-band', title: 'Pay band' });
  expect(await reader.until('pay-band')).toEqual(['pay-band']);
  expect((await second.get('/employee/pay-band', employee)).status).toBe(200);
  await write('PATCH', '/pay-band', { readers: ['HR'] }, 1);
  await until(async () => (await second.get('/employee/pay-band', employee)).status === 403);
  await write('PATCH', '/pay-band', { title: 'Closed' }, 2);
  await write('POST', '', { list: 'last', title: 'Last' });
  expect(await reader.until('last')).toEqual(['pay-band', 'last']);
  await reader.cancel();
  await second.stop();
  await first.stop();
  await provider.close();
});

test('rights survive a restart', async () => {
  let own = await startFrontdesk();
  const admin = await own.signIn('E-1001');
  const response = await fetch(`${own.url}/admin/lookups`, {
    method: 'POST',
    headers: { ...bearer(admin), 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'pay-band', title: 'Pay band', readers: ['HR'] }),
  });
  expect(response.status).toBe(201);
  own = await own.restart();
  await expectProblem(await own.get('/employee/pay-band', bearer(await own.signIn('E-1003'))), 'forbidden', 403);
  await own.stop();
});
