import { describe, expect, test } from 'bun:test';
import { FrontdeskError } from '../../../client/src/index.ts';
import { emptyItem } from '../../../src/lookup/rules/item.ts';
import type { Api, HistoryEntry, ItemChanges, KeptItem, KeptList, Plan } from '../../shell/api.ts';
import { type Conflict, type ConflictAnswer, saveChange } from './save-list.ts';

const clerk: KeptItem = { ...emptyItem, id: 1, value: 'CLERK', label: 'Clerk' };
const porter: KeptItem = { ...emptyItem, id: 2, value: 'PORTER', label: 'Porter' };
const listOf = (version: number, ...items: KeptItem[]): KeptList => ({
  list: 'position',
  title: 'Position',
  description: null,
  readers: null,
  keepers: null,
  archived: false,
  version,
  items,
});
const first = listOf(1, clerk, porter);

/** A service with the list `now`, and a user who gives `answer`. */
function begin(now: KeptList, answer?: ConflictAnswer) {
  const sent: [number, ItemChanges][] = [];
  const asked: Conflict[] = [];
  const history: HistoryEntry[] = [];
  const write = async (version: number, changes: ItemChanges) => {
    sent.push([version, changes]);
    if (version !== now.version) throw new FrontdeskError({ type: 'problems/version-conflict', status: 412 });
    return listOf(version + 1);
  };
  const api = { list: async () => now, history: async () => history } as unknown as Api;
  const save = (known: KeptList, item: KeptItem, changes: ItemChanges) =>
    saveChange({
      api,
      list: known,
      change: {
        done: '',
        values: [item.value],
        write: (version) => write(version, changes),
        mine: { item, since: 1, changes, write },
      },
      ask: async (conflict) => {
        asked.push(conflict);
        return answer;
      },
    });
  return { save, sent, asked };
}

describe('a change of a value that others changed meanwhile', () => {
  test('is sent again automatically if they changed a different value', async () => {
    const { save, sent, asked } = begin(listOf(2, clerk, { ...porter, label: 'Doorkeeper' }));
    expect(await save(first, clerk, { label: 'Officer' })).toMatchObject({ version: 3 });
    expect([sent, asked.length]).toEqual([
      [
        [1, { label: 'Officer' }],
        [2, { label: 'Officer' }],
      ],
      0,
    ]);
  });

  test('is merged if they changed a different field', async () => {
    const { save, asked } = begin(listOf(2, { ...clerk, description: 'In the office' }, porter));
    expect(await save(first, clerk, { label: 'Officer' })).toMatchObject({ version: 3 });
    expect(asked).toEqual([]);
  });

  test('asks if they changed the same field, and sends what was chosen', async () => {
    const { save, sent, asked } = begin(listOf(2, { ...clerk, label: 'Assistant' }, porter), {
      changes: { validTo: '2030-01-01' },
    });
    await save(first, clerk, { label: 'Officer', validTo: '2030-01-01' });
    expect([asked.length, sent[1]]).toEqual([1, [2, { validTo: '2030-01-01' }]]);
  });

  test('asks before sending anything if the page already shows their change', async () => {
    const now = listOf(2, { ...clerk, label: 'Assistant' }, porter);
    const keeping = begin(now, undefined);
    expect(await keeping.save(now, clerk, { label: 'Officer' })).toBeUndefined();
    expect([keeping.asked.length, keeping.sent]).toEqual([1, []]);
    const saving = begin(now, { changes: { label: 'Officer' } });
    await saving.save(now, clerk, { label: 'Officer' });
    expect(saving.sent).toEqual([[2, { label: 'Officer' }]]);
  });
});

test('a saved change tells how many values of other lists depend on what it retired', async () => {
  const answers = [
    listOf(2),
    { ...listOf(2), children: 2 },
    { changes: [{ children: 2 }, {}, { children: 1 }] } as Plan,
    { changes: [], counts: {} },
  ];
  const saved = answers.map((answer) =>
    saveChange({
      api: {} as Api,
      list: first,
      change: { done: '', values: [], write: async () => answer },
      ask: async () => undefined,
    }),
  );
  expect((await Promise.all(saved)).map((each) => each?.children)).toEqual([0, 2, 3, 0]);
});
