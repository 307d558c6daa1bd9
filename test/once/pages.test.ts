// The pages in a real browser: the API page, the provider's picking page, a problem's page.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { closeContexts, type Observations, observe, openChromium } from '../support/chromium.ts';
import { codeFromProvider, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { runToEnd } from '../support/process.ts';
import { longestWaitMs } from '../support/waiting.ts';

let desk: Frontdesk;
let browser: Browser;
beforeAll(async () => {
  desk = await startFrontdesk();
  browser = await openChromium();
});
afterAll(async () => {
  await closeContexts(browser);
  await desk?.stop();
});

interface OpenApi {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, { operationId: string; tags: string[]; security: object[] }>>;
  components: { securitySchemes: object };
}

async function visit() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  page.setDefaultTimeout(longestWaitMs);
  const seen: Observations = { complaints: [], foreign: [] };
  observe(page, [desk.url, desk.issuer], seen);
  return { page, ...seen };
}

/** Opens the API page with only two operations and no schemas, so that it renders quickly. */
async function visitShortPage() {
  const visited = await visit();
  const { openapi, info, paths, components } = (await (await desk.get('/openapi.json')).json()) as OpenApi;
  const short = (path: string, method: 'get' | 'post') => {
    const { operationId, tags, security } = paths[path]?.[method] ?? {};
    const responses = { 200: { description: 'OK', content: { 'application/json': {} } } };
    return { [path]: { [method]: { operationId, tags, security, responses } } };
  };
  const json = {
    openapi,
    info,
    paths: { ...short('/employee/position', 'get'), ...short('/auth/logout', 'post') },
    components: { securitySchemes: components.securitySchemes },
  };
  await visited.page.route('**/openapi.json', (route) => route.fulfill({ json }));
  return visited;
}

/** The contrast between the text of an element and its background, as WCAG defines it. */
async function contrastOf(page: Page, selector: string): Promise<number> {
  const colors = await page.evaluate<string[]>(`(() => {
    let behind = document.querySelector('${selector}');
    const text = getComputedStyle(behind).color;
    while (behind !== null && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    return [text, getComputedStyle(behind ?? document.body).backgroundColor];
  })()`);
  const [text = 0, background = 0] = colors.map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(text, background) + 0.05) / (Math.min(text, background) + 0.05);
}

describe('the API page', () => {
  test('lists every operation, loads nothing from other origins, and causes no errors in the browser', async () => {
    const { page, complaints, foreign } = await visit();
    await page.goto(`${desk.url}/docs`);
    await page.getByText('/employee/overtime-eligibility').first().waitFor();
    expect(page.url()).toBe(`${desk.url}/docs`);
    const { paths } = (await (await desk.get('/openapi.json')).json()) as OpenApi;
    const operations = Object.values(paths).flatMap((path) => Object.keys(path));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await page.close();
  });

  test('signs a person in, tries a list with their token, signs another person in and out', async () => {
    const { page, complaints, foreign } = await visitShortPage();
    await page.goto(`${desk.url}/docs`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
    await page.getByRole('button', { name: /Ada Park/ }).click();
    await page.getByText('Signed in as Ada Park').waitFor();
    expect(page.url()).toBe(`${desk.url}/docs`);
    const list = page.locator('#operations-Lists-listPositions');
    await list.locator('.opblock-summary-control').click();
    await list.getByRole('button', { name: 'Execute' }).click();
    await list.locator('.live-responses-table').getByText('CHIEF_EXECUTIVE').first().waitFor();
    await list.locator('.live-responses-table tbody .response-col_status', { hasText: '200' }).waitFor();

    // With `select_account`, the provider asks again. Otherwise, it would recognize Ada Park and send her back at once.
    const another = page.waitForRequest((request) => request.url().startsWith(`${desk.issuer}/auth?`));
    await page.getByRole('link', { name: 'Sign in as someone else' }).click();
    expect(new URL((await another).url()).searchParams.get('prompt')).toBe('select_account');
    await page.getByRole('button', { name: /Samuel Okafor/ }).click();
    await page.getByText('Signed in as Samuel Okafor').waitFor();
    const signOut = page.locator('#operations-Sign-in-endSession');
    await signOut.locator('.opblock-summary-control').click();
    await signOut.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('Signed out.').waitFor();
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).not.toContain('prompt');
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    await page.close();
  });

  test('does not finish a sign-in that somebody else began, says what went wrong when one fails, and can be read in both schemes', async () => {
    const { page } = await visitShortPage();
    const { searchParams } = await codeFromProvider(desk);
    await page.goto(`${desk.url}/docs?code=${searchParams.get('code')}`);
    await page.getByText('This sign-in was not started here.').waitFor();
    // The code was never sent to the provider, so its owner can still use it.
    expect((await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`)).status).toBe(200);
    await page.goto(`${desk.url}/docs?error=access_denied&state=fd1.${'x'.repeat(43)}`);
    await page.getByText('The sign-in was denied at the identity provider.').waitFor();
    expect(page.url()).toBe(`${desk.url}/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours change gradually. Until the transition ends, they belong to neither scheme.
      await page.evaluate(`(async () => {
        while (document.getAnimations().length > 0) {
          await Promise.allSettled(document.getAnimations().map((each) => each.finished));
        }
      })()`);
      // WCAG 2.2, 1.4.3
      expect(await contrastOf(page, '.opblock-tag'), colorScheme).toBeGreaterThanOrEqual(4.5);
    }
    await page.close();
  });
});

test('the page of a problem explains it, and can be read in both schemes', async () => {
  const { page, complaints } = await visit();
  await page.goto(`${desk.url}/problems/login-session-lost`);
  await page.getByRole('heading', { name: 'Sign-in not known here' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme, 'contrast');
  }
  expect(complaints).toEqual([]);
  await page.close();
});

test('a trial sign-in shows people their claims, in both schemes and on a phone, with nothing to complain about', async () => {
  const { page, complaints, foreign } = await visit();
  const env = { ...desk.commandEnv, PUBLIC_URL: desk.url };
  const { stdout } = await runToEnd(['check', '--sign-in'], env, desk.folder);
  await page.goto(stdout.split('\n')[0] ?? '');
  await page.getByRole('heading', { name: 'Try a sign-in' }).waitFor();
  await expectAccessible(page, 'introduction');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Ada Park/ }).click();
  await page.getByRole('heading', { name: 'This sign-in works' }).waitFor();
  expect(await page.getByText('ada.park@').count()).toBeGreaterThan(0);
  await expectAccessible(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'dark', 'contrast');
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  await page.close();
});
