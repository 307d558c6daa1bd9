import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolders } from '../../test/support/temporary-folders.ts';
import { ConfigError, readConfig } from './config.ts';

const makeFolder = temporaryFolders();

function writePeople(text: string): string {
  const file = join(makeFolder(), 'people.yaml');
  writeFileSync(file, text);
  return file;
}

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return 'none';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

test('people have the claims that the file gives them', () => {
  const file = writePeople(`people:
  - { sub: E-1, about: Clerk, name: Ada, roles: [EMPLOYEE], claims: { employeeid: '1' } }
  - sub: E-2
`);
  expect(readConfig({ DEV_PEOPLE: file }).devPeople).toEqual([
    { about: 'Clerk', claims: { sub: 'E-1', name: 'Ada', roles: ['EMPLOYEE'], employeeid: '1' } },
    { about: '', claims: { sub: 'E-2' } },
  ]);
});

test.each([
  ['people:\n  - sub: E-1\n   name: x', 'is not YAML, at line 3, column 1'],
  ['- sub: E-1', 'must be `people:` with a list'],
  ['people: []', 'people must name at least one person'],
  ['people: Ada', 'people must be a list of people'],
  ['people: [Ada]', 'people.1 must be a person'],
  ['people: [{ name: Ada }]', 'people.1.sub must be text'],
  ['people: [{ sub: 1 }]', 'people.1.sub must be text'],
  ['people: [{ sub: "" }]', 'people.1.sub must be 1 to 64 visible ASCII characters'],
  ['people: [{ sub: E-1 }, { sub: E-1 }]', 'people must not repeat a sub'],
  ['people: [{ sub: E-1, rolse: [X] }]', 'people.1 has an unknown field'],
  ['people: [{ sub: E-1, roles: X }]', 'people.1.roles must be a list of texts'],
  ['people: [{ sub: E-1, email_verified: yes please }]', 'people.1.email_verified must be true or false'],
  ['people: [{ sub: E-1, picture: "javascript:alert(1)" }]', 'people.1.picture must be an http or https address'],
  ['people: [{ sub: E-1, claims: { iss: other } }]', 'people.1.claims must not have iss, sub,'],
  [`people: [{ sub: E-1, name: ${'x'.repeat(257)} }]`, 'people.1.name must be at most 256 characters long'],
  [`people: [${'{ sub: E-1 }, '.repeat(101)}]`, 'people must name at most 100 people'],
  [`people: [${'{ name: x }, '.repeat(7)}]`, '; and 2 more'],
  ['', 'names an empty file'],
  [`people: [] # ${'x'.repeat(70_000)}`, 'must name a file of at most 65536 bytes'],
])('a file with %j is refused at startup', (text, fault) => {
  const given = faultsOf({ DEV_PEOPLE: writePeople(text) });
  expect(given).toStartWith('DEV_PEOPLE: ');
  expect(given).toContain(fault);
});

test('a file that cannot be read is refused', () => {
  expect(faultsOf({ DEV_PEOPLE: '/nowhere/people.yaml' })).toBe(
    'DEV_PEOPLE: names a file that cannot be read (ENOENT)',
  );
});

test('a file with aliases that multiply is refused', () => {
  const lines = Array.from({ length: 9 }, (_, index) => `x${index + 1}: &x${index + 1} [${`*x${index},`.repeat(9)}]`);
  expect(faultsOf({ DEV_PEOPLE: writePeople(`x0: &x0 [a]\n${lines.join('\n')}`) })).toContain('too many aliases');
});

test.each([
  ['OIDC_ISSUER', { OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 's' }],
  [
    'production',
    {
      OIDC_ISSUER: 'https://idp.example',
      OIDC_CLIENT_ID: 'desk',
      OIDC_CLIENT_SECRET: 's',
      NODE_ENV: 'production',
      SECRET_KEY: 'x'.repeat(32),
      PUBLIC_URL: 'https://desk.example',
    },
  ],
])('with %s, DEV_PEOPLE is refused, whether or not the file exists', (_, env) => {
  expect(faultsOf(env)).toBe('none');
  expect(faultsOf({ ...env, DEV_PEOPLE: '/nowhere/people.yaml' })).toBe(
    'DEV_PEOPLE: is for the development provider, which is not used with OIDC_ISSUER or in production',
  );
});
