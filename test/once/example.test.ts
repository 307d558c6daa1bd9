// The example application: built by Vite with the client that a Frontdesk serves, and used in Chromium on another origin.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import packageJson from '../../package.json';
import { type Application, installClient } from '../support/application.ts';
import { installClock } from '../support/browser-clock.ts';
import { type Observations, observe, openChromium } from '../support/chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';

const example = join(root, 'examples/employee-form');
const read = (file: string) => readFileSync(join(example, file), 'utf8');
const app = `http://localhost:${freePort()}`;
const seen: Observations = { complaints: [], foreign: [] };
let desk: Frontdesk;
let application: Application;
let server: Bun.Server<undefined>;
let browser: Browser;
let context: BrowserContext;
let pass: (seconds: number) => Promise<void>;
let tab: Page;
let admin = '';
let authorization = '';

function exampleVersions(): Record<string, string> {
  const own = JSON.parse(read('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  return { ...own.dependencies, ...own.devDependencies };
}

beforeAll(async () => {
  // As its README says, on other ports.
  const [command = ''] = /^CORS_ORIGINS=.* npm start$/m.exec(read('README.md')) ?? [];
  const settings = command.replaceAll('http://localhost:5173', app).split(' ').slice(0, -2);
  desk = await startFrontdesk(Object.fromEntries(settings.map((each) => each.split('=')) as [string, string][]));
  application = await installClient(desk.url);
  cpSync(example, application.folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  // npm would fetch these from a registry.
  const links = Object.keys(exampleVersions()).map((name) => join('node_modules', name));
  for (const link of links.filter((each) => !existsSync(join(application.folder, each))))
    symlinkSync(join(root, link), join(application.folder, link));
  admin = await desk.signIn('E-1001');
  browser = await openChromium();
  context = await browser.newContext();
  pass = await installClock(context);
  server = Bun.serve({
    port: new URL(app).port,
    hostname: 'localhost',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      return new Response(Bun.file(join(application.folder, 'dist', pathname === '/' ? 'index.html' : pathname)));
    },
  });
});
afterAll(async () => {
  await browser.close();
  server.stop(true);
  await desk.stop();
  rmSync(application.folder, { recursive: true });
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

const position = () => tab.getByLabel('Position');
const option = (label: string) => tab.locator(`option[label="${label}"]`);

test('is short, and names the versions that are tested here', () => {
  const lines = read('src/main.tsx').split('\n');
  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(60);
  const { 'frontdesk-client': client, ...others } = exampleVersions();
  const tested: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
  expect(client).toEndWith('/client/frontdesk-client.tgz');
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, tested[name] ?? 'not here'])));
});

test('is built with typed lists', async () => {
  const generate = ['npx', 'frontdesk-client', 'generate', '--url', desk.url, '--out', 'src/lists.ts'];
  expect(await application.run(generate)).toMatchObject({ exitCode: 0, stderr: '' });
  const misspelt = read('src/main.tsx').replace('useLookup(list, {', "useLookup('positon', {");
  application.write('src/main.tsx', misspelt);
  // Where npm would have put the commands.
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const refused = await application.run(['tsc'], { PATH });
  expect([refused.exitCode, refused.stdout]).toEqual([expect.any(Number), expect.stringContaining('\'"positon"\'')]);
  application.write('src/main.tsx', read('src/main.tsx'));
  const built = await application.run(['npm', 'run', '-s', 'build'], { PATH, VITE_FRONTDESK_URL: desk.url });
  expect([built.exitCode, built.stderr]).toEqual([0, '']);
});

test('signs in, and shows four dropdowns', async () => {
  tab = await context.newPage();
  observe(tab, [app, desk.url, desk.issuer], seen, (message) => message.includes('401'));
  tab.on('request', (request) => {
    authorization = request.headers().authorization ?? authorization;
  });
  await tab.goto(`${app}/`);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: /E-1003/ }).click();
  await tab.getByText('Filled in by Maria del Carmen Ruiz').waitFor();
  expect([tab.url(), await tab.getByRole('combobox').count()]).toEqual([`${app}/`, 4]);
  await option('Accountant').waitFor({ state: 'attached' });
  expect(await position().inputValue()).toBe('SALES_MANAGER');
});

test('marks a stored value as soon as it is retired, and keeps it', async () => {
  await change('position', 'SALES_MANAGER/retire', 'POST', {});
  await option('Sales Manager (retired)').waitFor({ state: 'attached' });
  await tab.getByText('This value is no longer offered.').waitFor();
  expect(await position().inputValue()).toBe('SALES_MANAGER');
  await tab.reload();
  await option('Sales Manager (retired)').waitFor({ state: 'attached' });
  expect(await position().inputValue()).toBe('SALES_MANAGER');
});

test('shows a change while it is open', async () => {
  await change('employee-level', 'LEAD', 'PATCH', { label: 'First among equals' });
  await option('First among equals').waitFor({ state: 'attached' });
});

test('keeps what was chosen when the session ends, until the person has signed in again', async () => {
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
  await popup.getByRole('button', { name: /E-1003/ }).click();
  await tab.getByText('Your session has ended.').waitFor({ state: 'detached' });
  await tab.getByRole('button', { name: 'Save' }).click();
  expect(JSON.parse(await tab.locator('output').innerText())).toEqual({
    position: 'SALES_MANAGER',
    'overtime-eligibility': 'EXEMPT',
    'employment-type': 'FULL_TIME',
    'employee-level': 'LEAD',
  });
});

test('signs out, here and at the provider', async () => {
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  // The provider asks; its own page is not part of the application.
  await tab.getByRole('heading', { name: 'Sign out here too?' }).waitFor();
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tab.waitForURL(`${app}/`);
  await tab.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(seen).toEqual({ complaints: [], foreign: [] });
});
