// The settings of a list: title and description in several languages, readers, keepers, archive.

import { beforeEach, describe, expect, test } from 'bun:test';

import { startListKeeping } from '../support/lists.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const keeping = shared(startListKeeping);

const all = {
  title: 'Cost centre',
  titles: { de: 'Kostenstelle', 'pt-BR': 'Centro de custo' },
  description: 'Where the cost of a position goes',
  descriptions: { de: 'Wohin die Kosten einer Stelle gehen' },
  readers: ['FINANCE', 'HR'],
  keepers: ['CONTROLLER'],
  archived: true,
};
const none = { titles: {}, description: null, descriptions: {}, readers: null, keepers: null, archived: false };
const noTranslations = { titles: { de: null, 'pt-BR': null }, descriptions: { de: null } };

let made = 0;
let list = '';
beforeEach(async () => {
  list = `settings-${++made}`;
  await keeping.apply(list, [{ value: 'A', label: 'Label A' }]);
});

const patch = (body: object, version?: number) => keeping.send('PATCH', `/${list}`, body, version);
const faultsOf = async (response: Response) => {
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { field: string; message: string }[] };
  return errors.map(({ field, message }) => `${field}: ${message}`);
};
const summary = async (name: string) => {
  const lists = (await (await keeping.get('/admin/lookups')).json()) as { list: string }[];
  return lists.find((each) => each.list === name);
};
const exported = async (name: string) =>
  (await keeping.get(`/admin/lookups/${name}`, { accept: 'application/yaml' })).text();
const sendYaml = (path: string, text: string) => keeping.sendText(path, 'application/yaml', text);

describe('PATCH of a list', () => {
  test('changes what is given, as a new version that says what changed', async () => {
    const response = await patch({ ...all, reason: 'new rules' }, 1);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"2"');
    expect(await response.json()).toMatchObject({ list, ...all, version: 2, items: [{ value: 'A' }] });
    expect(await keeping.read(list)).toMatchObject({ ...all, version: 2 });
    expect(await summary(list)).toMatchObject({ ...all, version: 2, active: 1, retired: 0 });
    const [step] = await keeping.history(list);
    expect(step).toMatchObject({ version: 2, by: 'E-1001', reason: 'new rules' });
    expect(step?.changes as unknown[]).toEqual([{ value: null, before: { title: list, ...none }, after: all }]);
  });

  test('keeps settings that are not given, and removes those that are null', async () => {
    await patch({ description: 'One', readers: ['HR'], keepers: ['HR'], titles: {} }, 1);
    expect(await (await patch({ title: 'Other' }, 2)).json()).toMatchObject({
      title: 'Other',
      description: 'One',
      readers: ['HR'],
    });
    expect(await (await patch({ description: null, readers: null, keepers: null }, 3)).json()).toMatchObject(none);
    const [removed, title] = await keeping.history(list);
    expect(removed?.changes as unknown[]).toEqual([
      {
        value: null,
        before: { description: 'One', readers: ['HR'], keepers: ['HR'] },
        after: { description: null, readers: null, keepers: null },
      },
    ]);
    expect(title?.changes as unknown[]).toEqual([{ value: null, before: { title: list }, after: { title: 'Other' } }]);
  });

  test('makes no version if nothing changes, with the roles in any order', async () => {
    await patch({ readers: ['HR', 'FINANCE'] }, 1);
    expect((await keeping.read(list)) as unknown).toMatchObject({ readers: ['FINANCE', 'HR'], version: 2 });
    expect(await (await patch({ readers: ['HR', 'FINANCE'], archived: false }, 2)).json()).toMatchObject({
      version: 2,
    });
  });

  test('needs the version that was seen', async () => {
    await expectProblem(await patch({ title: 'X' }), 'version-required', 428);
    expect((await patch({ title: 'X' }, 7)).status).toBe(412);
    await expectProblem(await keeping.send('PATCH', '/no-such-list', { title: 'X' }, 1), 'not-found', 404);
    expect(await keeping.read(list)).toMatchObject({ title: list, version: 1 });
  });

  test('refuses what is out of bounds, and every fault at once', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `ROLE-${index}`);
    const wrong = {
      title: '',
      titles: { de: 'x'.repeat(201), german: 'Liste', fr: ' ' },
      description: 'x'.repeat(501),
      descriptions: { de: 'x'.repeat(501) },
      readers: [],
      keepers: many,
      archived: 'yes',
      owner: 'E-1',
    };
    expect(await faultsOf(await patch(wrong, 1))).toEqual([
      'title: must be visible text, without leading or trailing spaces',
      'titles.de: must be at most 200 characters',
      'titles.german: must be a language tag like de or pt-BR',
      'titles.fr: must be visible text, without leading or trailing spaces',
      'description: must be at most 500 characters',
      'descriptions.de: must be at most 500 characters',
      'readers: must have a role, or be null',
      'keepers: must have at most 50 roles',
      'archived: must be true or false',
      'owner: is not a known field',
    ]);
    expect(await faultsOf(await patch({ readers: ['x'.repeat(256), ' HR', 'H\u0000R'] }, 1))).toEqual([
      'readers.0: must be at most 255 characters',
      'readers.1: must be visible text, without leading or trailing spaces',
      'readers.2: must contain no control characters',
    ]);
    expect(await keeping.read(list)).toMatchObject({ ...none, version: 1 });
  });

  test.each(['position', 'overtime-eligibility', 'employment-type', 'employee-level'])(
    '%s, a list of the interface, cannot be archived',
    async (standard) => {
      const { version } = await keeping.read(standard);
      const message = 'archived: must be false, because a standard list cannot be archived';
      expect(await faultsOf(await keeping.send('PATCH', `/${standard}`, { archived: true }, version))).toEqual([
        message,
      ]);
      const document = { lists: { [standard]: { archived: true } } };
      expect(await faultsOf(await keeping.send('POST', '/apply', document))).toEqual([`lists.${standard}.${message}`]);
      expect(await keeping.read(standard)).toMatchObject({ archived: false, version });
    },
  );
});

