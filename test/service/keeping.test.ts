// Changes to lists: nothing is lost, and forms get correct lists throughout.

import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { engine } from '../support/database.ts';
import { bearer, lastsADay, startFrontdesk } from '../support/frontdesk.ts';
import { type Item, type List, type ListKeeping, listKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const desk = shared(startFrontdesk);
let admin: string;
let employee: string;
beforeAll(async () => {
  admin = await desk.signIn('E-1001');
  employee = await desk.signIn('E-1003');
});

function send(
  method: string,
  path: string,
  body: unknown,
  version?: number | string,
  token = admin,
): Promise<Response> {
  return fetch(`${desk.url}/admin/lookups${path}`, {
    method,
    headers: {
      ...bearer(token),
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': typeof version === 'number' ? `"${version}"` : version }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const kept = async (list: string) => (await (await desk.get(`/admin/lookups/${list}`, bearer(admin))).json()) as List;
const keptItem = async (list: string, value: string) => (await kept(list)).items.find((item) => item.value === value);
const served = async (path: string, headers = {}) =>
  (await (await desk.get(path, { ...bearer(employee), ...headers })).json()) as Item[];
const valuesOf = async (path: string) => (await served(path)).map(({ value }) => value);
const etagOf = async (list: string) =>
  (await desk.get(`/employee/${list}`, { ...bearer(employee), 'accept-encoding': 'identity' })).headers.get('etag');

/** Makes a change to the current version. It must succeed. */
async function change(method: string, list: string, path: string, body: unknown): Promise<List> {
  const response = await send(method, `/${list}${path}`, body, (await kept(list)).version);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const after = (await response.json()) as List;
  expect(response.headers.get('etag')).toBe(`"${after.version}"`);
  return after;
}

let made = 0;
let list = '';
/** Each test has its own list with A, B and C. */
beforeEach(async () => {
  list = `list-${++made}`;
  expect((await send('POST', '', { list, title: `List ${made}` })).status).toBe(201);
  for (const value of ['A', 'B', 'C']) await change('POST', list, '/items', { value, label: `Label ${value}` });
});

test('LOOKUP_ADMIN_ROLES names the roles that may keep lists', async () => {
  const own = await startFrontdesk({ LOOKUP_ADMIN_ROLES: 'MANAGER' });
  const statuses = await Promise.all(
    ['E-1001', 'E-1002'].map(async (who) => (await own.get('/admin/lookups', bearer(await own.signIn(who)))).status),
  );
  await own.stop();
  expect(statuses).toEqual([403, 200]);
});

describe('the life of an item', () => {
  test('an added item comes last, and is served at once with a new ETag', async () => {
    const [before, version] = [await etagOf(list), (await kept(list)).version];
    const after = await change('POST', list, '/items', { value: 'D_1', label: 'Ünïcödé 名前', reason: 'new' });
    expect(after.version).toBe(version + 1);
    expect(after.items.at(-1)).toEqual({
      id: expect.any(Number),
      value: 'D_1',
      label: 'Ünïcödé 名前',
      labels: {},
      sortOrder: 40,
      status: 'active',
      validFrom: null,
      validTo: null,
      replacedBy: null,
      retiredAt: null,
      codes: {},
      tags: [],
      description: null,
      parents: {},
    });
    expect((await served(`/employee/${list}`)).at(-1)).toEqual({
      id: expect.any(Number),
      label: 'Ünïcödé 名前',
      value: 'D_1',
      sortOrder: 40,
    } as Item);
    expect(await etagOf(list)).not.toBe(before);
  });

  test('a changed item keeps its value and every field that is not named', async () => {
    const before = await keptItem(list, 'B');
    await change('PATCH', list, '/items/B', { label: 'Renamed' });
    expect(await keptItem(list, 'B')).toEqual({ ...(before as Item), label: 'Renamed' });
    await expectProblem(await send('PATCH', `/${list}/items/X`, { label: 'x' }, 5), 'not-found', 404);
  });

  test('a changed item keeps the translations that are not named, and loses one that is null', async () => {
    await change('PATCH', list, '/items/B', { labels: { de: 'Eins', fr: 'Un' } });
    await change('PATCH', list, '/items/B', { labels: { es: 'Uno', de: 'Ein' } });
    expect((await keptItem(list, 'B'))?.labels).toEqual({ de: 'Ein', es: 'Uno', fr: 'Un' });
    const { version } = await change('PATCH', list, '/items/B', { labels: { fr: null } });
    expect((await keptItem(list, 'B'))?.labels).toEqual({ de: 'Ein', es: 'Uno' });
    // Removing a label that does not exist makes no version, nor does an empty change.
    for (const labels of [{ it: null }, {}]) {
      expect((await change('PATCH', list, '/items/B', { labels })).version).toBe(version);
    }
    const wrong = await send('PATCH', `/${list}/items/B`, { labels: { de: '' } }, version);
    expect([wrong.status, (await keptItem(list, 'B'))?.labels]).toEqual([400, { de: 'Ein', es: 'Uno' }]);
    // Null is refused in a new item, which has nothing to remove.
    const added = await send('POST', `/${list}/items`, { value: 'N', label: 'N', labels: { de: null } }, version);
    expect(added.status).toBe(400);
  });

  test('a replacement is kept unless changed, and replacements never form a cycle', async () => {
    await change('POST', list, '/items/A/retire', { replacedBy: 'B' });
    await change('POST', list, '/items/A/retire', { reason: 'again' });
    expect(await keptItem(list, 'A')).toMatchObject({ replacedBy: 'B' });
    await change('POST', list, '/items/B/retire', { replacedBy: 'C' });
    expect((await send('POST', `/${list}/items/C/retire`, { replacedBy: 'A' }, 6)).status).toBe(400);
  });

  test('an item can be restored by a request without a body', async () => {
    await change('POST', list, '/items/A/retire', {});
    const headers = { ...bearer(admin), 'if-match': '"5"' };
    const path = `${desk.url}/admin/lookups/${list}/items/A/restore`;
    expect((await fetch(path, { method: 'POST', headers })).status).toBe(200);
  });

  test('a replacement is a different item of the list', async () => {
    for (const replacedBy of ['B', 'NOBODY']) {
      const response = await send('POST', `/${list}/items/B/retire`, { replacedBy }, 4);
      expect(((await response.clone().json()) as { errors: object[] }).errors).toEqual([
        { field: 'replacedBy', message: expect.any(String) },
      ]);
      expect(response.status).toBe(400);
    }
  });

  test('items take the order of the values in the request', async () => {
    await change('PUT', list, '/order', { values: ['C', 'A', 'B'] });
    expect(await valuesOf(`/employee/${list}`)).toEqual(['C', 'A', 'B']);
    for (const values of [['C', 'A'], ['C', 'A', 'B', 'B'], ['C', 'A', 'X'], []]) {
      expect((await send('PUT', `/${list}/order`, { values }, 5)).status).toBe(400);
    }
  });

  test('a value is never used twice, retired or not', async () => {
    await change('POST', list, '/items/B/retire', {});
    await expectProblem(
      await withoutErrors(await send('POST', `/${list}/items`, { value: 'B', label: 'x' }, 5)),
      'already-exists',
      409,
    );
  });

  test('the database itself refuses to delete, rename or replace an item', async () => {
    for (const statement of [
      `delete from lookup_item where list = '${list}'`,
      `update lookup_item set value = 'Z' where list = '${list}' and value = 'A'`,
      `update lookup_item set list = 'position' where list = '${list}'`,
      ...(engine === 'sqlite'
        ? [
            `insert or replace into lookup_item (id, list, value, label, sort_order) values (999999, '${list}', 'A', 'x', 1)`,
            `insert or replace into lookup_history (seq, list, version, at, by, reason, change_count, change_hash) select 999999, list, version, at, by, reason, 0, '' from lookup_history where list = '${list}' limit 1`,
            `insert or replace into lookup_change select list, version, nth, value, moved, '{}' from lookup_change where list = '${list}' limit 1`,
          ]
        : ['truncate lookup_item', 'truncate lookup_history', 'truncate lookup_change']),
      'update lookup_history set reason = null',
      'delete from lookup_history',
      "update lookup_change set after = '{}'",
      'delete from lookup_change',
    ]) {
      const outcome = await desk.database.query(statement).then(
        () => 'done',
        () => 'refused',
      );
      expect([statement, outcome]).toEqual([statement, 'refused']);
    }
  });
});

/** Removes the members that only some problems have, so that the rest can be compared. */
async function withoutErrors(response: Response): Promise<Response> {
  const {
    errors: _,
    list: __,
    version: ___,
    changes: ____,
    ...usual
  } = (await response.json()) as Record<string, unknown>;
  return new Response(JSON.stringify(usual), response);
}

test('a missing list or item is 404 to people who may see lists, before version and body are checked', async () => {
  const paths = ['nowhere/items', 'nowhere/undo', 'No%20Name/items', `${list}/items/no%20value/retire`];
  for (const path of paths) {
    const post = (headers: Record<string, string>) =>
      fetch(`${desk.url}/admin/lookups/${path}`, { method: 'POST', headers, body: '{' });
    await expectProblem(await post({}), 'unauthorized', 401);
    await expectProblem(await post(bearer(employee)), 'forbidden', 403);
    await expectProblem(await post(bearer(admin)), 'not-found', 404);
  }
});

test('a 404 names the list', async () => {
  const rows = [
    ['GET', 'nowhere', 'There is no list "nowhere".'],
    ['GET', 'No_Name', 'There is no list "No_Name".'],
    ['GET', 'nowhere/history', 'There is no list "nowhere".'],
    ['GET', `${list}/versions/999`, `There is no list "${list}" with the version "999".`],
    ['PATCH', `${list}/items/NONE`, `There is no list "${list}" with the value "NONE".`],
    ['PATCH', 'nowhere/items/NONE', 'There is no list "nowhere" with the value "NONE".'],
    // Long or invisible text in the address is not repeated in the answer.
    ['GET', 'x'.repeat(65), 'There is nothing at this address.'],
    ['GET', 'a%07b', 'There is nothing at this address.'],
    ['GET', 'a%00b', 'There is nothing at this address.'],
  ] as const;
  for (const [method, path, detail] of rows) {
    const response =
      method === 'GET'
        ? await desk.get(`/admin/lookups/${path}`, bearer(admin))
        : await send(method, `/${path}`, { label: 'x' }, 4);
    expect([response.status, await response.json()]).toMatchObject([404, { detail }]);
  }
});

describe('versions', () => {
  test('a change without the version it was made from is refused', async () => {
    await expectProblem(await send('PATCH', `/${list}/items/A`, { label: 'x' }), 'version-required', 428);
    const statuses = {
      '4': 400,
      '"4': 400,
      '*': 428,
      '"x"': 412,
      '""': 412,
      '"04"': 412,
      '"3"': 412,
      'W/"3"': 412,
      '"4-x"': 412,
      '"3", "4"': 200,
    };
    for (const [header, status] of Object.entries(statuses)) {
      const answer = await send('PATCH', `/${list}/items/A`, { label: 'x' }, header);
      expect([header, answer.status]).toEqual([header, status]);
    }
  });

  test('the ETag that a compressing proxy makes from a version is accepted', async () => {
    for (const tag of ['W/"VERSION"', '"VERSION-gzip"', 'W/"VERSION-br"', '"x", W/"VERSION"']) {
      const { version } = await kept(list);
      const header = tag.replace('VERSION', String(version));
      const answer = await send('PATCH', `/${list}/items/A`, { label: `After ${version}` }, header);
      expect([header, answer.status, (await kept(list)).version]).toEqual([header, 200, version + 1]);
    }
  });

  test('the second of two changes is refused, with what has changed', async () => {
    const { version } = await kept(list);
    expect((await send('PATCH', `/${list}/items/A`, { label: 'first', reason: 'typo' }, version)).status).toBe(200);
    const second = await send('PATCH', `/${list}/items/A`, { label: 'second' }, version);
    const body = (await second.clone().json()) as { version: number; changes: { by: string; reason: string }[] };
    await expectProblem(await withoutErrors(second), 'version-conflict', 412);
    expect(body.version).toBe(version + 1);
    expect(body.changes).toMatchObject([{ version: version + 1, by: 'E-1001', reason: 'typo' }]);
  });

  test('if twenty administrators write at once, one succeeds, and nothing is lost', async () => {
    const { version } = await kept(list);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send('PATCH', `/${list}/items/A`, { label: `by ${index}` }, version)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await keptItem(list, 'A')).toMatchObject({ label: `by ${winner}` });
    expect((await kept(list)).version).toBe(version + 1);
  });

  test('every change succeeds in the end if it is retried: eight changes are eight versions', async () => {
    const { version } = await kept(list);
    await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        for (;;) {
          const seen = (await kept(list)).version;
          const { status } = await send('POST', `/${list}/items`, { value: `V${index}`, label: 'x' }, seen);
          if (status === 201) return;
          expect(status).toBe(412);
        }
      }),
    );
    const after = await kept(list);
    expect(after.version).toBe(version + 8);
    expect(new Set(after.items.map(({ value }) => value)).size).toBe(11);
    expect(new Set(after.items.map(({ id }) => id)).size).toBe(11);
  });

  test('the last version is served, however fast changes come', async () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ value: `V${index}`, label: 'x'.repeat(100) }));
    expect((await send('POST', '/apply', JSON.stringify({ lists: { [list]: { items } } }))).status).toBe(200);
    for (let round = 0; round < 4; round++) {
      const { version } = await kept(list);
      // Each request is sent before the previous one is answered.
      const sent = Array.from({ length: 4 }, async (_, index) => {
        for (let status = 412; status === 412; ) {
          ({ status } = await send('PATCH', `/${list}/items/V0`, { label: `${round}.${index}` }, version + index));
        }
      });
      await Promise.all(sent);
      const label = (await keptItem(list, 'V0'))?.label ?? '';
      const item = (await served(`/employee/${list}`)).find(({ value }) => value === 'V0');
      expect([round, item?.label]).toEqual([round, label]);
    }
  });
});

