// Applications with React Router and TanStack Router, built by Vite and used in Chromium, each on a different origin from
// Frontdesk. A sign-in that begins at a deep link ends there, although only the application's start page is registered.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { closeContexts, type Observations, observe, openChromium } from '../support/chromium.ts';
import { type Frontdesk, makeFolder, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { root } from '../support/process.ts';
import { longestWaitMs } from '../support/waiting.ts';

const routers = ['react-router', 'tanstack-router'] as const;
const orders = ['after', 'before'] as const;
const apps = routers.flatMap((router) =>
  orders.map((order) => ({ router, order, url: `http://localhost:${freePort()}` })),
);
const seen: Observations = { complaints: [], foreign: [] };
const folder = makeFolder();
const servers: Bun.Server<undefined>[] = [];
let desk: Frontdesk;
let browser: Browser;

beforeAll(async () => {
  await Promise.all(routers.map(build));
  const origins = apps.map(({ url }) => url);
  desk = await startFrontdesk({
    CORS_ORIGINS: origins.join(),
    OIDC_REDIRECT_URIS: origins.map((url) => `${url}/`).join(),
  });
  for (const app of apps) servers.push(serve(app));
  browser = await openChromium();
});
afterAll(async () => {
  expect(seen).toEqual({ complaints: [], foreign: [] });
  await closeContexts(browser);
  for (const server of servers) server.stop(true);
  await desk?.stop();
  rmSync(folder, { recursive: true });
});

async function build(router: string): Promise<void> {
  const config = join(folder, `${router}.config.mjs`);
  const input = JSON.stringify(join(root, `test/pages/${router}.tsx`));
  const output = `{ entryFileNames: '${router}.js' }`;
  writeFileSync(
    config,
    `export default { root: ${JSON.stringify(root)}, publicDir: false, logLevel: 'error',
      build: { outDir: ${JSON.stringify(folder)}, emptyOutDir: false, target: 'es2022', rolldownOptions: { input: ${input}, output: ${output} } } };`,
  );
  const vite = Bun.spawn([join(root, 'node_modules/.bin/vite'), 'build', '--config', config], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = await new Response(vite.stderr).text();
  expect([await vite.exited, errors]).toEqual([0, '']);
}

/** Serves the same page at every address, as for any single-page application. */
function serve({ router, order, url }: (typeof apps)[number]): Bun.Server<undefined> {
  const html = `<!doctype html><html lang="en" data-frontdesk="${desk.url}" data-order="${order}"><title>Employees</title><link rel="icon" href="data:,"><body><script type="module" src="/${router}.js"></script></body></html>`;
  return Bun.serve({
    port: new URL(url).port,
    hostname: 'localhost',
    fetch: (request) =>
      new URL(request.url).pathname === `/${router}.js`
        ? new Response(Bun.file(join(folder, `${router}.js`)))
        : new Response(html, { headers: { 'content-type': 'text/html' } }),
  });
}

async function openTab(context: BrowserContext, app: string): Promise<Page> {
  const tab = await context.newPage();
  tab.setDefaultTimeout(longestWaitMs);
  // Chromium reports the 401 for a renewal without a session.
  observe(tab, [app, desk.url, desk.issuer], seen, (message) => message.includes('401'));
  return tab;
}

const ada = (tab: Page) => tab.getByRole('button', { name: /E-1001/ });
const stored = (tab: Page) => tab.evaluate<number>('sessionStorage.length + localStorage.length');

describe.each(apps)('with $router, made $order resume()', ({ url: app }) => {
  test('a sign-in that begins at a deep link ends there, with its query and fragment', async () => {
    const context = await browser.newContext();
    const tab = await openTab(context, app);
    const started = tab.waitForRequest((request) => request.url().startsWith(`${desk.url}/auth/login?`));
    await tab.goto(`${app}/employees/42?tab=pay#notes`);
    expect(new URL((await started).url()).searchParams.get('redirect_uri')).toBe(`${app}/`);
    await ada(tab).click();
    await tab.getByText('Employee 42 ?tab=pay #notes, shown to Ada Park').waitFor();
    expect([tab.url(), await stored(tab)]).toEqual([`${app}/employees/42?tab=pay#notes`, 0]);
    // The session continues at another deep link, with no sign-in.
    await tab.goto(`${app}/employees/7`);
    await tab.getByText(/Employee 7 .*, shown to Ada Park/).waitFor();
    await context.close();
  });

  test('two tabs that sign in at the same time return to their own pages', async () => {
    const context = await browser.newContext();
    const [one, two] = [await openTab(context, app), await openTab(context, app)];
    for (const [tab, id] of [
      [one, 1],
      [two, 2],
    ] as const) {
      await tab.goto(`${app}/employees/${id}?tab=${id}`);
      await ada(tab).waitFor();
    }
    await ada(two).click();
    await two.getByText('Employee 2 ?tab=2').waitFor();
    await ada(one).click();
    await one.getByText('Employee 1 ?tab=1').waitFor();
    expect([one.url(), two.url()]).toEqual([`${app}/employees/1?tab=1`, `${app}/employees/2?tab=2`]);
    await context.close();
  });

  test('a sign-in that is finished in a different tab ends on the start page', async () => {
    const context = await browser.newContext();
    const [one, two] = [await openTab(context, app), await openTab(context, app)];
    await one.goto(`${app}/employees/42`);
    await ada(one).waitFor();
    // Like opening a link from a message: the same browser, but a new tab that has stored nothing.
    await two.goto(one.url());
    await ada(two).click();
    await two.getByText('The start page').waitFor();
    expect([two.url(), await stored(two)]).toEqual([`${app}/`, 0]);
    await context.close();
  });
});
