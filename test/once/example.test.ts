// The example application: built by Vite with the client package that Frontdesk serves, and used in Chromium on a different
// origin.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import packageJson from '../../package.json';
import { type Application, installClient } from '../support/application.ts';
import { installClock } from '../support/browser-clock.ts';
import { closeContexts, type Observations, observe, openChromium } from '../support/chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';
import { longestWaitMs } from '../support/waiting.ts';

const example = join(root, 'examples/employee-form');
const read = (file: string) => readFileSync(join(example, file), 'utf8');
const app = `http://localhost:${freePort()}`;
const person = 'E-1003';
const seen: Observations = { complaints: [], foreign: [] };
let desk: Frontdesk;
let application: Application;
let server: Bun.Server<undefined>;
let browser: Browser;
let admin = '';

function exampleVersions(): Record<string, string> {
  const own = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  return { ...own.dependencies, ...own.devDependencies };
}

/** Where npm would have put the commands. */
const commands = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;

beforeAll(async () => {
  // Started as its README says, but on different ports.
  const [command = ''] = /^CORS_ORIGINS=.* npm start$/m.exec(read('README.md')) ?? [];
  const settings = command.replaceAll('http://localhost:5173', app).split(' ').slice(0, -2);
  desk = await startFrontdesk(Object.fromEntries(settings.map((each) => each.split('=')) as [string, string][]));
  application = await installClient(desk.url);
  cpSync(example, application.folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  // Links the dependencies, because npm would fetch them from a registry.
  const links = Object.keys(exampleVersions()).map((name) => join('node_modules', name));
  for (const link of links.filter((each) => !existsSync(join(application.folder, each))))
    symlinkSync(join(root, link), join(application.folder, link));
  admin = await desk.signIn('E-1001');
  const generate = ['node_modules/.bin/frontdesk-client', 'generate', '--url', desk.url, '--out', 'src/lists.ts'];
  expect(await application.run(generate)).toMatchObject({ exitCode: 0, stderr: '' });
  const built = await application.run(['vite', 'build'], { PATH: commands, VITE_FRONTDESK_URL: desk.url });
  expect([built.exitCode, built.stderr]).toEqual([0, '']);
  browser = await openChromium();
  server = Bun.serve({
    port: new URL(app).port,
    hostname: 'localhost',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      const file = join(application.folder, 'dist', pathname);
      // Like Vite's server: an address without a file gets the application's page.
      return new Response(Bun.file(pathname.includes('.') ? file : join(application.folder, 'dist/index.html')));
    },
  });
});
afterAll(async () => {
  expect(seen).toEqual({ complaints: [], foreign: [] });
  await closeContexts(browser);
  server?.stop(true);
  await desk?.stop();
  if (application !== undefined) rmSync(application.folder, { recursive: true });
});

async function change(list: string, path: string, method: string, body: object): Promise<void> {
  const { headers } = await desk.get(`/admin/lookups/${list}`, bearer(admin));
  const response = await fetch(`${desk.url}/admin/lookups/${list}/items/${path}`, {
    method,
    headers: { ...bearer(admin), 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

/** Opens the form in a new browser. By default, a person who may only read is signed in. */
async function open(isSignedIn = true, address = `${app}/`) {
  const context = await browser.newContext();
  const pass = await installClock(context);
  if (isSignedIn) await context.addCookies(await desk.signInCookies(person));
  const tab = await context.newPage();
  tab.setDefaultTimeout(longestWaitMs);
  observe(tab, [app, desk.url, desk.issuer], seen, (message) => /40[13]/.test(message));
  await tab.goto(address);
  return { tab, context, pass };
}

const position = (tab: Page) => tab.getByLabel('Position');
const option = (tab: Page, label: string) => tab.locator(`option[label="${label}"]`);
const livingSessions = () =>
  desk.database.query(
    `select sid from session where ended_at is null and person_id in (select id from person where employee_id = '${person}')`,
  );

test('is short, and names the versions that are tested here', () => {
  const lines = read('src/main.tsx').split('\n');
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(60);
  const { 'frontdesk-client': client, ...others } = exampleVersions();
  const tested: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
  expect(client).toEndWith('/client/frontdesk-client.tgz');
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, tested[name] ?? 'not here'])));
});

test('is built as it is tested here, with typed lists', async () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { build: string } };
  expect(scripts.build).toBe('tsc && vite build');
  application.write('src/misspelt.tsx', read('src/main.tsx').replace('useLookup(list, {', "useLookup('positon', {"));
  const { exitCode, stdout } = await application.run(['tsc'], { PATH: commands });
  expect(exitCode).not.toBe(0);
  expect(stdout.split('\n').filter((line) => line.includes('error'))).toEqual([
    expect.stringMatching(/^src\/misspelt\.tsx\b.*'"positon"'/),
  ]);
});