describe('history and undo', () => {
  interface Step {
    version: number;
    by: string;
    reason: string | null;
    changes: { value: string; before: Item | null; after: Item | null }[];
  }
  const history = async (query = '') =>
    (await (await desk.get(`/admin/lookups/${list}/history${query}`, bearer(admin))).json()) as Step[];

  test('the history says who, when, why, before and after, newest first', async () => {
    await change('PATCH', list, '/items/A', { label: 'New', reason: 'because' });
    const [last, before] = await history();
    expect(last).toMatchObject({ version: 5, by: 'E-1001', reason: 'because' });
    expect(last?.changes).toEqual([
      {
        value: 'A',
        before: expect.objectContaining({ label: 'Label A' }),
        after: expect.objectContaining({ label: 'New' }),
      },
    ]);
    expect(before?.changes[0]).toMatchObject({ value: 'C', before: null });
    expect((await history('?limit=1&before=4')).map(({ version }) => version)).toEqual([3]);
    expect((await desk.get(`/admin/lookups/${list}/history?limit=0`, bearer(admin))).status).toBe(400);
  });

  test('undo brings the list back as a new version, and retires what was added since', async () => {
    const before = await kept(list);
    await change('PATCH', list, '/items/A', { label: 'New', labels: { de: 'Neu' } });
    await change('POST', list, '/items/B/retire', { replacedBy: 'A' });
    await change('POST', list, '/items', { value: 'D', label: 'D' });
    await change('PUT', list, '/order', { values: ['D', 'C', 'A'] });
    const after = await change('POST', list, '/undo', { version: before.version, reason: 'mistake' });
    expect(after.version).toBe(before.version + 5);
    expect(after.items.filter(({ value }) => value !== 'D')).toEqual(before.items);
    expect(after.items.find(({ value }) => value === 'D')).toMatchObject({ status: 'retired' });
    expect(await valuesOf(`/employee/${list}`)).toEqual(['A', 'B', 'C']);
    // The undo itself is undone.
    await change('POST', list, '/undo', { version: before.version + 4 });
    expect(await valuesOf(`/employee/${list}`)).toEqual(['D', 'C', 'A']);
    expect((await send('POST', `/${list}/undo`, { version: 99 }, after.version + 1)).status).toBe(400);
  });
});

