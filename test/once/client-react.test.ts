// The client's hooks in Chromium, on a different origin from the service, under React 18 and 19; and on a server.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createFrontdesk } from '../../client/src/index.ts';
import { FrontdeskProvider, useLookup, useSession } from '../../client/src/react.ts';
import { closeContexts, type Observations, observe, openChromium } from '../support/chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { listKeeping } from '../support/lists.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';
import { longestWaitMs } from '../support/waiting.ts';

const app = `http://localhost:${freePort()}`;
let desk: Frontdesk;
let browser: Browser;
let server: Bun.Server<undefined>;
let version = 1;
let token = '';
beforeAll(async () => {
  const scripts = new Map<string, string>();
  for (const name of ['react', 'react-18']) scripts.set(`/${name}.js`, await bundle(name));
  desk = await startFrontdesk({ CORS_ORIGINS: app });
  token = await desk.signIn('E-1001');
  await listKeeping(desk, token).apply('country', [
    { value: 'DE', label: 'Germany' },
    { value: 'FR', label: 'France' },
  ]);
  await listKeeping(desk, token).apply('office', [
    { value: 'BERLIN', label: 'Berlin', parents: { country: ['DE'] } },
    { value: 'PARIS', label: 'Paris', parents: { country: ['FR'] } },
    { value: 'HOME', label: 'At home' },
  ]);
  browser = await openChromium();
  server = Bun.serve({
    port: new URL(app).port,
    hostname: 'localhost',
    fetch({ url }) {
      const { pathname } = new URL(url);
      const script = scripts.get(pathname);
      if (script !== undefined) return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      const html = `<!doctype html><title>Hooks</title><link rel="icon" href="data:,"><body><script type="module" src="${pathname}.js"></script>`;
      return new Response(html, { headers: { 'content-type': 'text/html' } });
    },
  });
});
afterAll(async () => {
  await closeContexts(browser);
  server.stop(true);
  await desk.stop();
});

/** Bundles the page with this version of React, unminified, so that React reports misused hooks. */
async function bundle(react: string): Promise<string> {
  const resolve = (path: string) =>
    Bun.resolveSync(
      path.replace(/^react(-dom)?/, (name) => react.replace('react', name)),
      root,
    );
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(root, 'test/pages/hooks.tsx')],
    target: 'browser',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [
      {
        name: react,
        setup: (build) =>
          void build.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => ({ path: resolve(path) })),
      },
    ],
  });
  if (!success) throw new AggregateError(logs);
  return (await outputs[0]?.text()) ?? '';
}

async function rename(label: string): Promise<void> {
  const response = await fetch(`${desk.url}/admin/lookups/employee-level/items/LEAD`, {
    method: 'PATCH',
    headers: { ...bearer(token), 'content-type': 'application/json', 'if-match': `"${version++}"` },
    body: JSON.stringify({ label }),
  });
  expect(response.status).toBe(200);
}

/** Waits until two components with the hook, and one with TanStack Query, show the label. */
async function shows(tab: Page, label: string): Promise<void> {
  await tab.locator('output', { hasText: label }).nth(1).waitFor();
  await tab.locator('em', { hasText: label }).waitFor();
}

const drawn = (tab: Page) => tab.evaluate<string[]>('drawn');

const seen: Observations = { complaints: [], foreign: [] };
afterAll(() => expect(seen).toEqual({ complaints: [], foreign: [] }));

async function signedInContext(): Promise<BrowserContext> {
  const context = await browser.newContext();
  context.setDefaultTimeout(longestWaitMs);
  await context.addCookies(await desk.signInCookies('E-1003'));
  return context;
}

async function newTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  observe(tab, [app, desk.url], seen, (message) => message.includes('ERR_INTERNET_DISCONNECTED'));
  return tab;
}

async function load(tab: Page, react: string): Promise<void> {
  await tab.goto(`${app}/${react}?desk=${desk.url}`);
  await tab.locator('output').nth(1).waitFor();
}

/** Records the paths of the service that any tab requests from now on. */
function recordPaths(context: BrowserContext) {
  const asked: { tab: Page; path: string }[] = [];
  context.on('request', (request) => {
    if (request.method() === 'GET')
      asked.push({ tab: request.frame().page(), path: request.url().slice(desk.url.length) });
  });
  return (path: string) => asked.filter((each) => each.path === path);
}

