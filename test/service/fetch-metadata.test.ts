// Browsers say in Fetch Metadata headers what a request is for. Frontdesk uses them to refuse requests with
// which a page could use up its visitors' sign-in limit.
import { describe, expect, test } from 'bun:test';
import { closeContexts, openChromium } from '../support/chromium.ts';
import { codeFromProvider, startFrontdesk } from '../support/frontdesk.ts';
import { freePort } from '../support/ports.ts';
import { expectProblem } from '../support/problem.ts';
import { shared } from '../support/shared.ts';

const foreign = 'https://elsewhere.example';
const app = 'https://app.example.com';
const desk = shared(() => startFrontdesk({ RATE_LIMIT_LOGIN: '100/1m', CORS_ORIGINS: app }));

/** How many sign-ins this address has left, not counting this request. */
const left = async () => Number(/;r=(\d+);/.exec((await desk.get('/auth/login')).headers.get('ratelimit') ?? '')?.[1]);

const destinations = ['image', 'iframe', 'frame', 'embed', 'object', 'script', 'style', 'empty', 'video', 'nonsense'];

describe.each(['/auth/login', '/auth/logout'])('%s', (path) => {
  test.each(destinations)('requested as %s does nothing and does not count', async (destination) => {
    const before = await left();
    const response = await desk.get(path, { 'sec-fetch-dest': destination, 'sec-fetch-site': 'cross-site' });
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectProblem(response, 'navigation-required', 403);
    expect(await left()).toBe(before - 1);
  });

  test('opened as a page, or by something other than a browser, redirects to the provider', async () => {
    for (const headers of [{ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }, {}]) {
      const response = await desk.get(path, headers);
      expect([response.status, response.headers.get('location')?.startsWith(desk.issuer)]).toEqual([302, true]);
    }
  });

  test.each(['sec-purpose', 'purpose'])(
    'prefetched, according to %s, does nothing and does not count',
    async (name) => {
      const before = await left();
      const response = await desk.get(path, { 'sec-fetch-dest': 'document', [name]: 'prefetch' });
      expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
      expect(await left()).toBe(before - 1);
    },
  );

  test('does not accept HEAD', async () => {
    const response = await fetch(desk.url + path, { method: 'HEAD', redirect: 'manual' });
    expect([response.status, response.headers.getSetCookie()]).toEqual([405, []]);
  });
});

describe('the callback', () => {
  const callback = async (headers: Record<string, string>) =>
    desk.get(`/auth/login/callback${(await codeFromProvider(desk)).search}`, headers);

  test.each([
    ['the redirect of the provider', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
    ['a page of ours', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }],
    ['a page of a named origin', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', origin: app }],
    ['a browser extension', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'none' }],
    ['a program', {}],
  ])('works for %s', async (_, headers) => {
    expect((await callback(headers)).status).toBe(200);
  });

  test.each([
    ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }],
    ['a blind script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }],
    ['a foreign page', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', origin: foreign }],
  ])('requested by %s redeems nothing, does not count and is not audited', async (_, headers) => {
    const audited = async () => (await desk.database.query('select seq from audit')).length;
    const { search } = await codeFromProvider(desk);
    const [before, rows] = [await left(), await audited()];
    await expectProblem(await desk.get(`/auth/login/callback${search}`, headers), 'navigation-required', 403);
    expect([await left(), await audited()]).toEqual([before - 1, rows]);
    expect((await desk.get(`/auth/login/callback${search}`)).status).toBe(200);
  });
});

test("a page full of our addresses in a real browser uses up nobody's sign-ins, and a link still signs in", async () => {
  const port = freePort();
  const at = (path: string) => `${desk.url}${path}`;
  const page = `<!doctype html><title>elsewhere</title>
<img src="${at('/auth/login')}"><img src="${at('/auth/login/callback?code=x')}"><iframe src="${at('/auth/logout')}"></iframe>
<script src="${at('/auth/login')}"></script><link rel="stylesheet" href="${at('/auth/login')}">
<a href="${at('/auth/login?login_hint=E-1001')}">in</a>`;
  const elsewhere = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch: () => new Response(page, { headers: { 'content-type': 'text/html' } }),
  });
  const browser = await openChromium();
  const tab = await browser.newPage();
  const before = await left();
  const start = desk.logged.length;
  await tab.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle' });
  const calls = [at('/auth/login'), at('/auth/login/callback?code=y')];
  await tab.evaluate(
    (urls) => Promise.allSettled(urls.flatMap((url) => [fetch(url), fetch(url, { mode: 'no-cors' })])),
    calls,
  );
  const answered = desk.logged.slice(start).flatMap((line) => {
    const { msg, path, status } = JSON.parse(line) as { msg: string; path: string; status: number };
    return msg === 'request' ? [`${status} ${path}`] : [];
  });
  const between = await left();
  await tab.click('a');
  await tab.waitForURL(`${desk.url}/auth/login/callback**`);
  const body = await tab.textContent('body');
  await closeContexts(browser);
  elsewhere.stop(true);
  expect(between).toBe(before - 1);
  // The page refers to five resources and its script fetches four, but the browser may combine requests for the same address.
  expect(answered.length).toBeGreaterThanOrEqual(6);
  expect([...new Set(answered)].sort()).toEqual(['403 /auth/login', '403 /auth/login/callback', '403 /auth/logout']);
  expect(body).toContain('accessToken');
});