describe('all faults are reported by field, at once', () => {
  const faultsOf = async (response: Response) => {
    const { errors } = (await response.json()) as { errors: { field: string; message: string }[] };
    expect(response.status).toBe(400);
    return errors.map(({ field }) => field).sort();
  };

  test.each([
    [
      { value: 'lower', label: '', sortOrder: 1.5, validFrom: '2027-02-30', labels: { 'no tag': 'x' }, colour: 'red' },
      ['colour', 'label', 'labels.no tag', 'sortOrder', 'validFrom', 'value'],
    ],
    [{ value: 'X'.repeat(65), label: 'x'.repeat(201) }, ['label', 'value']],
    [{ value: '_X', label: ' x' }, ['label', 'value']],
    [{ value: 'X', label: 'a\u0000b' }, ['label']],
    [{ value: 'X', label: '\u200b' }, ['label']],
    [{ value: 'X', label: '', validFrom: '2027-02-01', validTo: '2027-01-31' }, ['label', 'validTo']],
    [{ value: 'X', label: 'x', reason: 'r'.repeat(501) }, ['reason']],
    [{ value: 'X', label: 'x', sortOrder: 2 ** 53 }, ['sortOrder']],
    [{ value: 'X', label: 'x', validFrom: '2027-02-01', validTo: '2027-01-31' }, ['validTo']],
    [{ value: 'X', label: 'x', labels: { de: '' } }, ['labels.de']],
    [{}, ['label', 'value']],
    [[], ['']],
    ['{', ['']],
  ])('%j', async (body, fields) => {
    expect(await faultsOf(await send('POST', `/${list}/items`, body, 4))).toEqual(fields);
    expect((await kept(list)).version).toBe(4);
  });

  test('200 characters of any script are fine', async () => {
    for (const [index, label] of ['😀'.repeat(200), 'ا'.repeat(200), '한'.repeat(200)].entries()) {
      await change('POST', list, '/items', { value: `L${index}`, label });
    }
  });

  test('the largest sort order stays an integer', async () => {
    await change('POST', list, '/items', { value: 'LAST', label: 'x', sortOrder: Number.MAX_SAFE_INTEGER });
    const after = await change('POST', list, '/items', { value: 'BEHIND', label: 'x' });
    expect(after.items.at(-1)?.sortOrder).toBe(Number.MAX_SAFE_INTEGER);
    await change('PATCH', list, '/items/A', { sortOrder: 5 });
    await change('PATCH', list, '/items/A', { sortOrder: 0 });
    const same = await send('PATCH', `/${list}/items/A`, '{"sortOrder":-0}', after.version + 2);
    expect(((await same.json()) as List).version).toBe(after.version + 2);
  });

  test('a different content type is 415', async () => {
    const response = await fetch(`${desk.url}/admin/lookups/${list}/items`, {
      method: 'POST',
      headers: { ...bearer(admin), 'if-match': '"4"', 'content-type': 'text/plain' },
      body: '{}',
    });
    await expectProblem(response, 'unsupported-type', 415);
  });

  test('a new list has a title, and a name that no other list has', async () => {
    expect(await faultsOf(await send('POST', '', { list: 'Bad Name', title: '' }))).toEqual(['list', 'title']);
    await expectProblem(
      await withoutErrors(await send('POST', '', { list: 'position', title: 'x' })),
      'already-exists',
      409,
    );
  });
});

