// Custom people at the development provider, instead of its sample people.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMessage } from '../../src/cli/serve.ts';
import { Browser } from '../support/browser.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { root } from '../support/process.ts';
import { temporaryFolders } from '../support/temporary-folders.ts';

const makeFolder = temporaryFolders();
let desk: Frontdesk;
beforeAll(async () => {
  // The example in the documentation, and a person whose name has to be escaped.
  const document = readFileSync(join(root, 'docs/identity-providers.md'), 'utf8');
  const example = /```yaml\n(people:[\s\S]*?)```/.exec(document)?.[1] ?? '';
  const file = join(makeFolder(), 'people.yaml');
  writeFileSync(file, `${example}  - { sub: '"><b>E-3', about: '<i>odd</i>', name: '</form>' }\n`);
  desk = await startFrontdesk({ DEV_PEOPLE: file, EMPLOYEE_ID_CLAIM: 'employeeid,sub' });
});
afterAll(() => desk.stop());

const me = async (person: string) => {
  const response = await desk.get('/auth/me', bearer(await desk.signIn(person)));
  return (await response.json()) as { sub: string; name: string; roles: string[] };
};

test('custom people sign in with the claims in the file', async () => {
  expect(await me('E-2001')).toMatchObject({ sub: 'E-2001', name: 'Grace Okoye', roles: ['EMPLOYEE', 'LOOKUP_ADMIN'] });
  expect(await me('E-2002')).toMatchObject({ sub: '2002', name: 'Mei Tanaka', roles: ['EMPLOYEE'] });
});

test('the page offers only the custom people, and nothing from the file becomes markup', async () => {
  const { response } = await new Browser().follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const page = await response.text();
  expect(page.match(/name="person"/g)?.length).toBe(3);
  expect(page).toContain('Payroll, keeps the lists');
  expect(page).toContain('value="&quot;&gt;&lt;b&gt;E-3"');
  expect(page).not.toMatch(/<b>|<i>|E-1001/);
});

test('the message at startup names one of the custom people', () => {
  const message = startMessage(desk.config, desk.issuer);
  expect(message).toContain('(development, with the people in DEV_PEOPLE)');
  expect(message).toContain('/auth/login?login_hint=E-2001');
});
