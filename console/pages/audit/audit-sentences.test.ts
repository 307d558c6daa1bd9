import { describe, expect, test } from 'bun:test';
import { type AuditRow, auditTypes } from '../../../src/audit/audit.schema.ts';
import { auditTypeNames, describeAuditRow, nameActor, nameAuditType } from './audit-sentences.ts';

const empty = {
  id: '1',
  at: '2027-01-31T08:00:00Z',
  session: null,
  address: null,
  requestId: null,
  personName: null,
  actorName: null,
};
const row = (type: string, person: string | null, detail: string | null, actor: string | null = person): AuditRow => ({
  ...empty,
  type,
  person,
  actor,
  detail,
});

describe('the sentence of an audit row', () => {
  test.each([
    [row('sign-in', 'E-1001', 'bound'), 'E-1001 signed in'],
    [row('logout', 'E-1001', null), 'E-1001 signed out'],
    [
      row('sign-in-refused', null, 'login-denied: access_denied', null),
      'A sign-in was refused: denied at the identity provider',
    ],
    [
      row(
        'sign-in-refused',
        'E-9',
        'account-not-permitted: the employee ID belongs to another account: subject x',
        null,
      ),
      'A sign-in by E-9 was refused: the account cannot be used here',
    ],
    [
      row('sign-in-refused', null, '12 more within a minute: code-rejected 12', null),
      '12 more sign-ins were refused within a minute',
    ],
    [row('sign-in-refused', null, 'new-code: x', null), 'A sign-in was refused: new-code'],
    [row('session-ended', 'E-1', 'by the person'), 'E-1 ended one of their sessions'],
    [
      row('session-ended', 'E-1', 'back-channel logout', 'identity provider'),
      'The identity provider ended a session of E-1',
    ],
    [
      row('session-ended', 'E-1', 'command line', 'command line (root)'),
      'A session of E-1 was ended on the command line',
    ],
    [
      row('session-ended', 'E-1', 'renewal: the employee ID has changed', 'Frontdesk'),
      'A session of E-1 ended: it could not be renewed',
    ],
    [row('key-made', null, 'abc', 'Frontdesk'), 'A signing key was created'],
    [
      row('key-made', null, 'audit key, after row 0 and seal 0', 'Frontdesk'),
      'A key for the audit log digests was created',
    ],
    [row('key-activated', null, 'client key abc', 'Frontdesk'), 'A client key is now in use'],
    [
      row('person-forgotten', 'person-x', 'begun', 'command line (root)'),
      'The erasure of the personal data of person-x started',
    ],
    [
      row('person-forgotten', 'person-x', 'step 1: 1 rows from 3 to 3, abc', 'command line (root)'),
      'The personal data of person-x was erased from 1 entry',
    ],
    [row('token-issued', 'caller:payroll', null), 'The program payroll signed in'],
    [row('list-changed', 'E-1', 'position version 12'), 'E-1 changed the list position (version 12)'],
    [
      row('list-changed', null, 'position version 12, restoring version 3', 'command line (root)'),
      'root (command line) restored version 3 of the list position',
    ],
    [
      row('list-changed', 'caller:hr', 'position version 2', 'caller:hr'),
      'The program hr changed the list position (version 2)',
    ],
    [
      row('audit-removed', null, 'until row 120, seal 4', 'Frontdesk'),
      'Entries up to number 120 were removed because of their age',
    ],
    [row('audit-sealed', null, 'seal 7, abc', 'Frontdesk'), 'The audit log was sealed (seal 7)'],
    [row('constructor', 'E-1', null), 'constructor'],
  ])('%#: %o', (given, expected) => {
    expect(describeAuditRow(given)).toBe(expected);
  });

  test('exists for every type that the service writes, and each type has a name', () => {
    for (const type of auditTypes) {
      expect(describeAuditRow(row(type, 'E-1', 'x'))).not.toBe(type);
      expect(nameAuditType(type)).not.toBe(type);
    }
    expect(auditTypeNames.map(([type]) => type)).toEqual([...auditTypes]);
  });
});

test('people are named if the service knows them', () => {
  const named = { ...row('sign-in', 'E-1001', 'bound'), personName: 'Ada Park', actorName: 'Ada Park' };
  expect(describeAuditRow(named)).toBe('Ada Park signed in');
  expect(describeAuditRow({ ...named, type: 'list-changed', detail: 'position version 2' })).toBe(
    'Ada Park changed the list position (version 2)',
  );
});

test('the actor of a row is named', () => {
  expect(
    ['Frontdesk', 'identity provider', 'caller:payroll', 'command line (ada)', 'E-1'].map((actor) => nameActor(actor)),
  ).toEqual(['Frontdesk', 'The identity provider', 'the program payroll', 'ada (command line)', 'E-1']);
});