describe('optional parameters of a list', () => {
  test('include shows a retired value, and asOf shows the list on a day', async () => {
    await change('POST', list, '/items/B/retire', {});
    await change('PATCH', list, '/items/A', { validTo: '2030-06-30' });
    await change('POST', list, '/items', { value: 'D', label: 'D', validFrom: '2030-07-01' });
    expect(await valuesOf(`/employee/${list}`)).toEqual(['A', 'C']);
    expect(await valuesOf(`/employee/${list}?include=B`)).toEqual(['A', 'B', 'C']);
    expect(await valuesOf(`/employee/${list}?include=B&include=D&include=NOBODY`)).toEqual(['A', 'B', 'C', 'D']);
    expect(await valuesOf(`/employee/${list}?asOf=2030-06-30`)).toEqual(['A', 'C']);
    expect(await valuesOf(`/employee/${list}?asOf=2030-07-01`)).toEqual(['C', 'D']);
    // B was not retired yet on that day.
    expect(await valuesOf(`/employee/${list}?asOf=2020-01-01`)).toEqual(['A', 'B', 'C']);
    expect(await valuesOf(`/employee/${list}?unknown=1`)).toEqual(['A', 'C']);
    const item = (await served(`/employee/${list}?include=B`))[1];
    expect(Object.keys(item as object)).toEqual(['id', 'label', 'value', 'sortOrder']);
  });

  test.each([
    ['asOf=tomorrow', 'asOf'],
    ['asOf=2027-02-30', 'asOf'],
    ['asOf=2027-01-01&asOf=2027-01-02', 'asOf'],
    ['asOf=', 'asOf'],
    ['include=lower', 'include'],
    ['include=', 'include'],
  ])('%s is 400 and says what is wrong', async (query, field) => {
    const response = await desk.get(`/employee/position?${query}`, bearer(employee));
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect([response.status, errors[0]?.field.split('.')[0]]).toEqual([400, field]);
  });
});

