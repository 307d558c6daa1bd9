import { expect, test } from 'bun:test';
import { mergeField } from './merge.ts';

test.each([
  ['nobody changed', 'a', undefined, 'a', 'a', 'nobody'],
  ['was typed as it is', 'a', 'a', 'a', 'a', 'nobody'],
  ['only I changed', 'a', 'm', 'a', 'm', 'mine'],
  ['only they changed', 'a', undefined, 't', 't', 'theirs'],
  ['both changed to the same', 'a', 't', 't', 't', 'theirs'],
  ['both changed differently', 'a', 'm', 't', 'm', 'both'],
  ['I typed as it was, and they changed', 'a', 'a', 't', 'a', 'both'],
  ['I removed, and they changed', 'a', null, 't', null, 'both'],
] as const)('what %s is merged', (_, base, mine, theirs, value, changedBy) => {
  expect(mergeField<string | null>(base, mine, theirs)).toEqual({ value, changedBy });
});

test('values are compared as the caller compares them', () => {
  const isEqual = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  expect(mergeField('a', 'B', 'b', isEqual).changedBy).toBe('theirs');
  expect(mergeField(['a', 'b'], ['a'], ['a', 'b']).changedBy).toBe('mine');
});
