import { describe, expect, test } from 'bun:test';
import { type JudgedLists, judgeValues } from './judging.ts';

const today = '2026-06-15';

type Item = NonNullable<ReturnType<JudgedLists['getItem']>>;

const active: Item = {
  label: 'Label',
  labels: {},
  status: 'active',
  validFrom: null,
  validTo: null,
  replacedBy: null,
  retiredAt: null,
  parents: {},
};

function listsOf(lists: Record<string, Record<string, Partial<Item>>>): JudgedLists {
  return {
    standingOf: (list) => (Object.hasOwn(lists, list) ? 'readable' : 'unknown-list'),
    getItem(list, value) {
      const item = Object.hasOwn(lists, list) ? lists[list]?.[value] : undefined;
      return item && { ...active, ...item };
    },
    labelOf: ({ label }) => label,
    today,
  };
}

describe('the status depends on the values of parent lists in the same request', () => {
  const inGermany = { parents: { country: ['DE', 'AT'] } };
  const lists = listsOf({
    country: { DE: {}, FR: {}, AT: { status: 'retired' } },
    shift: { DAY: {} },
    office: {
      BERLIN: inGermany,
      BERLIN_AT_NIGHT: { parents: { country: ['DE'], shift: ['NIGHT'] } },
      ANYWHERE: {},
      ODD: { parents: { constructor: ['X'] } },
      GONE: { ...inGermany, status: 'retired' },
      LATER: { ...inGermany, validFrom: '2026-06-16' },
      EARLIER: { ...inGermany, validTo: '2026-06-14' },
    },
  });

  test.each<[string, Record<string, string | string[]>, string]>([
    ['BERLIN', {}, 'active'],
    ['BERLIN', { country: 'DE' }, 'active'],
    ['BERLIN', { country: 'FR' }, 'not-with-parent'],
    ['BERLIN', { country: ['FR', 'DE'] }, 'active'],
    ['BERLIN', { country: [] }, 'active'],
    ['BERLIN', { country: 'NOWHERE' }, 'not-with-parent'],
    // AT is retired, but this affects only the result of AT itself.
    ['BERLIN', { country: 'AT' }, 'active'],
    ['BERLIN', { shift: 'DAY' }, 'active'],
    ['BERLIN_AT_NIGHT', { country: 'DE' }, 'active'],
    ['BERLIN_AT_NIGHT', { country: 'DE', shift: 'DAY' }, 'not-with-parent'],
    ['ANYWHERE', { country: 'FR' }, 'active'],
    ['ODD', {}, 'active'],
    ['GONE', { country: 'FR' }, 'retired'],
    ['LATER', { country: 'FR' }, 'scheduled'],
    ['EARLIER', { country: 'FR' }, 'expired'],
    ['PARIS', { country: 'FR' }, 'unknown'],
  ])('%s with %j: %s', (value, others, status) => {
    const results = judgeValues({ ...others, office: value }, lists);
    expect(results.find(({ list }) => list === 'office')?.status).toBe(status as 'active');
  });
});

test('the first and the last day are valid', () => {
  const lists = listsOf({ a: { FIRST: { validFrom: today }, LAST: { validTo: today } } });
  expect(judgeValues({ a: ['FIRST', 'LAST'] }, lists).map(({ status }) => status)).toEqual(['active', 'active']);
});

test('each item in a chain of replacements is visited once, even for many values', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => [
    `V${index}`,
    { status: 'retired' as const, replacedBy: `V${index + 1}` },
  ]);
  const lists = listsOf({ long: { ...Object.fromEntries(items), V50000: {} } });
  let visits = 0;
  const counted: JudgedLists = {
    ...lists,
    getItem(list, value) {
      visits++;
      return lists.getItem(list, value);
    },
  };
  const values = Array.from({ length: 1000 }, (_, index) => `V${index * 50}`);
  expect(new Set(judgeValues({ long: values }, counted).map(({ replacedBy }) => replacedBy))).toEqual(
    new Set(['V50000']),
  );
  expect(visits).toBeLessThan(60_000);
});

test('replacements of parents that form a circle are followed only once', () => {
  const lists = listsOf({
    country: { A: { replacedBy: 'B' }, B: { replacedBy: 'A' }, C: {} },
    office: { X: { parents: { country: ['A'] } } },
  });
  const beside = (country: string) => judgeValues({ country, office: 'X' }, lists).at(-1)?.status;
  expect([beside('A'), beside('B'), beside('C')]).toEqual(['active', 'active', 'not-with-parent']);
});
