// The console in a real browser, with its own service.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { closeContexts, type Observations, observe, openChromium } from './chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from './frontdesk.ts';
import { longestWaitMs } from './waiting.ts';

/** An item of a list that a test creates: only its label, or several fields. */
export type GivenItem = string | { value?: string; label: string; [field: string]: unknown };

const usual: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  // Dialogs and menus appear at once.
  reducedMotion: 'reduce',
};

/** The hash of a console page that does not exist. Browser tabs stay there between tests. */
const nowhere = 'between';

/** Closes what a test has left open on a page. Returns false if something is still open. */
async function tidyUp(page: Page): Promise<boolean> {
  if (page.isClosed() || page.context().pages().length > 1) return false;
  await Promise.all([page, page.context()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await page.context().setOffline(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.mouse.move(0, 0);
  return page.evaluate<boolean>(`(async () => {
    localStorage.clear();
    sessionStorage.clear();
    location.hash = '#/${nowhere}';
    for (const button of document.querySelectorAll('.toast button[slot=close], .toast button[aria-label=Close]')) button.click();
    for (let tries = 0; tries < 50; tries++) {
      await new Promise((done) => setTimeout(done, 20));
      // Discards what a test has typed without saving.
      for (const button of document.querySelectorAll('[role=alertdialog] button, [role=dialog] button'))
        if (button.textContent === 'Discard') button.click();
      const isEmpty = document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=status]:not(:empty)') === null;
      if (isEmpty && document.querySelector('h1')?.textContent === 'Page not found') return true;
    }
    return false;
  })()`);
}

/** Pastes a text into the focused element. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);
}

export type Console = Awaited<ReturnType<typeof startConsole>>;

export async function startConsole(environment: Record<string, string> = {}) {
  const desk: Frontdesk = await startFrontdesk(environment);
  // The console's files are built when first requested, which takes longer than a page may take to load.
  await desk.get('/console/main.js');
  const browser = await openChromium();
  const seen: Observations = { complaints: [], foreign: [] };
  // The browser reports a refused request as an error, and some tests cause such requests on purpose.
  const isRefusal = (message: string) => message.startsWith('Failed to load resource');
  let lists = 0;

  /**
   * Pages that tests have finished with, by person. Opening one takes ten times as much processor time as navigating on it.
   */
  const idle = new Map<string, Page[]>();
  const inUse = new Map<Page, { person: string; isReusable: boolean }>();

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ ...usual, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(longestWaitMs);
    inUse.set(page, { person: '', isReusable: false });
    observe(page, [desk.url, desk.url.replace('localhost', '127.0.0.1'), desk.issuer], seen, isRefusal);
    return page;
  }

  /**
   * The page of a signed-in person. An earlier test may have used it, unless options are given. `hash` is like
   * `lists/position`.
   */
  async function enter(person = 'E-1001', options?: BrowserContextOptions, hash = ''): Promise<Page> {
    const isReusable = options === undefined || Object.keys(options).length === 0;
    const page = (isReusable ? idle.get(person)?.pop() : undefined) ?? (await openSignedIn(person, options));
    inUse.set(page, { person, isReusable });
    await page.evaluate(`location.hash = '#/${hash}'`);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** Opens the console with the cookie of a session that was opened outside the browser. */
  async function openSignedIn(person: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await open(options);
    await page.context().addCookies(await desk.signInCookies(person));
    await page.goto(`${desk.url}/#/${nowhere}`);
    await page.getByRole('button', { name: /^(Sign out|Abmelden)$/ }).waitFor();
    return page;
  }

  /** Called after each test. Keeps reusable pages for later tests if they can be tidied up, and closes all others. */
  async function leavePages(): Promise<void> {
    for (const [page, { person, isReusable }] of inUse) {
      inUse.delete(page);
      if (isReusable && (await tidyUp(page))) idle.set(person, [...(idle.get(person) ?? []), page]);
      else await page.context().close();
    }
  }

  /** Tokens for `call`, by person. */
  const tokens = new Map<string, string>();

  /** Sends any request as this person; throws if it is refused. */
  async function call(path: string, init: RequestInit = {}, person = 'E-1001'): Promise<Response> {
    const token = tokens.get(person) ?? (await desk.signIn(person));
    tokens.set(person, token);
    const headers = { ...bearer(token), ...Object.fromEntries(new Headers(init.headers)) };
    const response = await fetch(desk.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Applies a document of lists. */
  async function apply(document: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await call('/admin/lookups/apply', { method: 'POST', headers, body: JSON.stringify({ lists: document }) });
  }

  /** Creates a list for a test. */
  async function makeList(given: readonly GivenItem[], settings: object = {}): Promise<string> {
    const list = `grade-${++lists}`;
    const items = given.map((each, index) => {
      const item = typeof each === 'string' ? { label: each } : each;
      const value = item.label.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
      return { value, sortOrder: (index + 1) * 10, ...item };
    });
    await apply({ [list]: { title: `Grade ${lists}`, ...settings, items } });
    return list;
  }

  interface Kept {
    version: number;
    items: { value: string; label: string; [field: string]: unknown }[];
  }
  const keptList = async (list: string) => (await call(`/admin/lookups/${list}`)).json() as Promise<Kept & object>;

  /** Changes the newest version of a list, as a colleague would. `path` is like `/order`. */
  async function change(list: string, method: string, path: string, body: object, person?: string): Promise<void> {
    const { version } = await keptList(list);
    const headers = { 'content-type': 'application/json', 'if-match': `"${version}"` };
    await call(`/admin/lookups/${list}${path}`, { method, headers, body: JSON.stringify(body) }, person);
  }
  const changeItem = (list: string, value: string, changes: object, person?: string) =>
    change(list, 'PATCH', `/items/${value}`, changes, person);
  const changeSettings = (list: string, changes: object) => change(list, 'PATCH', '', changes);

  /** The labels that forms show. */
  async function labelsOf(list: string, query = ''): Promise<string[]> {
    const items = (await (await call(`/employee/${list}${query}`)).json()) as { label: string }[];
    return items.map(({ label }) => label);
  }

  async function stop(): Promise<void> {
    await closeContexts(browser);
    await desk.stop();
  }

  return {
    ...{ desk, browser, seen, stop, open, enter, leavePages, call },
    ...{ apply, makeList, keptList, change, changeItem, changeSettings, labelsOf },
  };
}
