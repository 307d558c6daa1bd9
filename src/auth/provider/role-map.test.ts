import { expect, test } from 'bun:test';
import { presets } from '../../config/presets.ts';
import { mapRole } from './role-map.ts';

const none = new Map<string, string>();
const mapped = (theirs: string, own: Record<string, string>, preset: ReadonlyMap<string, string> = none) => {
  const { role, by } = mapRole(theirs, { roleMap: new Map(Object.entries(own)), presetRoleMap: preset });
  return [role, by];
};

test.each([
  ['a whole name is renamed', 'hr', { hr: 'LOOKUP_ADMIN' }, 'LOOKUP_ADMIN'],
  ['a name that is mapped to nothing is dropped', 'noise', { noise: '' }, ''],
  ['a prefix drops the names that start with it', 'app-x-reader', { 'app-x-*': '' }, ''],
  ['a prefix also drops a name that equals it', 'app-x-', { 'app-x-*': '' }, ''],
  [
    'a whole name takes precedence over a prefix',
    'app-x-admin',
    { 'app-x-*': '', 'app-x-admin': 'LOOKUP_ADMIN' },
    'LOOKUP_ADMIN',
  ],
  ['the empty prefix drops every other role', 'anything', { hr: 'LOOKUP_ADMIN', '*': '' }, ''],
])('%s', (_, theirs, map, role) => {
  expect(mapped(theirs, map)).toEqual([role, 'ROLE_MAP']);
});

test.each([
  ['a role with the prefix in the middle', 'my-app-x-reader', { 'app-x-*': '' }],
  ['a role whose map entry has a * in the middle', 'a-b', { 'a*b': '' }],
  ['a role in upper case', 'APP-X-READER', { 'app-x-*': '' }],
])('%s does not match, and is kept', (_, theirs, map) => {
  expect(mapped(theirs, map)).toEqual([theirs, undefined]);
});

test.each(['offline_access', 'uma_authorization', 'default-roles-acme', 'default-roles-other realm'])(
  'the Keycloak preset drops %s, which every Keycloak account has',
  (theirs) => {
    expect(mapped(theirs, {}, presets.keycloak.roleMap)).toEqual(['', 'OIDC_PRESET']);
    expect(mapped(theirs, {}, presets.generic.roleMap)).toEqual([theirs, undefined]);
  },
);

test('ROLE_MAP keeps or renames what the preset would drop, and the preset drops the rest', () => {
  const own = { offline_access: 'offline_access', 'default-roles-acme': 'EMPLOYEE' };
  expect(mapped('offline_access', own, presets.keycloak.roleMap)).toEqual(['offline_access', 'ROLE_MAP']);
  expect(mapped('default-roles-acme', own, presets.keycloak.roleMap)).toEqual(['EMPLOYEE', 'ROLE_MAP']);
  expect(mapped('uma_authorization', own, presets.keycloak.roleMap)).toEqual(['', 'OIDC_PRESET']);
});