test('signs in, shows four dropdowns, and signs out, here and at the provider', async () => {
  const { tab, context } = await open(false);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: new RegExp(person) }).click();
  await tab.getByText('Filled in by Maria del Carmen Ruiz').waitFor();
  expect([tab.url(), await tab.getByRole('combobox').count()]).toEqual([`${app}/`, 4]);
  await option(tab, 'Accountant').waitFor({ state: 'attached' });
  expect(await position(tab).inputValue()).toBe('SALES_MANAGER');

  const leaving = tab.waitForRequest(
    (request) => request.method() === 'GET' && request.url().startsWith(`${desk.url}/auth/logout`),
  );
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  expect(new URL((await leaving).url()).searchParams.get('post_logout_redirect_uri')).toBe(`${app}/`);
  // The provider asks for confirmation on its own page, which is not part of the application.
  await tab.getByRole('heading', { name: 'Sign out here too?' }).waitFor();
  const sent = [...new URL(tab.url()).searchParams.keys()].sort();
  expect(sent).toEqual(['client_id', 'id_token_hint', 'post_logout_redirect_uri']);
  expect(await livingSessions()).toEqual([]);
  const cookies = (await context.cookies(desk.url)).map(({ name }) => name);
  expect(cookies.filter((name) => name.startsWith('frontdesk'))).toEqual([]);
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tab.waitForURL(`${app}/`);
  await tab.getByRole('button', { name: 'Sign in' }).waitFor();
  await context.close();
});

test('returns to the record where the sign-in began, and says why a sign-in failed', async () => {
  const record = `${app}/employees/42?tab=pay#notes`;
  const { tab, context } = await open(false, record);
  const sent = tab.waitForRequest((request) => request.url().startsWith(`${desk.issuer}/auth?`));
  await tab.getByRole('button', { name: 'Sign in' }).click();
  const state = new URL((await sent).url()).searchParams.get('state');
  await tab.getByRole('button', { name: new RegExp(person) }).waitFor();
  // Like the redirect of a provider that refuses.
  await tab.goto(`${app}/?error=access_denied&state=${state}`);
  const again = tab.getByRole('button', { name: 'Sign-in denied: The sign-in was denied at the identity provider.' });
  await again.click();
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tab.getByRole('button', { name: new RegExp(person) }).click();
  await tab.getByText('Record employees/42, filled in by Maria del Carmen Ruiz').waitFor();
  expect(tab.url()).toBe(record);
  await context.close();
});

test('says that Frontdesk cannot be reached, and works as soon as it can be', async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  tab.setDefaultTimeout(longestWaitMs);
  await context.route(`${desk.url}/**`, (route) => route.abort());
  await tab.goto(`${app}/`);
  const again = tab.getByRole('button', { name: 'No answer: Frontdesk cannot be reached. Try again.' });
  await again.waitFor();
  await context.unroute(`${desk.url}/**`);
  await again.click();
  await tab.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await context.close();
});

test('shows a change while it is open, and marks a stored value as soon as it is retired, but keeps it', async () => {
  const { tab, context } = await open();
  await option(tab, 'Accountant').waitFor({ state: 'attached' });
  await change('employee-level', 'LEAD', 'PATCH', { label: 'First among equals' });
  await option(tab, 'First among equals').waitFor({ state: 'attached' });
  await change('position', 'SALES_MANAGER/retire', 'POST', {});
  await option(tab, 'Sales Manager (retired)').waitFor({ state: 'attached' });
  await tab.getByText('This value is no longer offered.').waitFor();
  expect(await position(tab).inputValue()).toBe('SALES_MANAGER');
  await tab.reload();
  await option(tab, 'Sales Manager (retired)').waitFor({ state: 'attached' });
  expect(await position(tab).inputValue()).toBe('SALES_MANAGER');
  await change('position', 'SALES_MANAGER/restore', 'POST', {});
  await context.close();
});

test('keeps what was chosen when the session ends, until the person has signed in again', async () => {
  const { tab, context, pass } = await open();
  const authorized = tab.waitForRequest((request) => request.headers().authorization !== undefined);
  await tab.reload();
  const { authorization = '' } = (await authorized).headers();
  await tab.getByLabel('Employee level').selectOption('LEAD');
  await fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: { authorization } });
  await pass(3600);
  await tab.getByLabel('Employment type').selectOption('FULL_TIME');
  await tab.keyboard.press('Tab');
  await tab.getByText('Your session has ended.').waitFor();
  expect(await tab.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  const [popup] = await Promise.all([
    tab.waitForEvent('popup'),
    tab.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await popup.getByRole('button', { name: new RegExp(person) }).click();
  await tab.getByText('Your session has ended.').waitFor({ state: 'detached' });
  await tab.getByRole('button', { name: 'Save' }).click();
  expect(JSON.parse(await tab.locator('output').innerText())).toEqual({
    position: 'SALES_MANAGER',
    'overtime-eligibility': 'EXEMPT',
    'employment-type': 'FULL_TIME',
    'employee-level': 'LEAD',
  });
  await context.close();
});
