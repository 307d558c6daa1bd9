// If another team's page on the same site sends a browser to the sign-out address, Frontdesk first asks the person.
import { expect, test } from 'bun:test';
import { Browser } from '../support/browser.ts';
import { closeContexts, openChromium } from '../support/chromium.ts';
import { startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { shared } from '../support/shared.ts';

const app = `http://localhost:${freePort()}`;
const desk = shared(() => startFrontdesk({ CORS_ORIGINS: app }));

async function signedIn() {
  const browser = new Browser();
  await browser.follow(`${desk.url}/auth/login?login_hint=E-1001`);
  const isOpen = async () => {
    const origin = desk.url;
    return (await browser.request(`${desk.url}/auth/renew`, { method: 'POST', headers: { origin } })).status === 200;
  };
  const leave = (headers: Record<string, string>) =>
    browser.request(`${desk.url}/auth/logout?state=s%22%3E`, { headers: { 'sec-fetch-dest': 'document', ...headers } });
  return { isOpen, leave };
}

test.each([
  ['a page of another origin', { referer: 'http://localhost:1/' }],
  ['a page that sends no referrer', {}],
  ['a page that sends an invalid referrer', { referer: 'nonsense' }],
])('%s on the same site leads to a page that asks, and nothing ends', async (_, headers) => {
  const { isOpen, leave } = await signedIn();
  const response = await leave({ 'sec-fetch-site': 'same-site', ...headers });
  expect([response.status, response.headers.get('content-type'), response.headers.getSetCookie()]).toEqual([
    200,
    'text/html; charset=utf-8',
    [],
  ]);
  expect(await response.text()).toContain('href="logout?state=s%22%3E"');
  expect(await isOpen()).toBe(true);
});

test.each([
  ['an application in CORS_ORIGINS', { 'sec-fetch-site': 'same-site', referer: `${app}/form` }],
  ['our own page', { 'sec-fetch-site': 'same-origin' }],
  ['a person who types the address', { 'sec-fetch-site': 'none' }],
  ['a browser that does not say where the request comes from', {}],
])('%s signs out at once', async (_, headers) => {
  const { isOpen, leave } = await signedIn();
  const response = await leave(headers);
  expect([response.status, response.headers.get('location')?.startsWith(desk.issuer)]).toEqual([302, true]);
  expect(await isOpen()).toBe(false);
});

test('in a browser, the page asks, and its button signs out', async () => {
  const neighbour = Bun.serve({
    port: freePort(),
    hostname: 'localhost',
    fetch: () =>
      new Response(`<a href="${desk.url}/auth/logout">Free cake</a>`, { headers: { 'content-type': 'text/html' } }),
  });
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.context().addCookies(await desk.signInCookies('E-1001'));
  await page.goto(neighbour.url.href);
  await page.getByRole('link', { name: 'Free cake' }).click();
  await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
  expect(await page.context().cookies()).toContainEqual(expect.objectContaining({ name: 'frontdesk_session' }));
  // The provider sends the browser back at once.
  const atProvider = page.waitForRequest(`${desk.issuer}/**`);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await atProvider;
  expect((await page.context().cookies(desk.url)).map(({ name }) => name)).not.toContain('frontdesk_session');
  await closeContexts(browser);
  await neighbour.stop(true);
});