test('reaching a date changes the list and its ETag, without a write or a restart', async () => {
  const own = await startFrontdesk(lastsADay);
  const token = await own.signIn();
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const put = async (path: string, method: string, body: object, version: number) =>
    fetch(`${own.url}/admin/lookups/employee-level${path}`, {
      method,
      headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version}"` },
      body: JSON.stringify(body),
    });
  await put('/items', 'POST', { value: 'INTERN', label: 'Intern', validFrom: day(1) }, 1);
  await put('/items/LEAD', 'PATCH', { validTo: day(0) }, 2);
  const read = async () => {
    const response = await own.get('/employee/employee-level', bearer(token));
    const items = (await response.json()) as Item[];
    return { etag: response.headers.get('etag'), values: items.map(({ value }) => value) };
  };
  const before = await read();
  const midnight = (Date.parse(`${day(1)}T00:00:00Z`) - Date.now()) / 1000;
  own.advance(midnight + 1);
  await own.runHousekeeping();
  const after = await read();
  const { version } = (await (await own.get('/admin/lookups/employee-level', bearer(token))).json()) as List;
  await own.stop();
  expect([before.values.includes('INTERN'), before.values.includes('LEAD')]).toEqual([false, true]);
  expect([after.values.includes('INTERN'), after.values.includes('LEAD')]).toEqual([true, false]);
  expect(after.etag).not.toBe(before.etag);
  expect(version).toBe(3);
});

test('all lists can be read in one answer with one ETag, which changes with any of them', async () => {
  const response = await desk.get('/lookups', bearer(employee));
  const all = (await response.json()) as Record<string, Item[]>;
  expect(all.position).toEqual(await served('/employee/position'));
  expect(all[list]).toEqual(await served(`/employee/${list}`));
  const etag = response.headers.get('etag') ?? '';
  expect((await desk.get('/lookups', { ...bearer(employee), 'if-none-match': etag })).status).toBe(304);
  await change('PATCH', list, '/items/A', { label: 'Other' });
  expect((await desk.get('/lookups', { ...bearer(employee), 'if-none-match': etag })).status).toBe(200);
});

