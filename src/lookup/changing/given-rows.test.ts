import { expect, test } from 'bun:test';
import { Kysely, PostgresDialect } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import { partsFor } from './given-rows.ts';

const postgres = new Kysely<Tables>({
  dialect: new PostgresDialect({
    pool: async () => {
      throw new Error('nothing is sent');
    },
  }),
});
const arraysOf = (rows: number, letters: number, count: number) =>
  Array.from({ length: count }, (_, nth) =>
    JSON.stringify(Array.from({ length: rows }, (_, index) => `${nth} ${index} ${'x'.repeat(letters)}`)),
  );
const valuesIn = (arrays: readonly string[]) => arrays.flatMap((array): unknown[] => JSON.parse(array));

test.each([
  ['none', [], 0],
  ['one', arraysOf(3, 1, 1), 1],
  ['many small ones in one statement', arraysOf(1000, 10, 20), 1],
  ['many of one size in several', arraysOf(1000, 100, 50), 13],
  ['large ones each in its own', arraysOf(1000, 2000, 3), 3],
  [
    'small ones before and behind a large one',
    [...arraysOf(2, 1, 2), ...arraysOf(1000, 2000, 1), ...arraysOf(2, 1, 2)],
    3,
  ],
])('arrays are joined for PostgreSQL up to a size, and nothing is lost: %s', (_, arrays, statements) => {
  const parts = partsFor(postgres, arrays);
  expect(parts).toHaveLength(statements);
  expect(valuesIn(parts)).toEqual(valuesIn(arrays));
});
