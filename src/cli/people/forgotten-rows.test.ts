import { describe, expect, test } from 'bun:test';
import { forgetAuditRow, forgetEntry, isOfPerson, newPseudonym } from './forgotten-rows.ts';

const pseudonym = newPseudonym();
const who = {
  employeeId: '12',
  onCommandLine: 'command line (12)',
  person: { id: 'p', issuer: 'https://id.example', subject: 'a.b' },
  pseudonym,
};
const row = {
  seq: 1,
  at: '2026-11-16T06:00:00.000Z',
  type: 'sign-in',
  person: null,
  actor: null,
  session: null,
  address: '192.0.2.1',
  request_id: null,
  detail: null,
  salt: '',
  digest: '',
  covered: null,
  replaced: null,
};

test('a pseudonym is random', () => {
  expect(pseudonym).toMatch(/^forgotten-[0-9a-f]{32}$/);
  expect(newPseudonym()).not.toBe(pseudonym);
});

test.each([
  ['12', true],
  ['forgotten-12', true],
  [pseudonym, false],
  ['Frontdesk', false],
  ['identity provider', false],
  ['caller:archive', false],
])('%s can be forgotten: %p', (name, isPerson) => {
  expect(isOfPerson(name)).toBe(isPerson);
});

describe('forgetting a person in an audit row', () => {
  const refused = 'account-not-permitted: the employee ID belongs to another account';
  const cases: [name: string, before: object, isOwnSession: boolean, after: object | undefined][] = [
    ['replaces person and actor', { person: '12', actor: '12' }, false, { person: pseudonym, actor: pseudonym }],
    [
      'keeps another actor',
      { person: '12', actor: 'command line (root)' },
      false,
      { person: pseudonym, actor: 'command line (root)' },
    ],
    [
      'replaces the actor on the command line',
      { actor: 'command line (12)' },
      false,
      { actor: `command line (${pseudonym})` },
    ],
    ['erases only the address in their own session', { actor: 'Frontdesk' }, true, { actor: 'Frontdesk' }],
    [
      'replaces an earlier employee ID in their own session',
      { person: '11', actor: '11' },
      true,
      { person: pseudonym, actor: pseudonym },
    ],
    [
      'removes the account from a row of another person',
      { type: 'sign-in-refused', person: '9', detail: `${refused}: subject a.b: sub, email` },
      false,
      { person: '9', detail: refused },
    ],
    [
      'keeps an account with a similar name',
      { type: 'sign-in-refused', person: '9', detail: `${refused}: subject a.bc` },
      false,
      undefined,
    ],
    [
      'removes the account from a move',
      { type: 'person-moved', person: '9', detail: 'https://id.example a.b' },
      false,
      { person: '9', detail: 'https://id.example' },
    ],
    [
      'keeps a number that only looks like the employee ID',
      { type: 'list-changed', person: '9', detail: 'position version 12' },
      false,
      undefined,
    ],
    [
      'replaces the author of a list version',
      { type: 'list-changed', person: '12', detail: 'position version 12' },
      false,
      { person: pseudonym, detail: 'position version 12' },
    ],
    ['leaves a row that is already done', { person: pseudonym, actor: pseudonym, address: null }, true, undefined],
  ];
  test.each(cases)('%s', (_, before, isOwnSession, after) => {
    const expected = after && { person: null, actor: null, detail: null, address: null, ...after };
    expect(forgetAuditRow({ ...row, ...before }, who, isOwnSession)).toEqual(expected as never);
  });
});

test.each([
  ['they made it', { by: '12', reason: null }, { by: pseudonym, reason: null }],
  [
    'it names them',
    { by: '9', reason: 'for 12, (12) and a.b.' },
    { by: '9', reason: `for ${pseudonym}, (${pseudonym}) and ${pseudonym}.` },
  ],
  ['it names others', { by: '9', reason: '120 for B-12, 12_a, é12 and a.bc' }, undefined],
])('forgetting a person in an entry of the history: %s', (_, before, after) => {
  expect(forgetEntry(before, who, ['12'])).toEqual(after as never);
});

test('an account that begins with the employee ID is replaced as a whole', () => {
  const account = { id: 'p', issuer: 'https://id.example', subject: '12@example.com' };
  const entry = { by: '9', reason: 'as 12@example.com said to 12' };
  expect(forgetEntry(entry, { ...who, person: account }, ['12'])).toEqual({
    by: '9',
    reason: `as ${pseudonym} said to ${pseudonym}`,
  });
});
