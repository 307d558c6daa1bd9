import { expect, test } from 'bun:test';
import { isMachineName } from './names.ts';

test.each([
  ['a', true],
  ['A.b_c-1', true],
  ['', false],
  ['-a', false],
  ['a b', false],
  ['a'.repeat(51), false],
])('whether %p is accepted as a tag: %p', (tag, isTag) => {
  expect(isMachineName(tag)).toBe(isTag);
});