test('a new list may have all settings from the start, and its history has them, too', async () => {
  const response = await keeping.send('POST', '', { list: `${list}-new`, ...all });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ ...all, version: 1, items: [] });
  const [step] = await keeping.history(`${list}-new`);
  const { title: _, ...beyondTitle } = all;
  expect(step?.changes as unknown[]).toEqual([{ value: null, before: none, after: beyondTitle }]);
});

describe('translations of title and description', () => {
  const german = { titles: { de: 'Kostenstelle' }, descriptions: { de: 'Wohin die Kosten gehen' } };
  const translationsNow = async () => {
    const { titles, descriptions } = (await keeping.read(list)) as unknown as Record<string, unknown>;
    return { titles, descriptions };
  };
  beforeEach(() => patch(german, 1));

  test('are merged by language, null removes one, and the history has them before and after', async () => {
    const added = await patch({ titles: { fr: 'Centre de couts' } }, 2);
    expect(await added.json()).toMatchObject({ titles: { de: 'Kostenstelle', fr: 'Centre de couts' } });
    expect((await patch({ titles: { de: null }, descriptions: { de: null } }, 3)).status).toBe(200);
    expect(await translationsNow()).toEqual({ titles: { fr: 'Centre de couts' }, descriptions: {} });
    expect((await keeping.history(list)).map(({ changes }) => changes[0] as unknown)).toMatchObject([
      {
        before: { titles: { de: 'Kostenstelle', fr: 'Centre de couts' }, descriptions: german.descriptions },
        after: { titles: { fr: 'Centre de couts' }, descriptions: {} },
      },
      { before: { titles: german.titles }, after: { titles: { de: 'Kostenstelle', fr: 'Centre de couts' } } },
      { before: { titles: {}, descriptions: {} }, after: german },
      { value: 'A' },
    ]);
  });

  test('stay if a document or a request leaves them out, as labels do', async () => {
    const document = { lists: { [list]: { title: 'Cost centre', items: [{ value: 'A', label: 'Label A' }] } } };
    expect((await keeping.send('POST', '/apply', document)).status).toBe(200);
    expect((await keeping.send('POST', '/apply?mirror=true', document)).status).toBe(200);
    await patch({ title: 'Other', titles: {} }, 3);
    expect(await translationsNow()).toEqual(german);
    const removal = { lists: { [list]: { titles: { de: null } } } };
    expect((await keeping.send('POST', '/apply', removal)).status).toBe(200);
    expect(await translationsNow()).toEqual({ titles: {}, descriptions: german.descriptions });
  });

  test('are in past versions, but do not change what forms get', async () => {
    const form = async () => {
      const response = await keeping.get(`/employee/${list}`, { 'accept-language': 'de' });
      return [response.headers.get('content-language'), response.headers.get('etag'), await response.text()];
    };
    const before = await form();
    await patch({ titles: { de: null }, descriptions: { de: null } }, 2);
    expect(await form()).toEqual(before);
    const at = (version: number) => keeping.get(`/admin/lookups/${list}/versions/${version}`);
    expect(await (await at(2)).json()).toMatchObject(german);
    expect(await (await at(3)).json()).toMatchObject({ titles: {}, descriptions: {} });
  });

  test('find the list, with the text that matched', async () => {
    const response = await keeping.get('/admin/search?q=kostenst');
    const found = (await response.json()) as { lists: unknown[] };
    expect(found.lists).toContainEqual({ list, title: list, match: 'Kostenstelle' });
  });

  test('cannot be removed from a new list', async () => {
    const sent = { list: `${list}-new`, title: 'New', titles: { de: null } };
    expect(await faultsOf(await keeping.send('POST', '', sent))).toEqual(['titles.de: must be text']);
  });
});

