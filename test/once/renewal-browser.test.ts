// POST /auth/renew as a real browser sends it: with its own rules for cookies, origins and sites.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Browser as ChromiumBrowser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';

// Of one site with the service, and of another: for a browser, a site is a host name without its port.
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
});
beforeEach(async () => {
  tab = await (await browser.newContext()).newPage();
  tab.setDefaultTimeout(10_000);
  await tab.goto(`${desk.url}/auth/login?login_hint=E-1001`);
  await tab.waitForURL(`${desk.url}/auth/login/callback**`);
});
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
  for (const server of servers) server.stop(true);
});

/** What a script of the page that is open gets. */
const renew = () =>
  tab.evaluate(async (url) => {
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
  ['of the service itself', () => desk.url],
  ['of a named origin on the same site', () => addressOf.named],
])('a page %s renews the session, again after a reload', async (_, address) => {
  await tab.goto(address());
  expect(await renew()).toEqual({ status: 200, hasToken: true });
  await tab.reload();
  expect(await renew()).toEqual({ status: 200, hasToken: true });
});

test.each([
  ['of an unnamed origin on the same site', () => addressOf.unnamed, undefined],
  ['of another site, though its origin is named', () => addressOf.foreign, { status: 403, hasToken: false }],
])('a page %s does not', async (_, address, readable) => {
  await tab.goto(address());
  const [start, before] = [desk.logged.length, await wereAsked()];
  expect(await renew()).toEqual(readable);
  expect([answered(start), await wereAsked()]).toEqual([[403], before]);
});

test.each([
  ['another site', () => addressOf.foreign],
  ['an unnamed origin on the same site', () => addressOf.unnamed],
])('neither does a form of %s', async (_, address) => {
  await tab.goto(address());
  const [start, before] = [desk.logged.length, await wereAsked()];
  await tab.setContent(`<form method="post" action="${desk.url}/auth/renew"><button>go</button></form>`);
  await tab.click('button');
  await tab.waitForURL(`${desk.url}/auth/renew`);
  expect(await tab.textContent('body')).toContain('origin-refused');
  expect([answered(start), await wereAsked()]).toEqual([[403], before]);
});

test('after a sign-out the cookie is gone, and a page renews nothing', async () => {
  await tab.goto(`${desk.url}/auth/logout`);
  await tab.goto(addressOf.named);
  const cookies = await tab.context().cookies(desk.url);
  expect(cookies.filter(({ name }) => name === 'frontdesk_session')).toEqual([]);
  expect(await renew()).toEqual({ status: 401, hasToken: false });
});
