// The pages in a real browser: the API page, the provider's picking page, a problem's page.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Observations, observe, openChromium } from '../support/chromium.ts';
import { codeFromProvider, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { runToEnd } from '../support/process.ts';

/** The API page takes three seconds of processor time to load, each time: minutes on a busy machine. */
const longestMs = 120_000;

let desk: Frontdesk;
let browser: Browser;
beforeAll(async () => {
  desk = await startFrontdesk();
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
});

async function visit() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const seen: Observations = { complaints: [], foreign: [] };
  observe(page, [desk.url, desk.issuer], seen);
  return { page, ...seen };
}

let opened: ReturnType<typeof visit> | undefined;
/** The API page, one for all who only look at it: it takes seconds to load. */
async function apiPage() {
  const isOpen = opened !== undefined;
  opened ??= visit();
  const visited = await opened;
  if (!isOpen) await visited.page.goto(`${desk.url}/docs`);
  return visited;
}

/** How much the text of an element stands out from what is behind it, as WCAG reckons it. */
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
  test(
    'lists every operation with nothing from elsewhere and nothing to complain about',
    async () => {
      const { page, complaints, foreign } = await apiPage();
      await page.getByText('/employee/overtime-eligibility').first().waitFor();
      expect(page.url()).toBe(`${desk.url}/docs`);
      const { paths } = (await (await desk.get('/openapi.json')).json()) as { paths: Record<string, object> };
      const operations = Object.values(paths).flatMap((path) => Object.keys(path));
      expect(await page.locator('.opblock').count()).toBe(operations.length);
      await page.screenshot({ path: 'test/output/docs.png' });
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    },
    longestMs,
  );

  test(
    'signs a person in and tries a list with their token',
    async () => {
      const { page, complaints, foreign } = await visit();
      await page.goto(`${desk.url}/docs`);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
      await page.screenshot({ path: 'test/output/picking-page.png' });
      await page.getByRole('button', { name: /Ada Park/ }).click();
      await page.getByText('Signed in as Ada Park').waitFor();
      expect(page.url()).toBe(`${desk.url}/docs`);

      const operation = page.locator('#operations-Lists-listPositions');
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').getByText('CHIEF_EXECUTIVE').first().waitFor();
      await operation.locator('.live-responses-table tbody .response-col_status', { hasText: '200' }).waitFor();
      await page.screenshot({ path: 'test/output/docs-tried.png' });
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
      await page.close();
    },
    longestMs,
  );

  test(
    'signs a person out and another one in',
    async () => {
      const { page, complaints } = await visit();
      await page.goto(`${desk.url}/docs`);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: /Ada Park/ }).click();
      await page.getByText('Signed in as Ada Park').waitFor();
      // Or a provider that knows Ada Park by now would just send her back.
      const another = page.waitForRequest((request) => request.url().startsWith(`${desk.issuer}/auth?`));
      await page.getByRole('link', { name: 'Sign in as someone else' }).click();
      expect(new URL((await another).url()).searchParams.get('prompt')).toBe('select_account');
      await page.getByRole('button', { name: /Samuel Okafor/ }).click();
      await page.getByText('Signed in as Samuel Okafor').waitFor();
      const operation = page.locator('#operations-Sign-in-endSession');
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await page.getByText('Signed out.').waitFor();
      expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).not.toContain('prompt');
      expect(complaints).toEqual([]);
      await page.close();
    },
    longestMs,
  );

  test(
    'does not finish a sign-in that somebody else began',
    async () => {
      const { page } = await visit();
      const { searchParams } = await codeFromProvider(desk);
      await page.goto(`${desk.url}/docs?code=${searchParams.get('code')}`);
      await page.getByText('This sign-in was not started here.').waitFor();
      // The code was not even tried: it still works for whoever it belongs to.
      expect((await desk.get(`/auth/login/callback?code=${searchParams.get('code')}`)).status).toBe(200);
      await page.close();
    },
    longestMs,
  );

  test(
    'says what went wrong when a sign-in fails',
    async () => {
      const { page } = await visit();
      await page.goto(`${desk.url}/docs?error=access_denied&state=fd1.${'x'.repeat(43)}`);
      await page.getByText('The sign-in was denied at the identity provider.').waitFor();
      expect(page.url()).toBe(`${desk.url}/docs`);
      await page.close();
    },
    longestMs,
  );
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test(
    'the API page can be read',
    async () => {
      const { page } = await apiPage();
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator('.opblock').first().waitFor();
      // Colours change by transitions: what is between two schemes is nobody's colour.
      await page.evaluate(`(async () => {
        while (document.getAnimations().length > 0) {
          await Promise.allSettled(document.getAnimations().map((each) => each.finished));
        }
      })()`);
      const contrast = await contrastOf(page, '.opblock-tag');
      await page.screenshot({ path: `test/output/docs-${scheme}.png` });
      // WCAG 2.2, 1.4.3
      expect(contrast).toBeGreaterThanOrEqual(4.5);
    },
    longestMs,
  );

  test('a problem explains itself', async () => {
    const { page, complaints } = await visit();
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${desk.url}/problems/login-session-lost`);
    await page.getByRole('heading', { name: 'Sign-in not known here' }).waitFor();
    await page.screenshot({ path: `test/output/problem-${scheme}.png` });
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe('a trial sign-in', () => {
  test(
    'shows people their claims, in both colours and on a phone, with nothing to complain about',
    async () => {
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
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `test/output/trial-${colorScheme}.png`, fullPage: true });
        await expectAccessible(page, colorScheme);
      }
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
      await page.screenshot({ path: 'test/output/trial-phone.png', fullPage: true });
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
      await page.close();
    },
    longestMs,
  );
});
