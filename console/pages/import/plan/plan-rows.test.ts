import { expect, test } from 'bun:test';
import { countByFilter, countOf, planRow } from './plan-rows.ts';

test('changes left out of the answer are counted too, and changes to lists themselves share one filter', () => {
  const counts = { position: { title: 1, settings: 1, retire: 9999 }, country: { list: 1, add: 3, retire: 1 } };
  expect(countOf(counts)).toBe(10_006);
  expect(Object.fromEntries(countByFilter(counts))).toEqual({ all: 10_006, list: 3, retire: 10_000, add: 3 });
});

test('each translation of a title or description is a difference of its own', () => {
  const before = { title: 'Jobs', titles: { de: 'Berufe', fr: 'Postes' } };
  const after = { title: 'Jobs', titles: { de: 'Stellen', fr: 'Postes', sv: 'Jobb' } };
  const { differences } = planRow({ kind: 'settings', list: 'position', value: null, before, after });
  expect(differences).toEqual([
    { field: 'titles:de', before: 'Berufe', after: 'Stellen' },
    { field: 'titles:sv', before: null, after: 'Jobb' },
  ]);
});
