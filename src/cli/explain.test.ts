import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { CommandError } from './command.ts';
import { explain } from './explain.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function explained(text: string, env: Record<string, string> = {}) {
  const file = join(folder, 'claims.json');
  writeFileSync(file, text);
  const result = await explain({ words: [file], options: {}, flags: new Set() }, readConfig(env));
  return typeof result === 'string' ? { text: result, exitCode: 0 } : result;
}

test('says which source gave the employee ID and each role, what is empty, and what /auth/me would say', async () => {
  const claims = {
    idToken: { sub: 's-1', employeeid: '', oid: 'o-1', name: 'Ada Park', roles: ['hr-admins', 'noise'], groups: '' },
    userinfo: { sub: 's-1', groups: ['EMPLOYEE'] },
  };
  const env = { EMPLOYEE_ID_CLAIM: 'employeeid,oid', ROLE_MAP: 'hr-admins=LOOKUP_ADMIN,noise=' };
  const { text, exitCode } = await explained(JSON.stringify(claims), env);
  expect(exitCode).toBe(0);
  const [before = '', me = ''] = text.split('GET /auth/me would say:\n');
  expect(before).toBe(
    [
      'Employee ID: o-1, from oid (ID token)',
      '  No usable value in the claims that EMPLOYEE_ID_CLAIM lists first: employeeid',
      '',
      'Roles:',
      'at the provider  from                here',
      'hr-admins        /roles (ID token)   LOOKUP_ADMIN, renamed by ROLE_MAP',
      'noise            /roles (ID token)   dropped by ROLE_MAP',
      'EMPLOYEE         /groups (userinfo)  EMPLOYEE',
      'No roles in /realm_access/roles, /urn:zitadel:iam:org:project:roles.',
      '',
      'No claim contains: givenName, familyName, email, phoneNumber',
      '',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(me)).toMatchObject({ sub: 'o-1', name: 'Ada Park', roles: ['LOOKUP_ADMIN', 'EMPLOYEE'] });
});

test('says which roles the preset drops, and that ROLE_MAP keeps one', async () => {
  const roles = ['EMPLOYEE', 'offline_access', 'uma_authorization', 'default-roles-acme'];
  const env = { OIDC_PRESET: 'keycloak', ROLE_MAP: 'uma_authorization=uma_authorization' };
  const { text } = await explained(JSON.stringify({ sub: 's-1', realm_access: { roles } }), env);
  expect(text.split('\n').slice(2, 8)).toEqual([
    'Roles:',
    'at the provider     from                            here',
    'EMPLOYEE            /realm_access/roles (ID token)  EMPLOYEE',
    'offline_access      /realm_access/roles (ID token)  dropped by OIDC_PRESET',
    'uma_authorization   /realm_access/roles (ID token)  uma_authorization',
    'default-roles-acme  /realm_access/roles (ID token)  dropped by OIDC_PRESET',
  ]);
  expect(JSON.parse(text.split('would say:\n')[1] ?? '')).toMatchObject({ roles: ['EMPLOYEE', 'uma_authorization'] });
});

test('says why a sign-in would be refused, and exits 2', async () => {
  const { text, exitCode } = await explained('{"sub":"s-1"}', { EMPLOYEE_ID_CLAIM: 'employeeid' });
  expect(exitCode).toBe(2);
  expect(text).toStartWith('Employee ID: none in employeeid (EMPLOYEE_ID_CLAIM)\n');
  expect(text).toEndWith('The sign-in would be refused: no claim holds an employee ID.\n');
});

test('takes an ID token as it is, without checking it', async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { text } = await explained(`${part({ alg: 'RS256' })}.${part({ sub: 's-9', roles: ['A'] })}.signature\n`);
  expect(text).toStartWith('Employee ID: s-9, from sub (ID token)\n');
});

test.each([
  ['no JSON', 'secret-claim {'],
  ['no object', '["secret-claim"]'],
  ['nothing', ''],
  ['more than 1 MiB', `{"sub":"${'x'.repeat(1024 * 1024)}"}`],
])('%s is refused, and not quoted', async (_, text) => {
  const failure = await explained(text).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CommandError);
  expect(failure).toMatchObject({ exitCode: 65, message: expect.not.stringContaining('secret-claim') });
});

test('control characters in claims do not reach the terminal', async () => {
  const { text } = await explained(JSON.stringify({ sub: 's-1', roles: ['A\u001b[31m'] }));
  expect(text.split('GET /auth/me')[0]).not.toContain('\u001b');
});
