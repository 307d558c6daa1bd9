import { expect, test } from 'bun:test';
import type { ClaimSettings } from './claims.ts';
import { explainIdentity } from './explanation.ts';

const settings: ClaimSettings = {
  employeeIdClaims: ['employeeid', 'oid', 'sub'],
  roleClaims: ['/realm_access/roles', 'groups', '/https:~1~1example.com~1roles|one', '/none'],
  roleMap: new Map([
    ['hr-admins', 'LOOKUP_ADMIN'],
    ['noise', ''],
  ]),
  presetRoleMap: new Map([['default-*', '']]),
};

test('the employee ID is told with its source, and with the sources that were passed over', () => {
  const { employeeId } = explainIdentity({ sub: 's', employeeid: '', oid: 'o-1' }, {}, settings);
  expect(employeeId).toEqual({ id: 'o-1', source: 'oid', origin: 'ID token', passedOver: ['employeeid'] });
});

test('each role is told with its source, and as it is renamed or dropped', () => {
  const idToken = { sub: 's', realm_access: { roles: ['hr-admins', 'noise', 'default-a'] }, groups: '' };
  const userinfo = { groups: ['EMPLOYEE'], 'https://example.com/roles': 'Team Lead' };
  const { roles, emptySources } = explainIdentity(idToken, userinfo, settings);
  expect(roles).toEqual([
    { source: '/realm_access/roles', origin: 'ID token', theirs: 'hr-admins', role: 'LOOKUP_ADMIN', by: 'ROLE_MAP' },
    { source: '/realm_access/roles', origin: 'ID token', theirs: 'noise', role: '', by: 'ROLE_MAP' },
    { source: '/realm_access/roles', origin: 'ID token', theirs: 'default-a', role: '', by: 'OIDC_PRESET' },
    { source: 'groups', origin: 'userinfo', theirs: 'EMPLOYEE', role: 'EMPLOYEE' },
    { source: '/https:~1~1example.com~1roles|one', origin: 'userinfo', theirs: 'Team Lead', role: 'Team Lead' },
  ]);
  expect(emptySources).toEqual(['/none']);
});

test('a refusal is the one that a sign-in would get', () => {
  expect(explainIdentity({ sub: 's' }, {}, { ...settings, employeeIdClaims: ['employeeid'] }).outcome).toEqual({
    refused: 'no claim holds an employee ID',
  });
});