describe('the stream of changes', () => {
  async function watch(lastEventId?: string) {
    const controller = new AbortController();
    const response = await fetch(`${desk.url}/lookups/changes`, {
      headers: { ...bearer(employee), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: controller.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    /** Waits until the stream has sent this many changes, and returns all so far. */
    const next = async (count: number) => {
      const events = () => [...text.matchAll(/id: (\d+)\nevent: change\ndata: (\{.*\})\n\n/g)];
      while (events().length < count) text += new TextDecoder().decode((await reader.read()).value);
      return events().map(([, id, data]) => ({
        id: Number(id),
        ...(JSON.parse(data ?? '') as { list: string; version: number }),
      }));
    };
    return { response, next, leave: () => controller.abort() };
  }

  test('announces a change at once, with an increasing id', async () => {
    const { response, next, leave } = await watch();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await change('PATCH', list, '/items/A', { label: 'One' });
    await change('PATCH', list, '/items/A', { label: 'Two' });
    const events = await next(2);
    leave();
    expect(events.map(({ list: name, version }) => [name, version])).toEqual([
      [list, 5],
      [list, 6],
    ]);
    expect(events[1]?.id).toBeGreaterThan(events[0]?.id ?? 0);
  });

  test('begins with an id, so that a client that is cut off early misses nothing', async () => {
    const response = await desk.get('/lookups/changes', bearer(employee));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const opening = new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    const id = /^retry: 2000\nid: (\d+)\n\n$/.exec(opening)?.[1] ?? '';
    await change('PATCH', list, '/items/A', { label: 'Missed' });
    const { next, leave } = await watch(id);
    const [missed] = await next(1);
    leave();
    expect(missed).toMatchObject({ list, version: 5 });
    expect(missed?.id).toBeGreaterThan(Number(id));
  });

  test('ends with the session, before anything else is sent', async () => {
    const token = await desk.signIn('E-1003');
    const response = await desk.get('/lookups/changes', bearer(token));
    await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) });
    await change('PATCH', list, '/items/A', { label: 'Secret' });
    expect(await response.text()).not.toContain('event: change');
  });

  test('needs a token, and ends when the service stops', async () => {
    await expectProblem(await desk.get('/lookups/changes'), 'unauthorized', 401);
    const own = await startFrontdesk();
    const response = await own.get('/lookups/changes', bearer(await own.signIn()));
    await own.stop();
    expect(await response.text()).toStartWith('retry: ');
  });
});

