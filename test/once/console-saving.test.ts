// How the console saves list changes while others change the list, and how it undoes them: the console's code against a
// real service.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createFrontdesk, type FrontdeskError } from '../../client/src/index.ts';
import {
  ChangedSince,
  type Conflict,
  isUndoable,
  type ListChange,
  saveChange,
  undoChange,
  undoEntry,
} from '../../console/lists/saving/save-list.ts';
import { describeLater, describeRefusal } from '../../console/lists/sentences/history-sentences.ts';
import { sentenceContext } from '../../console/lists/sentences/sentence-context.ts';
import { historyEnglish } from '../../console/lists/sentences/texts.ts';
import { type Api, createApi, type KeptList } from '../../console/shell/api.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';

let desk: Frontdesk;
let api: Api;
let name: string;
let shown: KeptList;
/** The conflicts that the person was asked about. */
let asked: Conflict[];
let lists = 0;

beforeAll(async () => {
  desk = await startFrontdesk();
  api = createApi(createFrontdesk({ baseUrl: desk.url, accessToken: await desk.signIn() }).request);
});
afterAll(() => desk?.stop());

beforeEach(async () => {
  asked = [];
  name = `grade-${++lists}`;
  const items = ['Clerk', 'Porter', 'Trainee'].map((label) => ({ value: label.toUpperCase(), label }));
  await api.apply({ lists: { [name]: { title: 'Grades', items } } });
  shown = await api.list(name);
});

const save = (change: ListChange, answer?: Awaited<ReturnType<Parameters<typeof saveChange>[0]['ask']>>) =>
  saveChange({
    api,
    list: shown,
    change,
    ask: async (conflict) => {
      asked.push(conflict);
      return answer;
    },
  });

function itemOf(list: KeptList, value: string) {
  const item = list.items.find((each) => each.value === value);
  if (item === undefined) throw new Error(value);
  return item;
}

const rename = (value: string, label: string): ListChange => ({
  done: 'Renamed',
  values: [value],
  write: (version) => api.changeItem(name, version, value, { label }),
  mine: {
    item: itemOf(shown, value),
    since: shown.version,
    changes: { label },
    write: (version, changes) => api.changeItem(name, version, value, changes),
  },
});

/** A colleague changes the label of a value. */
async function meanwhile(value: string, label: string): Promise<void> {
  await api.changeItem(name, (await api.list(name)).version, value, { label });
}

const labels = async () => (await api.list(name)).items.map(({ label, status }) => `${label} ${status}`);

