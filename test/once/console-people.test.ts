// The console in a real browser, for everybody: signing in and out, by keyboard alone, and pages that do not exist.
import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { startConsole } from '../support/console.ts';
import { codeFromProvider } from '../support/frontdesk.ts';
import { sharedConsole } from '../support/shared.ts';

const app = sharedConsole(startConsole);

const phone = { viewport: { width: 390, height: 844 } };
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('before signing in, everybody', () => {
  test('sees what this is, and one way to sign in', async () => {
    const page = await app.open();
    const response = await page.goto(`${app.desk.url}/`);
    await heading(page, 'Frontdesk').waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Sign in']);
    expect(await page.title()).toBe('Sign in – Frontdesk');
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('reads it in German if the browser prefers German', async () => {
    const page = await app.open({ locale: 'de-AT' });
    await page.goto(`${app.desk.url}/`);
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
  });

  test('sees what went wrong when a sign-in fails, and can try again', async () => {
    const page = await app.open();
    await page.goto(`${app.desk.url}/?error=access_denied&state=fd1.${'x'.repeat(43)}`);
    await page.getByRole('alert').getByText('The sign-in was denied at the identity provider.').waitFor();
    expect(page.url()).toBe(`${app.desk.url}/`);
    await expectAccessible(page, 'a failed sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
  });

  test('is not signed in by a link that somebody else made', async () => {
    const page = await app.open();
    const { searchParams } = await codeFromProvider(app.desk);
    await page.goto(`${app.desk.url}/?code=${searchParams.get('code')}&state=theirs`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // The code was never sent to the provider, so its owner can still use it.
    expect((await app.desk.get(`/auth/login/callback?code=${searchParams.get('code')}`)).status).toBe(200);
  });
});

test('the first page loads at most 200 KB compressed, and nothing from elsewhere', async () => {
  const page = await app.enter('E-1001');
  await page.getByRole('heading', { name: 'Recently changed' }).waitFor();
  const files = await page.evaluate<{ name: string; bytes: number }[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name }) => /\\/$|\\/console\\/|\\/docs\\//.test(new URL(name).pathname))
      .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }))`,
  );
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(files.find(({ name }) => name === '/console/main.js')?.bytes).toBeGreaterThan(10_000);
  expect(files.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(total).toBeLessThanOrEqual(200 * 1024);
});

test('a person is redirected to the host name where sign-in works, to the page they wanted, and signed out again', async () => {
  const page = await app.open(phone);
  await page.goto(`${app.desk.url.replace('localhost', '127.0.0.1')}/#/preview`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(page.url()).toBe(`${app.desk.url}/#/preview`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /E-1002/ }).click();
  await heading(page, 'Preview form').waitFor();
  expect(page.url()).toBe(`${app.desk.url}/#/preview`);
  await page.reload();
  await heading(page, 'Preview form').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  // The development provider asks whether to sign out there as well. Its button has the same name as the one on the
  // previous page.
  await page.waitForURL('**/session/end?**');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('each person sees who they are and what they may do, on a phone', async () => {
  const page = await app.open(phone);
  for (const [person, name, first, links] of [
    ['E-1001', 'Ada Park', 'Ada', ['Home', 'Lists', 'Preview form']],
    ['E-1003', 'Maria del Carmen Ruiz', 'Maria', ['Home', 'Preview form']],
    ['E-1004', 'E-1004', undefined, ['Home', 'Preview form']],
    ['E-1005', 'வெங்கடசுப்பிரமணியன் கிருஷ்ணமூர்த்தி இராமச்சந்திரன்', 'வெங்கடசுப்பிரமணியன்', ['Home', 'Preview form']],
    ['E-1006', 'Ines Duarte', 'Ines', ['Home', 'Lists', 'Preview form', 'Audit log']],
  ] as const) {
    await page.context().clearCookies();
    await page.context().addCookies(await app.desk.signInCookies(person));
    await page.goto(`${app.desk.url}/`);
    await heading(page, first === undefined ? /^Welcome/ : `Welcome, ${first}`).waitFor();
    const bar = await page.getByRole('banner').boundingBox();
    expect([person, (bar?.height ?? 99) < 64]).toEqual([person, true]);
    const shown = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect([person, await shown.allInnerTexts()]).toEqual([person, [...links]]);
    await page.getByRole('link', { name, exact: true }).click();
    await heading(page, name).waitFor();
    await page.getByText(person, { exact: true }).first().waitFor();
    const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    expect([person, isTooWide]).toEqual([person, false]);
  }
});

test('with the keyboard alone: sign in, open a list, add a value', async () => {
  const list = await app.makeList(['Trainee']);
  const page = await app.open();
  await page.goto(`${app.desk.url}/#/lists`);
  /** Presses Tab until this element has the focus. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>(
        "document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText ?? ''",
      );
      if (name.test(focused.trim())) return;
    }
    throw new Error(`${name} cannot be reached`);
  };
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await tabTo(/^Sign in$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who is signing in?' }).waitFor();
  await tabTo(/Ada Park/);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Grade 1', exact: true }).waitFor();
  await tabTo(/^Grade 1$/);
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: 'Add value' })
    .or(page.getByRole('button', { name: 'Add value' }))
    .waitFor();
  await tabTo(/^Add value$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Label', { exact: true }).waitFor();
  await tabTo(/^Label$/);
  await page.keyboard.type('Night porter');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Night porter added').first().waitFor();
  expect(await app.labelsOf(list)).toEqual(['Trainee', 'Night porter']);
});

describe('an address', () => {
  test.each([
    ['E-1001', 'lists/..%5C..%5Cauth%5Cme', 'Page not found'],
    ['E-1001', 'no-such-page', 'Page not found'],
    ['E-1003', 'lists', 'You don’t have permission to manage lists.'],
    ['E-1001', 'audit', 'You don’t have permission to read the audit log.'],
  ])('for %s, #/%s: “%s”, with a way home', async (person, hash, text) => {
    const page = await app.enter(person, {}, hash);
    await page.getByText(text, { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Go home' }).click();
    await heading(page, /^Welcome/).waitFor();
  });

  test('of a list that does not exist says that there is no such list', async () => {
    const page = await app.enter('E-1001', {}, 'lists/no-such-list');
    await page.getByRole('alert').getByText('Not found').waitFor();
  });
});

test('while changes do not arrive, the page says so', async () => {
  const page = await app.enter();
  const note = page.getByText('Changes by others aren’t shown at the moment. Reconnecting…');
  await page.route('**/lookups/changes', (route) => route.abort());
  await page.reload();
  await note.waitFor();
  await expectAccessible(page, 'reconnecting');
  await page.unroute('**/lookups/changes');
  await note.waitFor({ state: 'detached' });
  await page.route('**/lookups/changes', (route) => route.fulfill({ status: 200, body: 'Welcome to our network' }));
  await page.reload();
  await page.getByRole('alert').getByText('Unexpected answer').waitFor();
});
