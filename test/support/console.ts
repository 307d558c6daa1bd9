// The console in a real browser, beside a service of its own.
import { mkdirSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Observations, observe, openChromium } from './chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from './frontdesk.ts';

export const pictures = 'test/output/console';

/** An item of a list that a test makes: its label, or more of it. */
export type GivenItem = string | { value?: string; label: string; [field: string]: unknown };

export type Console = Awaited<ReturnType<typeof startConsole>>;

export async function startConsole(environment: Record<string, string> = {}) {
  mkdirSync(pictures, { recursive: true });
  const desk: Frontdesk = await startFrontdesk(environment);
  // Built when they are first asked for, which takes longer than a page may.
  await desk.get('/console/main.js');
  const browser = await openChromium();
  const seen: Observations = { complaints: [], foreign: [] };
  // A refused request is reported by the browser itself, and is what some tests are about.
  const isRefusal = (message: string) => message.startsWith('Failed to load resource');
  let lists = 0;

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    observe(page, [desk.url, desk.url.replace('localhost', '127.0.0.1'), desk.issuer], seen, isRefusal);
    return page;
  }

  /** With the cookie of a session that was opened without the pages. `hash` is like `lists/position`. */
  async function enter(person = 'E-1001', options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
    const page = await open(options);
    await page.context().addCookies(await desk.signInCookies(person));
    await page.goto(`${desk.url}/${hash === '' ? '' : `#/${hash}`}`);
    await page.getByRole('button', { name: /^(Sign out|Abmelden)$/ }).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** Any request of the service as somebody; throws what is refused. */
  async function call(path: string, init: RequestInit = {}, person = 'E-1001'): Promise<Response> {
    const headers = { ...bearer(await desk.signIn(person)), ...Object.fromEntries(new Headers(init.headers)) };
    const response = await fetch(desk.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  const post = (path: string, body: object) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  /** A list of its own for a test. */
  async function makeList(given: readonly GivenItem[], settings: object = {}): Promise<string> {
    const list = `grade-${++lists}`;
    const items = given.map((each, index) => {
      const item = typeof each === 'string' ? { label: each } : each;
      const value = item.label.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
      return { value, sortOrder: (index + 1) * 10, ...item };
    });
    await post('/admin/lookups/apply', { lists: { [list]: { title: `Grade ${lists}`, ...settings, items } } });
    return list;
  }

  interface Kept {
    version: number;
    items: { value: string; label: string; [field: string]: unknown }[];
  }
  const keptList = async (list: string) => (await call(`/admin/lookups/${list}`)).json() as Promise<Kept & object>;

  /** A change of one value, as by a colleague, on the newest version. */
  async function changeItem(list: string, value: string, changes: object, person = 'E-1001'): Promise<void> {
    const { version } = await keptList(list);
    const headers = { 'content-type': 'application/json', 'if-match': `"${version}"` };
    const init = { method: 'PATCH', headers, body: JSON.stringify(changes) };
    await call(`/admin/lookups/${list}/items/${value}`, init, person);
  }

  /** As forms have them. */
  async function labelsOf(list: string, query = ''): Promise<string[]> {
    const items = (await (await call(`/employee/${list}${query}`)).json()) as { label: string }[];
    return items.map(({ label }) => label);
  }

  async function stop(): Promise<void> {
    await browser.close();
    await desk.stop();
  }

  return { desk, browser, seen, open, enter, call, makeList, keptList, changeItem, labelsOf, stop };
}