describe('saving', () => {
  test('is retried if a colleague changed a different value', async () => {
    await meanwhile('PORTER', 'Doorman');
    expect((await save(rename('CLERK', 'Senior clerk')))?.version).toBe(3);
    expect(await labels()).toEqual(['Senior clerk active', 'Doorman active', 'Trainee active']);
    expect(asked).toEqual([]);
  });

  test('is retried if a colleague only moved the value', async () => {
    await api.orderItems(name, 1, ['PORTER', 'TRAINEE', 'CLERK']);
    await save(rename('CLERK', 'Senior clerk'));
    expect(asked).toEqual([]);
    expect(itemOf(await api.list(name), 'CLERK').label).toBe('Senior clerk');
  });

  test('is retried if a colleague changed a different field of the value', async () => {
    await api.changeItem(name, 1, 'CLERK', { description: 'In the office' });
    await save(rename('CLERK', 'Senior clerk'));
    expect(asked).toEqual([]);
    expect(itemOf(await api.list(name), 'CLERK')).toMatchObject({
      label: 'Senior clerk',
      description: 'In the office',
    });
  });

  test('asks if a colleague changed the same value, and saves what was chosen', async () => {
    await meanwhile('CLERK', 'Office clerk');
    await save(rename('CLERK', 'Senior clerk'), { changes: { label: 'Senior office clerk' } });
    expect(asked.map(({ theirs }) => theirs.map(({ byName, version }) => [byName, version]))).toEqual([
      [['Ada Park', 2]],
    ]);
    expect(asked[0]?.latest.items.map(({ label }) => label)).toContain('Office clerk');
    expect(itemOf(await api.list(name), 'CLERK').label).toBe('Senior office clerk');
  });

  test('changes nothing if the person keeps editing', async () => {
    await meanwhile('CLERK', 'Office clerk');
    expect(await save(rename('CLERK', 'Senior clerk'), undefined)).toBeUndefined();
    expect(itemOf(await api.list(name), 'CLERK').label).toBe('Office clerk');
  });

  test('asks if the form was opened before a change that the page already shows', async () => {
    const change = rename('CLERK', 'Senior clerk');
    await meanwhile('CLERK', 'Office clerk');
    shown = await api.list(name);
    expect(await save(change, undefined)).toBeUndefined();
    expect(asked.map(({ theirs }) => theirs.map(({ version }) => version))).toEqual([[2]]);
    await save(change, {});
    expect(itemOf(await api.list(name), 'CLERK').label).toBe('Senior clerk');
  });

  test('applies a new order to a list that others have changed', async () => {
    const item = await api.addItem(name, 1, { value: 'GUARD', label: 'Guard' });
    expect(item.version).toBe(2);
    await save({
      done: 'Order saved',
      values: [],
      findsConflicts: true,
      write: (version, latest) => {
        const values = latest.items.map(({ value }) => value);
        return api.orderItems(name, version, ['TRAINEE', ...values.filter((value) => value !== 'TRAINEE')]);
      },
    });
    expect(await labels()).toEqual(['Trainee active', 'Clerk active', 'Porter active', 'Guard active']);
  });

  test.each<[string, ListChange['write']]>([
    ['one value', (version) => api.retireItem(name, version, 'CLERK', {})],
    [
      'a document',
      (version) =>
        api.apply({ lists: { [name]: { version, items: [{ value: 'CLERK', label: 'Clerk', retired: true }] } } }),
    ],
  ])('says how many values of other lists depend on what %s retires', async (_, write) => {
    const items = ['London', 'Paris'].map((label) => ({
      value: label.toUpperCase(),
      label,
      parents: { [name]: ['CLERK'] },
    }));
    await api.apply({ lists: { [`${name}-place`]: { title: 'Places', items } } });
    expect((await save({ done: 'Retired', values: ['CLERK'], write }))?.children).toBe(2);
    expect((await save(rename('PORTER', 'Doorman')))?.children).toBe(0);
  });

  test('throws if the service refuses the change', async () => {
    const change = rename('CLERK', ' blank ');
    await expect(save(change)).rejects.toMatchObject({ status: 400 });
  });
});