describe('a document', () => {
  const documented: ListKeeping['sendText'] = (...words) => listKeeping(desk, admin).sendText(...words);

  test('is planned without a change and applied as a whole, in YAML, CSV and JSON alike', async () => {
    const yaml = `lists:
  ${list}:
    items:
      - { value: A, label: Renamed, labels: { de: Umbenannt } }
      - { value: D, label: Dora, validFrom: 2027-01-01 }
      - { value: B, label: Label B, retired: true, replacedBy: A }
`;
    const csv = `list,value,label,validFrom,retired,replacedBy,label:de\r\n${list},A,Renamed,,,,Umbenannt\r\n${list},D,Dora,2027-01-01,,,\r\n${list},B,Label B,,true,A,\r\n`;
    const json = JSON.stringify({
      lists: {
        [list]: {
          items: [
            { value: 'A', label: 'Renamed', labels: { de: 'Umbenannt' } },
            { value: 'D', label: 'Dora', validFrom: '2027-01-01' },
            { value: 'B', label: 'Label B', retired: true, replacedBy: 'A' },
          ],
        },
      },
    });
    const { version } = await kept(list);
    const plans = await Promise.all([
      documented('plan', 'application/yaml', yaml),
      documented('plan', 'text/csv', `\ufeff${csv}`),
      documented('plan', 'application/json', json),
    ]);
    for (const plan of plans) {
      const { changes } = (await plan.json()) as { changes: { value: string; kind: string }[] };
      expect(changes.map(({ value, kind }) => [value, kind])).toEqual([
        ['A', 'change'],
        ['D', 'add'],
        ['B', 'retire'],
      ]);
    }
    expect((await kept(list)).version).toBe(version);
    expect((await documented('apply', 'application/yaml', yaml)).status).toBe(200);
    const after = await kept(list);
    expect(after.version).toBe(version + 1);
    expect(after.items.map(({ value, label, status }) => [value, label, status])).toEqual([
      ['A', 'Renamed', 'active'],
      ['B', 'Label B', 'retired'],
      ['C', 'Label C', 'active'],
      ['D', 'Dora', 'active'],
    ]);
    // Applied again, the document changes nothing. C, which it leaves out, stays.
    expect(await (await documented('apply', 'text/csv', csv)).json()).toEqual({ changes: [], counts: {} });
    expect((await kept(list)).version).toBe(version + 1);
  });

  test('made from an older version is a conflict, unless it changes nothing', async () => {
    const document = (label: string) => `lists: { ${list}: { version: 4, items: [{ value: A, label: ${label} }] } }`;
    await change('PATCH', list, '/items/A', { label: 'Alice' });
    for (const path of ['plan', 'apply']) {
      const late = await documented(path, 'application/yaml', document('Bob'));
      const conflict = (await late.clone().json()) as object;
      await expectProblem(await withoutErrors(late), 'version-conflict', 412);
      expect(conflict).toMatchObject({ list, version: 5, changes: [{ version: 5 }] });
      expect(await keptItem(list, 'A')).toMatchObject({ label: 'Alice' });
      expect((await documented(path, 'application/yaml', document('Alice'))).status).toBe(200);
    }
  });

  test('made from a version that does not exist is refused, with its position', async () => {
    const yaml = `lists:\n  ${list}-new:\n    version: 1\n    items: [{ value: A, label: A }]\n`;
    for (const path of ['plan', 'apply']) {
      const response = await documented(path, 'application/yaml', yaml);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { errors: object[] }).errors).toEqual([
        { field: `lists.${list}-new.version`, message: expect.any(String), line: 3, column: 14 },
      ]);
    }
    expect((await documented('plan', 'application/yaml', yaml.replace('    version: 1\n', ''))).status).toBe(200);
  });

  test('of type application/json is JSON and nothing else', async () => {
    const yaml = `lists: { ${list}: { items: [{ value: A, label: Other }] } }`;
    expect((await documented('plan', 'application/yaml', yaml)).status).toBe(200);
    const response = await documented('plan', 'application/json', yaml);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { errors: object[] }).errors).toEqual([
      { field: '', message: 'Not valid JSON', line: 1, column: 1 },
    ]);
  });

  test('with more than a hundred faults reports a hundred, and that there are more', async () => {
    const response = await documented('apply', 'text/csv', `list,value,label\n${`${list},x,\n`.repeat(5000)}`);
    const { errors, moreErrors } = (await response.json()) as { errors: object[]; moreErrors: boolean };
    expect([response.status, errors.length, moreErrors]).toEqual([400, 100, true]);
  });

  test('keeps translations that it does not name, and removes one that it sets to null', async () => {
    await change('PATCH', list, '/items/A', { labels: { de: 'Eins', fr: 'Un', es: 'Uno' } });
    const csv = `list,value,label,label:de,label:fr\n${list},A,Label A,Neu,\n`;
    expect((await documented('apply', 'text/csv', csv)).status).toBe(200);
    expect((await keptItem(list, 'A'))?.labels).toEqual({ de: 'Neu', fr: 'Un', es: 'Uno' });
    const yaml = `lists: { ${list}: { items: [{ value: A, label: Label A, labels: { es: null } }] } }`;
    expect((await documented('apply', 'application/yaml', yaml)).status).toBe(200);
    expect((await keptItem(list, 'A'))?.labels).toEqual({ de: 'Neu', fr: 'Un' });
  });

  test('can name a replacement for an item that is retired already', async () => {
    await change('POST', list, '/items/A/retire', {});
    const yaml = `lists: { ${list}: { items: [{ value: A, label: Label A, replacedBy: B }] } }`;
    expect((await documented('apply', 'application/yaml', yaml)).status).toBe(200);
    expect(await keptItem(list, 'A')).toMatchObject({ status: 'retired', replacedBy: 'B' });
  });

  test('has its reason in the history, and its request in the audit', async () => {
    const path = `apply?reason=${encodeURIComponent('new year')}`;
    const yaml = `lists: { ${list}: { items: [{ value: A, label: Other }] } }`;
    const response = await documented(path, 'application/yaml', yaml);
    const history = await desk.get(`/admin/lookups/${list}/history?limit=1`, bearer(admin));
    expect(await history.json()).toMatchObject([{ by: 'E-1001', reason: 'new year' }]);
    const audit = await desk.get('/admin/audit?type=list-changed&limit=1', bearer(await desk.signIn('E-1006')));
    expect(await audit.json()).toMatchObject([
      { person: 'E-1001', requestId: response.headers.get('x-request-id'), session: expect.any(String) },
    ]);
  });

  test('may name a list "constructor"', async () => {
    const csv = 'list,value,label\nconstructor,A,B\n';
    const response = await documented('plan', 'text/csv', csv);
    expect(((await response.json()) as { changes: object[] }).changes).toHaveLength(2);
  });

  test("with semicolons and a spreadsheet's empty cells is read", async () => {
    const csv = `list;value;label;;\r\n${list};A;Neu;;\r\n;;;;\r\n`;
    expect((await documented('apply', 'text/csv', csv)).status).toBe(200);
    expect(await keptItem(list, 'A')).toMatchObject({ label: 'Neu' });
  });

  test('with a fault anywhere is refused as a whole, with the position of every fault', async () => {
    const yaml = `lists:
  ${list}:
    items:
      - { value: A, label: Fine }
      - { value: lower, label: "" }
      - { value: D, label: D, replacedBy: NOBODY, retired: true }
`;
    const first = await documented('apply', 'application/yaml', yaml);
    expect(first.status).toBe(400);
    expect(((await first.json()) as { errors: object[] }).errors).toEqual([
      { field: `lists.${list}.items.1.value`, message: expect.any(String), line: 5, column: 18 },
      { field: `lists.${list}.items.1.label`, message: expect.any(String), line: 5, column: 32 },
    ]);
    const second = await documented('apply', 'application/yaml', yaml.replace('lower, label: ""', 'E, label: E'));
    expect(((await second.json()) as { errors: object[] }).errors).toEqual([
      { field: `lists.${list}.items.2.replacedBy`, message: expect.any(String), line: 6, column: 43 },
    ]);
    const csv = `list,value,label,sortOrder\n${list},A,Fine,10\n${list},X,"two\nlines",ten\n`;
    const third = await documented('apply', 'text/csv', csv);
    expect(((await third.json()) as { errors: object[] }).errors).toEqual([
      { field: `lists.${list}.items.1.label`, message: expect.any(String), line: 3, column: list.length + 4 },
      { field: `lists.${list}.items.1.sortOrder`, message: expect.any(String), line: 4, column: 8 },
    ]);
    expect((await kept(list)).version).toBe(4);
  });

  test.each([
    ['application/yaml', 'lists: [', 1],
    ['application/yaml', 'a: &x [1]\nlists: *x', 2],
    ['application/yaml', 'other: 1', 1],
    ['application/json', '[]', 1],
    ['text/csv', 'value,label\nA,B', 1],
    ['text/csv', 'list,value,label,colour\n', 1],
    ['text/csv', 'list,value,label\nx,A', 2],
    ['text/csv', 'list,value,label\nx,"A,b', 2],
    ['text/csv', 'list,value,label\n__proto__,A,b', 2],
    ['application/yaml', 'lists:\n  __proto__:\n    items: []', 2],
    ['application/json', '{"lists":\n{"a":{},\n"a":{}}}', 3],
  ])('of type %s with the content %j is refused with the line of the fault', async (type, body, line) => {
    const response = await documented('apply', type, body);
    const { errors } = (await response.json()) as { errors: { line: number }[] };
    expect([response.status, errors[0]?.line]).toEqual([400, line]);
  });

  test('has all its faults reported at once, whatever their kind', async () => {
    const csv = `list,value,label,validFrom,validTo\n${list},A,,2027-02-01,2027-01-01\n${list},B\n${list},A,Again,,\n`;
    const response = await documented('apply', 'text/csv', csv);
    const { errors } = (await response.json()) as { errors: { line: number; field: string; message: string }[] };
    expect(errors.map(({ line, field }) => [line, field.split('.').at(-1)])).toEqual([
      [2, 'label'],
      [2, 'validTo'],
      [3, ''],
      [4, 'value'],
    ]);
  });

  test('that is not UTF-8 is refused with its place', async () => {
    const bytes = Buffer.from(`list,value,label\n${list},A,caf\xe9\n`, 'latin1');
    const response = await documented('apply', 'text/csv', bytes);
    const { errors } = (await response.json()) as { errors: object[] };
    expect(errors).toMatchObject([{ line: 2, column: list.length + 7 }]);
  });

  test.each(['image/png', 'constructor', '__proto__'])('of a different type, %s, is 415', async (type) => {
    await expectProblem(await documented('plan', type, 'x'), 'unsupported-type', 415);
  });
});

test('an added list is served at once', async () => {
  expect((await send('POST', '', { list: 'cost-centre', title: 'Cost centre' })).status).toBe(201);
  expect(await served('/employee/cost-centre')).toEqual([]);
  const summaries = (await (await desk.get('/admin/lookups', bearer(admin))).json()) as object[];
  expect(summaries).toContainEqual({
    list: 'cost-centre',
    title: 'Cost centre',
    titles: {},
    description: null,
    descriptions: {},
    readers: null,
    keepers: null,
    archived: false,
    version: 1,
    active: 0,
    retired: 0,
    scheduled: 0,
    translations: {},
    updatedAt: expect.any(String),
    updatedBy: 'E-1001',
    updatedByName: 'Ada Park',
    mayKeep: true,
  });
});