test('the default lists have German titles', async () => {
  const titles = await Promise.all(
    ['position', 'overtime-eligibility', 'employment-type', 'employee-level'].map(async (name) => summary(name)),
  );
  expect(titles).toMatchObject([
    { titles: { de: 'Position' } },
    { titles: { de: 'Überstundenberechtigung' } },
    { titles: { de: 'Beschäftigungsart' } },
    { titles: { de: 'Karrierestufe' } },
  ]);
});

describe('undo', () => {
  test('restores title and description in all languages, but never readers, keepers or the archived state', async () => {
    await patch({ ...all, readers: ['HR'] }, 1);
    await keeping.change('POST', list, '/items', { value: 'B', label: 'Label B' });
    await patch({ readers: ['BOARD'], title: 'Third', titles: { de: 'Dritte', fr: 'Troisième' } }, 3);
    await keeping.change('POST', list, '/undo', { version: 2 });
    const now = await keeping.read(list);
    expect(now as unknown).toMatchObject({ ...all, readers: ['BOARD'], version: 5 });
    expect(now.items.map(({ value, status }) => [value, status])).toEqual([
      ['A', 'active'],
      ['B', 'retired'],
    ]);
    await keeping.change('POST', list, '/undo', { version: 1 });
    expect((await keeping.read(list)) as unknown).toMatchObject({
      title: list,
      titles: {},
      description: null,
      descriptions: {},
      readers: ['BOARD'],
      keepers: ['CONTROLLER'],
      archived: true,
    });
  });

  test('changes nothing if only readers have changed', async () => {
    await patch({ readers: ['HR'] }, 1);
    const response = await keeping.send('POST', `/${list}/undo`, { version: 1 }, 2);
    expect(await response.json()).toMatchObject({ readers: ['HR'], version: 2 });
  });
});

describe('documents', () => {
  test('YAML exports and imports all settings, and CSV none', async () => {
    await patch(all, 1);
    const text = await exported(list);
    expect(await (await sendYaml('plan', text)).json()).toEqual({ changes: [], counts: {} });
    await patch({ ...none, ...noTranslations, title: list }, 2);
    const again = text.replace('version: 2', 'version: 3');
    const plan = (await (await sendYaml('plan', again)).json()) as { changes: unknown[] };
    expect(plan.changes).toEqual([
      { list, value: null, kind: 'settings', before: { title: list, ...none }, after: all },
    ]);
    expect((await sendYaml('apply', again)).status).toBe(200);
    expect((await keeping.read(list)) as unknown).toMatchObject({ ...all, version: 4 });
    expect(await exported(list)).toBe(text.replace('version: 2', 'version: 4'));
    const csv = await keeping.get(`/admin/lookups/${list}`, { accept: 'text/csv' });
    expect(await csv.text()).not.toContain('FINANCE');
  });

  test('a plan names a changed title alone as a title, and a new list with its settings', async () => {
    const plan = async (lists: object) =>
      ((await (await keeping.send('POST', '/plan', { lists })).json()) as { changes: unknown[] }).changes;
    expect(await plan({ [list]: { title: 'T' } })).toEqual([
      { list, value: null, kind: 'title', before: { title: list }, after: { title: 'T' } },
    ]);
    expect(await plan({ 'never-made': { title: 'T', readers: ['HR'] } })).toEqual([
      { list: 'never-made', value: null, kind: 'list', before: null, after: { title: 'T' } },
      { list: 'never-made', value: null, kind: 'settings', before: { readers: null }, after: { readers: ['HR'] } },
    ]);
  });
});