test('a change is shown in every tab through one connection, even after the tab with that connection is closed', async () => {
  await rename('First');
  const context = await signedInContext();
  const askedFor = recordPaths(context);
  const tabs = [await newTab(context), await newTab(context), await newTab(context)];
  for (const tab of tabs) await load(tab, 'react');
  for (const tab of tabs) await shows(tab, 'First');
  expect(askedFor('/lookups/changes').length).toBe(1);
  await rename('Second');
  for (const tab of tabs) await shows(tab, 'Second');
  const [{ tab: leader } = {}] = askedFor('/lookups/changes');
  await leader?.close();
  const left = tabs.filter((tab) => tab !== leader);
  expect(left.length).toBe(2);
  await rename('Third');
  await Promise.all(left.map((tab) => shows(tab, 'Third')));
  expect(askedFor('/lookups/changes').length).toBe(2);
  await context.close();
});

describe.each(['react', 'react-18'])('%s', (react) => {
  let context: BrowserContext;
  let tab: Page;
  beforeAll(async () => {
    context = await signedInContext();
    tab = await newTab(context);
  });
  afterAll(() => context?.close());

  test('a list used by two components, mounted twice, causes one request, and one more when the stream opens', async () => {
    const askedFor = recordPaths(context);
    await load(tab, react);
    const version = react === 'react' ? (await import('react')).version : '18.3.1';
    await tab.getByRole('heading', { name: `E-1003 signed-in ${version}`, exact: true }).waitFor();
    await tab.waitForFunction(
      'performance.getEntriesByType("resource").filter((each) => each.name.endsWith("/employee/employee-level")).length === 2',
    );
    await tab.locator('output[aria-busy=false]').nth(1).waitFor();
    expect(askedFor('/employee/employee-level').length).toBe(2);
  });

  test('a change is shown; the previous list stays while other options are loaded, and is marked', async () => {
    await load(tab, react);
    await rename(`Shared in ${react}`);
    await shows(tab, `Shared in ${react}`);
    await tab.getByRole('button', { name: 'German' }).click();
    await tab.waitForFunction(`drawn.at(-1) === 'de Shared in ${react}'`);
    const [first] = (await drawn(tab)).filter((each) => each.startsWith('de'));
    expect(first).toBe(`de Shared in ${react} stale`);
  });

  test('items that depend on a field are not shown for a different value of it; search results stay', async () => {
    await load(tab, react);
    await tab.locator('address', { hasText: 'BERLIN DE,HOME anywhere' }).waitFor();
    await tab.getByRole('button', { name: 'France' }).click();
    await tab.locator('address', { hasText: 'PARIS FR,HOME anywhere' }).waitFor();
    await tab.getByRole('button', { name: 'Search' }).click();
    await tab.locator('address').getByText('PARIS FR', { exact: true }).waitFor();
    const offices = [...new Set(await tab.evaluate<string[]>('drawnOffices'))];
    expect(offices).toEqual([
      'DE : undefined',
      'DE : BERLIN DE,HOME anywhere',
      'FR : undefined',
      'FR : PARIS FR,HOME anywhere',
      'FR par: PARIS FR,HOME anywhere',
      'FR par: PARIS FR',
    ]);
  });

  test('without a connection the list stays; when the connection is back, changes are shown', async () => {
    await rename(`Before in ${react}`);
    await load(tab, react);
    await shows(tab, `Before in ${react}`);
    await context.setOffline(true);
    await rename(`After in ${react}`);
    await tab.getByRole('button', { name: 'Toggle' }).click();
    await tab.getByRole('button', { name: 'Toggle' }).click();
    await tab.waitForFunction('drawn.at(-1).endsWith("stale network")');
    expect(await tab.locator('output').first().innerText()).toBe(`Before in ${react}`);
    await context.setOffline(false);
    await shows(tab, `After in ${react}`);
  });
});

test('on a server, the hooks send no requests', () => {
  const frontdesk = createFrontdesk({
    baseUrl: 'http://localhost',
    accessToken: 'theirs',
    fetch: (async (url: string): Promise<Response> => {
      throw new Error(`it asked for ${url}`);
    }) as typeof fetch,
  });
  function Level() {
    const { data, isLoading } = useLookup('employee-level', { live: true });
    return `${useSession().status} ${data} ${isLoading}`;
  }
  const page = createElement(FrontdeskProvider, { value: frontdesk }, createElement(Level));
  expect(renderToString(page)).toBe('signed-in undefined true');
});
