import { expect, test } from 'bun:test';
import { mergeField } from './merge.ts';

test.each([
  ['nobody changed', 'a', undefined, 'a', 'a', 'nobody'],
  ['I typed without changing it', 'a', 'a', 'a', 'a', 'nobody'],
  ['only I changed', 'a', 'm', 'a', 'm', 'mine'],
  ['only they changed', 'a', undefined, 't', 't', 'theirs'],
  ['both changed to the same content', 'a', 't', 't', 't', 'theirs'],
  ['both changed differently', 'a', 'm', 't', 'm', 'both'],
  ['I set back and they changed', 'a', 'a', 't', 'a', 'both'],
  ['I removed and they changed', 'a', null, 't', null, 'both'],
] as const)('a field that %s is merged', (_, base, mine, theirs, value, changedBy) => {
  expect(mergeField<string | null>(base, mine, theirs)).toEqual({ value, changedBy });
});

test('values are compared with the function that the caller passes', () => {
  const isEqual = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  expect(mergeField('a', 'B', 'b', isEqual).changedBy).toBe('theirs');
  expect(mergeField(['a', 'b'], ['a'], ['a', 'b']).changedBy).toBe('mine');
});
