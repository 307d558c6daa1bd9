// Renewals and sign-outs with the session cookie in a real browser, which applies its own rules for cookies, origins and sites.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser as ChromiumBrowser, Page } from 'playwright-core';
import { closeContexts, openChromium } from '../support/chromium.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { longestWaitMs } from '../support/waiting.ts';

// One page is on the same site as the service, one on a different site. To a browser, a site is a host name without its
// port.
const [named, unnamed, foreign] = [freePort(), freePort(), freePort()];
const addressOf = {
  named: `http://localhost:${named}`,
  unnamed: `http://localhost:${unnamed}`,
  foreign: `http://127.0.0.1:${foreign}`,
};
const servers = [
  { hostname: 'localhost', port: named },
  { hostname: 'localhost', port: unnamed },
  { hostname: '127.0.0.1', port: foreign },
].map((place) =>
  Bun.serve({
    ...place,
    fetch: () => new Response('<!doctype html><title>page</title>', { headers: { 'content-type': 'text/html' } }),
  }),
);
let desk: Frontdesk;
let browser: ChromiumBrowser;
let tab: Page;
beforeAll(async () => {
  desk = await startFrontdesk({ CORS_ORIGINS: `${addressOf.named},${addressOf.foreign}` });
  browser = await openChromium();
  tab = await openTab();
  await signIn(tab);
});
afterAll(async () => {
  await closeContexts(browser);
  await desk?.stop();
  for (const server of servers) server.stop(true);
});

/** Opens a tab in a new browser context, with its own cookies. */
async function openTab(): Promise<Page> {
  const opened = await (await browser.newContext()).newPage();
  opened.setDefaultTimeout(longestWaitMs);
  return opened;
}

/** Signs in through the service, so that the cookie has the attributes on which browsers act. */
async function signIn(on: Page): Promise<void> {
  await on.goto(`${desk.url}/auth/login?login_hint=E-1001`);
  await on.waitForURL(`${desk.url}/auth/login/callback**`);
}

/** Renews in a script on the open page, and returns what the script gets. */
const renew = (on = tab) =>
  on.evaluate(async (url) => {
    const response = await fetch(url, { method: 'POST', credentials: 'include' }).catch(() => undefined);
    return response && { status: response.status, hasToken: (await response.text()).includes('"accessToken"') };
  }, `${desk.url}/auth/renew`);
const answered = (from: number) =>
  desk.logged.slice(from).flatMap((line) => {
    const { msg, path, status } = JSON.parse(line) as { msg: string; path: string; status: number };
    return msg === 'request' && path === '/auth/renew' ? [status] : [];
  });
const wereAsked = () => desk.database.query('select sid from session where provider_asked_at is not null');

test.each([
  ['of the service itself', () => `${desk.url}/problems/login-session-lost`],
  ['of a named origin on the same site', () => addressOf.named],
])('a page %s renews the session, and again after a reload', async (_, address) => {
  await tab.goto(address());
  expect(await renew()).toEqual({ status: 200, hasToken: true });
  await tab.reload();
  expect(await renew()).toEqual({ status: 200, hasToken: true });
});

test.each([
  ['of an unnamed origin on the same site', () => addressOf.unnamed, undefined],
  ['of another site, though its origin is named', () => addressOf.foreign, { status: 403, hasToken: false }],
])('a page %s renews nothing', async (_, address, readable) => {
  await tab.goto(address());
  const [start, before] = [desk.logged.length, await wereAsked()];
  expect(await renew()).toEqual(readable);
  expect([answered(start), await wereAsked()]).toEqual([[403], before]);
});

test.each([
  ['another site', () => addressOf.foreign],
  ['an unnamed origin on the same site', () => addressOf.unnamed],
])('a form on a page of %s renews nothing', async (_, address) => {
  await tab.goto(address());
  const [start, before] = [desk.logged.length, await wereAsked()];
  await tab.setContent(`<form method="post" action="${desk.url}/auth/renew"><button>go</button></form>`);
  await tab.click('button');
  await tab.waitForURL(`${desk.url}/auth/renew`);
  expect(await tab.textContent('body')).toContain('origin-refused');
  expect([answered(start), await wereAsked()]).toEqual([[403], before]);
});

describe('a sign-out', () => {
  const button = (on: Page, name: string | RegExp) => on.getByRole('button', { name });

  /**
   * Clicks "Sign out" here and at the provider. Returns the parameters sent to the provider, and the person's sessions and
   * cookies that were left here.
   */
  async function signOut(on: Page) {
    await button(on, 'Sign out').click();
    await on.waitForURL(`${desk.issuer}/session/end**`);
    const sent = [...new URL(on.url()).searchParams.keys()].sort();
    const cookies = (await on.context().cookies(desk.url)).map(({ name }) => name);
    // The sessions are read before the person signs out at the provider, which may end them too.
    const living = await livingSessions();
    await button(on, 'Sign out').click();
    await button(on, 'Sign in').waitFor();
    return { sent, living, cookies: cookies.filter((name) => name.startsWith('frontdesk')) };
  }

  const complete = { sent: ['client_id', 'id_token_hint', 'post_logout_redirect_uri'], living: [], cookies: [] };
  /** Returns the open sessions of the person who signs out. Sessions of other people belong to other tests. */
  const livingSessions = () => {
    const person = "select id from person where employee_id = 'E-1003'";
    return desk.database.query(`select sid from session where ended_at is null and person_id in (${person})`);
  };

  test('removes the cookie, and a page can no longer renew', async () => {
    const left = await openTab();
    await signIn(left);
    await left.goto(`${desk.url}/auth/logout`);
    await left.goto(addressOf.named);
    const cookies = await left.context().cookies(desk.url);
    expect(cookies.filter(({ name }) => name === 'frontdesk_session')).toEqual([]);
    expect(await renew(left)).toEqual({ status: 401, hasToken: false });
    await left.context().close();
  });

  test('from the console ends the session here and at the provider, even if another window signed in again', async () => {
    const window = await openTab();
    const enterConsole = async () => {
      await window.goto(desk.url);
      await button(window, 'Sign in').click();
      await button(window, /E-1003/).click();
      await button(window, 'Sign out').waitFor();
    };
    await enterConsole();
    expect(await livingSessions()).toHaveLength(1);
    expect(await signOut(window)).toEqual(complete);

    await enterConsole();
    // The cookie of this sign-in replaces the console's, which ends the console's session.
    const other = await window.context().newPage();
    await other.goto(`${desk.url}/auth/login?login_hint=E-1003`);
    await other.waitForURL(`${desk.url}/auth/login/callback**`);
    expect(await livingSessions()).toHaveLength(1);
    expect(await signOut(window)).toEqual(complete);
    await window.context().close();
  });
});
