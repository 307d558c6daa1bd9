// A person whose sign-in or sign-out is refused in the browser gets a page that says what to do, in their language. Programs
// still get a problem document.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { refusalPage } from '../../src/http/pages/refusal-page.ts';
import { type ProblemCode, problemTable } from '../../src/http/problem-table.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { Browser } from '../support/browser.ts';
import { closeContexts, type Observations, observe, openChromium } from '../support/chromium.ts';
import { type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { longestWaitMs } from '../support/waiting.ts';

let desk: Frontdesk;
beforeAll(async () => {
  desk = await startFrontdesk();
});
afterAll(() => desk?.stop());

/** The headers that Chromium sends when a person opens an address. */
const person = {
  accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
};
const state = `fd1.${'x'.repeat(43)}`;
const unknown = 'http://localhost:5173/employees?x=1';
const start = `/auth/login?redirect_uri=${encodeURIComponent(unknown)}`;
const lost = `/auth/login/callback?code=c0de&state=${state}`;
const denied = `/auth/login/callback?error=access_denied&error_description=Because+I+said+so&state=${state}`;
const leave = '/auth/logout?post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye';

describe('a person', () => {
  test.each([
    [
      'a sign-in with an unregistered return address',
      start,
      400,
      'invalid-redirect',
      [`<code>${unknown}</code>`, 'OIDC_REDIRECT_URIS'],
    ],
    ['a sign-in that is not known', lost, 400, 'login-session-lost', ['PUBLIC_URL', 'ten minutes']],
    ['a refusal by the provider', denied, 403, 'login-denied', ['OIDC_CLIENT_ID']],
    [
      'an error from the provider',
      `/auth/login/callback?error=invalid_scope&state=${state}`,
      400,
      'login-failed',
      ['frontdesk check'],
    ],
    ['a callback without parameters', '/auth/login/callback', 400, 'missing-code', ['Start again']],
    ['a malformed sign-in request', '/auth/login?prompt=maybe', 400, 'invalid-request', ['Request ID']],
    [
      'a sign-out with an unregistered return address',
      leave,
      400,
      'invalid-redirect',
      ['<code>https://app.example/bye</code>', 'OIDC_POST_LOGOUT_URIS'],
    ],
  ])('sees a page about %s', async (_, path, status, code, parts) => {
    const response = await desk.get(path, person);
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect([response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    const ofOtherPages = (await desk.get('/problems/not-found')).headers.get('content-security-policy');
    expect(response.headers.get('content-security-policy')).toBe(ofOtherPages);
    for (const part of [...parts, 'Try again', `/problems/${code}`, response.headers.get('x-request-id') ?? 'no id'])
      expect(page).toContain(part);
    // The page contains neither the parameters of the sign-in nor what the provider said.
    for (const secret of ['c0de', state, 'Because', 'invalid_scope', 'access_denied'])
      expect(page).not.toContain(secret);
  });

  test('reads German, if that is preferred', async () => {
    const read = async (acceptLanguage: string) =>
      (await desk.get(start, { ...person, 'accept-language': acceptLanguage })).text();
    for (const language of ['de', 'de-AT,de;q=0.9,en;q=0.8', 'fr, de;q=0.9, en;q=0.8'])
      expect(await read(language)).toContain('<html lang="de">');
    for (const language of ['en', 'fr', '', '*', 'en, de', 'de;q=0, en;q=0.1'])
      expect(await read(language)).toContain('<html lang="en">');
  });

  test.each(['en', 'de'])('sees a complete page for every possible refusal (%s)', (language) => {
    const address = { parameter: 'redirect_uri', variable: 'OIDC_REDIRECT_URIS' };
    const request = { search: '', requestId: 'r', acceptLanguage: language, publicUrl: 'https://desk.example.com' };
    for (const code of Object.keys(problemTable) as ProblemCode[]) {
      const page = refusalPage({ code }, { root: '../', again: () => 'login', address }, request);
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).not.toMatch(/[{}]|undefined/);
    }
  });

  test('tries again with the same request, or begins a new sign-in', async () => {
    const hrefIn = async (path: string) => {
      const page = await (await desk.get(path, person)).text();
      const [, href = ''] = /class="button" href="([^"]*)"/.exec(page) ?? [];
      return new URL(href.replaceAll('&amp;', '&'), desk.url + path).href;
    };
    expect(await hrefIn(start)).toBe(desk.url + start);
    expect(await hrefIn(leave)).toBe(desk.url + leave);
    expect(await hrefIn(lost)).toBe(`${desk.url}/auth/login`);
    expect(await hrefIn(denied)).toBe(`${desk.url}/auth/login`);
  });

  test('loses the cookie of a refused attempt, and is told when to try again', async () => {
    const browser = new Browser(person);
    await browser.request(`${desk.url}/auth/login`);
    const [cookie] = [...browser.cookies.values()].filter(({ name }) => name.startsWith('fd_login_'));
    const own = `${desk.url}/auth/login/callback?error=access_denied&state=`;
    expect(cookie).toBeDefined();
    const refused = await browser.request(own + state);
    expect(refused.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=0')]);
    const away = await startFrontdesk({
      OIDC_ISSUER: 'http://localhost:1',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'x',
      SECRET_KEY: 'long enough for this test, and more',
    });
    const unavailable = await away.get('/auth/login', person);
    await away.stop();
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await unavailable.text()).toContain('This is not possible at the moment');
  });

  const markup = '"><script>alert(1)</script><a href="javascript:alert(2)';
  test.each([
    ['an address', `/auth/login?redirect_uri=${encodeURIComponent(`http://x/${markup}`)}`],
    ['a sentence', `/auth/login?redirect_uri=${encodeURIComponent('Call 555 0100 to unlock your account')}`],
    ['a parameter that is not read', `/auth/login?redirect_uri=http://x/&${markup}=${encodeURIComponent(markup)}`],
    ['an answer', `/auth/login/callback?error=${encodeURIComponent(markup)}&state=${encodeURIComponent(markup)}`],
    ['a very long address', `/auth/login?redirect_uri=http://x/${'y'.repeat(1000)}`],
    [
      'a sign-out',
      `/auth/logout?post_logout_redirect_uri=${encodeURIComponent(markup)}&state=${encodeURIComponent(markup)}`,
    ],
  ])('never sees what a link wrote into %s as part of the page', async (_, path) => {
    const page = await (await desk.get(path, person)).text();
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/="\s*javascript:/);
    expect(page.replaceAll(/href="[^"]*"/g, '')).not.toMatch(/555|yyyy/);
    // All links lead to this service.
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(
      ([, href = '']) => new URL(href, desk.url + path.split('?')[0]),
    );
    expect(links.map(({ origin }) => origin)).toEqual(links.map(() => desk.url));
  });
});

describe('a program', () => {
  test.each([
    ['curl', { accept: '*/*' }],
    [
      'a script on a page',
      {
        ...person,
        accept: '*/*',
        'sec-fetch-mode': 'cors',
        'sec-fetch-dest': 'empty',
        'sec-fetch-site': 'same-origin',
      },
    ],
    ['one that accepts HTML too', { accept: 'application/json, text/html' }],
    ['one that prefers JSON', { accept: 'text/html;q=0.5, application/problem+json' }],
    ['one that refuses HTML', { accept: 'text/html;q=0' }],
    ['a script that asks for HTML', { accept: 'text/html', 'sec-fetch-mode': 'cors' }],
  ])('gets the problem document, byte for byte: %s', async (_, headers) => {
    for (const [path, status, code, title, detail] of [
      [
        lost,
        400,
        'login-session-lost',
        'Sign-in not known here',
        'This sign-in was not started in this browser, was finished already, or took longer than ten minutes.',
      ],
      [denied, 403, 'login-denied', 'Sign-in denied', 'The sign-in was denied at the identity provider.'],
    ] as const) {
      const response = await desk.get(path, headers);
      const instance = `urn:uuid:${response.headers.get('x-request-id')}`;
      expect(await response.text()).toBe(
        JSON.stringify({ type: `${desk.url}/problems/${code}`, title, status, detail, instance }),
      );
      expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
      expect(response.headers.get('content-security-policy')).toBeNull();
    }
  });

  test('gets problem documents from every other route, even if it asks for HTML', async () => {
    for (const path of ['/auth/me', '/nothing', '/employee/position'])
      expect((await desk.get(path, person)).headers.get('content-type')).toBe('application/problem+json');
  });
});

test('the page can be read in both schemes and languages, on a phone too, and its button leads to the sign-in', async () => {
  const browser = await openChromium();
  const seen: Observations = { complaints: [], foreign: [] };
  for (const locale of ['en-GB', 'de-DE']) {
    const context = await browser.newContext({ locale, viewport: { width: 1200, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(longestWaitMs);
    observe(page, [desk.url, desk.issuer], seen, (message) => message.includes('status of 400'));
    await page.goto(desk.url + start);
    const again = page.getByRole('link', { name: locale === 'de-DE' ? 'Erneut versuchen' : 'Try again' });
    await again.waitFor();
    await expectAccessible(page, `${locale} light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, `${locale} dark`, 'contrast');
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await page.goto(desk.url + lost);
    await again.click();
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
    await context.close();
  }
  expect(seen).toEqual({ complaints: [], foreign: [] });
  await closeContexts(browser);
});
