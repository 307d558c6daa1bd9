import { describe, expect, test } from 'bun:test';
import { blankItem, type KeptItem } from '../lookup/rules/item.ts';
import { noSettings } from '../lookup/rules/list.ts';
import { columnFault, writeMigration } from './migration-sql.ts';

/** `A>B`: A is retired, and replaced by B; `A-`: retired; `A`: active. */
function read(text: string) {
  const [value = '', replacedBy = null] = text.replace('-', '').split('>');
  const status = text === value ? ('active' as const) : ('retired' as const);
  return { value, status, replacedBy };
}

const listOf = (...items: string[]) => ({
  list: 'grade',
  ...noSettings,
  title: 'Grade',
  version: 9,
  items: items.map((item): KeptItem => {
    const { value, ...life } = read(item);
    return { id: 1, ...blankItem(value, 'L', 1), ...life };
  }),
});

/** Steps, newest first. Each step names items as they were before it: `A>B`, or `A?` if the item did not exist. */
const since = (...steps: string[][]) => ({
  version: 9 - steps.length,
  steps: steps.map((before, index) => ({
    version: 9 - index,
    at: '2026-01-01T00:00:00.000Z',
    by: 'somebody',
    reason: null,
    changes: before.map((text) =>
      text.endsWith('?')
        ? { value: text.slice(0, -1), before: null, after: {} }
        : { value: read(text).value, before: read(text), after: {} },
    ),
  })),
});

const mapsOf = (sql: string) => [...sql.matchAll(/WHEN '(.+)' THEN '(.+)'/g)].map(([, from, to]) => `${from} ${to}`);
const commentsOf = (sql: string) => [...sql.matchAll(/^-- (\S+) is retired/gm)].map(([, value]) => value);

describe('a migration maps', () => {
  test.each<[string, string[], string[][], string[], string[]]>([
    ['a value that was replaced since then', ['A>B', 'B'], [['A']], ['A B'], []],
    ['a chain, to its end', ['A>B', 'B>C', 'C'], [['B'], ['A']], ['A C', 'B C'], []],
    ['a chain that grew since then', ['A>B', 'B>C', 'C'], [['B']], ['A C', 'B C'], []],
    ['a value whose replacement changed since then', ['A>C', 'B', 'C'], [['A>B']], ['A C'], []],
    ['no value that was replaced earlier', ['A>B', 'B', 'C'], [['C']], [], []],
    ['no value that is active again', ['A', 'B'], [['A>B']], [], []],
    ['a value that was added and replaced since then', ['A>B', 'B'], [['A'], ['A?']], ['A B'], []],
    ['no value without a replacement, but writes a comment', ['A-', 'B'], [['A']], [], ['A']],
    ['no value that was retired earlier, and writes no comment', ['A-', 'B'], [['B']], [], []],
    ['a value to a retired value, with a comment', ['A>B', 'B-'], [['A']], ['A B'], ['B']],
    ['nothing since the newest version', ['A>B', 'B-'], [], [], []],
  ])('%s', (_, items, steps, maps, ended) => {
    const sql = writeMigration(listOf(...items), since(...steps), 'value');
    expect([mapsOf(sql), commentsOf(sql)]).toEqual([maps, ended]);
  });

  test('every replaced value, if no version is given', () => {
    const sql = writeMigration(listOf('A>B', 'B>C', 'C', 'D-'), undefined, 'value');
    expect([mapsOf(sql), commentsOf(sql)]).toEqual([['A C', 'B C'], ['D']]);
  });
});

test('the comments come first, and the rest is one expression', () => {
  expect(writeMigration(listOf('A>B', 'B', 'C-'), since(['A', 'C']), 'e.grade')).toBe(
    "-- grade, from version 8 to 9: stored values to final values.\n-- C is retired, and nothing replaces it.\nCASE e.grade\n  WHEN 'A' THEN 'B'\n  ELSE e.grade\nEND\n",
  );
  expect(writeMigration(listOf('A'), undefined, 'grade')).toBe('-- grade, to version 9: nothing to map.\ngrade\n');
});

test('a chain of 100,000 values is followed once', () => {
  const items = Array.from({ length: 100_000 }, (_, index) => `V${index}>V${index + 1}`);
  const maps = mapsOf(writeMigration(listOf(...items, 'V100000'), undefined, 'value'));
  expect([maps.length, new Set(maps.map((map) => map.split(' ')[1])).size]).toEqual([100_000, 1]);
});

describe('the check of a column', () => {
  test.each([
    'value',
    '_x1',
    'e.position',
    'hr.employee.position',
    '"Position"',
    'e."a b"',
    '`order`',
    '[dbo].[user]',
    'e.user',
  ])('accepts %s', (column) => expect(columnFault(column)).toBeUndefined());

  test.each([
    ['', 'must be'],
    ['1x', 'must be'],
    ['a b', 'must be'],
    ['a--b', 'must be'],
    ['a;drop table x', 'must be'],
    ['"a"b"', 'must be'],
    ['"a\nb"', 'must be'],
    ['a.b.c.d', 'must be'],
    ["'a'", 'must be'],
    ['x'.repeat(129), 'must be'],
    ['NULL', 'is not a column'],
    ['user', 'is not a column'],
    ['current_date', 'is not a column'],
  ])('refuses %j', (column, fault) => expect(columnFault(column)).toStartWith(fault));
});
