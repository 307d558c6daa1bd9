import { expect, test } from 'bun:test';
import { historyText } from './lookup.queries.ts';

/** As the digests of earlier versions have it. */
test.each([
  ['one change', '[{"value":"A","before":null,"after":{"label":"Ä \\" \\\\ 😀"}}]', null],
  ['many changes, restoring a version', JSON.stringify(Array.from({ length: 40_000 }, () => 'é"😀\\')), 7],
])('an entry with %s is one JSON text', (_, changes, restored_version) => {
  const entry = { list: 'grade', version: 9, at: '2026-01-01T00:00:00.000Z', by: 'A "B"', reason: null, changes };
  const { list, version, at, by, reason } = entry;
  expect(historyText({ ...entry, restored_version })).toBe(
    JSON.stringify([list, version, at, by, reason, changes, restored_version]),
  );
});
