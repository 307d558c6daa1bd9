import { expect, test } from 'bun:test';
import { Problem } from '../http/problem.ts';
import { describeError } from './log.ts';

test('an error is logged by name, code and place, never by its message', () => {
  const cause = Object.assign(new TypeError('"eyJhbGciOi" is not an Object\n    at eyJhbGciOi'), { code: 'ERR_X' });
  const described = describeError(new Problem('idp-bad-response', { cause }));
  expect(described).toMatchObject({
    name: 'Problem',
    code: 'idp-bad-response',
    cause: { name: 'TypeError', code: 'ERR_X' },
  });
  expect(JSON.stringify(described)).not.toContain('eyJ');
  expect(JSON.stringify(described)).toContain('log.test.ts');
});

test('the reason of our own problem is logged', () => {
  const described = describeError(new Problem('account-not-permitted', { reason: 'no employee ID' }));
  expect(described).toEqual({ name: 'Problem', code: 'account-not-permitted', reason: 'no employee ID' });
});

test('a thrown value that is not an error is logged by its type', () => {
  expect(describeError('eyJ')).toEqual({ name: 'string' });
});