describe('undoing', () => {
  const saved = async (change: ListChange) => {
    const result = await save(change);
    if (result === undefined) throw new Error('not saved');
    return result;
  };

  test('restores the list if nobody has changed it since', async () => {
    const before = await labels();
    await undoChange(api, await saved(rename('CLERK', 'Senior clerk')));
    expect(await labels()).toEqual(before);
  });

  test('takes back only what was saved, if others have changed other values since', async () => {
    const done = await saved({
      done: 'Translated',
      values: ['CLERK'],
      write: (version) =>
        api.changeItem(name, version, 'CLERK', { labels: { de: 'Kraft' }, codes: { workday: 'C1' }, tags: ['office'] }),
    });
    await meanwhile('PORTER', 'Doorman');
    await undoChange(api, done);
    const list = await api.list(name);
    expect(itemOf(list, 'CLERK')).toEqual(itemOf(shown, 'CLERK'));
    expect(itemOf(list, 'PORTER').label).toBe('Doorman');
  });

  test('retires what was added, restores what was retired, and keeps changes by others', async () => {
    const added = await saved({
      done: 'Added',
      values: ['GUARD'],
      write: (version) => api.addItem(name, version, { value: 'GUARD', label: 'Guard' }),
    });
    await meanwhile('PORTER', 'Doorman');
    await undoChange(api, added);
    shown = await api.list(name);
    const retired = await saved({
      done: 'Retired',
      values: ['CLERK'],
      write: (version) => api.retireItem(name, version, 'CLERK', { replacedBy: 'PORTER' }),
    });
    await meanwhile('PORTER', 'Porter again');
    await undoChange(api, retired);
    expect(await labels()).toEqual(['Clerk active', 'Porter again active', 'Trainee active', 'Guard retired']);
    expect(itemOf(await api.list(name), 'CLERK').replacedBy).toBeNull();
  });

  test('is refused if the same value has been changed since, changes nothing, and says who changed what', async () => {
    const done = await saved(rename('CLERK', 'Senior clerk'));
    await meanwhile('CLERK', 'Office clerk');
    const refusal = await undoChange(api, done).catch((reason: unknown) => reason);
    expect(refusal).toBeInstanceOf(ChangedSince);
    const { later } = refusal as ChangedSince;
    if (later === undefined) throw new Error('it does not say who');
    const english = sentenceContext({ texts: historyEnglish, language: 'en', locale: 'en-GB' });
    const time = english.formatMoment(later.at);
    const what = `later changed the same values (renamed Senior clerk to Office clerk; ${time}, version 3)`;
    expect(describeLater(later, 'E-1001', english)).toStartWith(`You ${what}`);
    expect(describeLater(later, 'E-1002', english)).toStartWith(`Ada Park ${what}`);
    expect(itemOf(await api.list(name), 'CLERK').label).toBe('Office clerk');
  });

  test('of a label change keeps a later order, and of an order change keeps a later label', async () => {
    const done = await saved(rename('CLERK', 'Senior clerk'));
    await api.orderItems(name, done.version, ['TRAINEE', 'PORTER', 'CLERK']);
    await undoChange(api, done);
    const order = (list: KeptList) =>
      list.items.toSorted((a, b) => a.sortOrder - b.sortOrder).map(({ label }) => label);
    expect(order(await api.list(name))).toEqual(['Trainee', 'Porter', 'Clerk']);
    const [, moved] = await api.history(name);
    if (moved === undefined) throw new Error('no history');
    await undoEntry(api, await api.list(name), moved);
    expect(order(await api.list(name))).toEqual(['Clerk', 'Porter', 'Trainee']);
  });

  test('of a history entry takes back all that it changed except rights, or only one of its values', async () => {
    await api.apply({
      lists: {
        [name]: {
          title: 'Ranks',
          readers: ['staff'],
          items: [
            { value: 'CLERK', label: 'Senior clerk' },
            { value: 'GUARD', label: 'Guard' },
          ],
        },
      },
    });
    await meanwhile('PORTER', 'Doorman');
    const [, entry] = await api.history(name);
    if (entry === undefined) throw new Error('no history');
    expect(entry.laterChange).toBeUndefined();
    await undoEntry(api, await api.list(name), entry, 'CLERK');
    expect(await labels()).toEqual(['Clerk active', 'Doorman active', 'Trainee active', 'Guard active']);
    // The other changes of the entry are kept. The entry can no longer be undone as a whole.
    const refusal = await undoEntry(api, await api.list(name), entry).catch((reason: unknown) => reason);
    expect((refusal as ChangedSince).later).toMatchObject({ version: 4, change: { value: 'CLERK' } });
    await meanwhile('CLERK', 'Senior clerk');
    await undoEntry(api, await api.list(name), entry);
    expect(await labels()).toEqual(['Clerk active', 'Doorman active', 'Trainee active', 'Guard retired']);
    expect(await api.list(name)).toMatchObject({ title: 'Grades', readers: ['staff'], version: 6 });
  });

  test('is not offered for a history entry that changed only readers, keepers or the archived state', async () => {
    await api.changeSettings(name, 1, { readers: ['staff'] });
    await api.changeSettings(name, 2, { archived: true, title: 'Ranks' });
    const entries = await api.history(name);
    expect(entries.map((entry) => isUndoable(entry))).toEqual([true, false, false]);
    const [mixed] = entries;
    if (mixed === undefined) throw new Error('no history');
    await undoEntry(api, await api.list(name), mixed);
    expect(await api.list(name)).toMatchObject({ title: 'Grades', archived: true, readers: ['staff'], version: 4 });
  });

  test('that gives a value back a code that another value has by now says so', async () => {
    await api.changeItem(name, 1, 'CLERK', { codes: { workday: 'JP-1' } });
    await api.changeItem(name, 2, 'CLERK', { codes: { workday: null } });
    await api.changeItem(name, 3, 'PORTER', { codes: { workday: 'JP-1' } });
    const [, entry] = await api.history(name);
    if (entry === undefined) throw new Error('no history');
    const refusal = await undoEntry(api, await api.list(name), entry).catch((reason: unknown) => reason);
    expect(
      describeRefusal((refusal as FrontdeskError).errors, (field) =>
        field === 'codes.workday' ? 'Code in workday' : field,
      ),
    ).toBe('The earlier content can no longer be restored. Code in workday: is already used by PORTER.');
  });

  test('of settings restores them, and keeps those that others have changed since', async () => {
    const done = await saved({
      done: 'Saved',
      values: [],
      isSettings: true,
      write: (version) => api.changeSettings(name, version, { readers: ['staff'], archived: true }),
    });
    await api.changeSettings(name, done.version, { title: 'Ranks' });
    await undoChange(api, done, true);
    const { title, readers, archived } = await api.list(name);
    expect({ title, readers, archived }).toEqual({ title: 'Ranks', readers: null, archived: false });
  });
});
