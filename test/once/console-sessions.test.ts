// A working day in the console, in a real browser: people stay signed in, and lose nothing when they have to sign in again.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { installClock } from '../support/browser-clock.ts';
import { openChromium } from '../support/chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { until } from '../support/waiting.ts';

const pictures = 'test/output/console';
/** Short, since the provider beside it keeps to the real time. */
const [tokenSeconds, idleSeconds] = [60, 120];

let desk: Frontdesk;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Moves the clock of the browser, not of the service. */
let passHere: (seconds: number) => Promise<void>;
/** Each renewal that the browser has asked for, by the status of its answer. */
let renewals: number[];
/** The access token of the last request with one. */
let token: string;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await startFrontdesk({
    TOKEN_TTL_SECONDS: String(tokenSeconds),
    SESSION_IDLE_SECONDS: String(idleSeconds),
  });
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
});
beforeEach(async () => {
  renewals = [];
  context = await browser.newContext({ viewport: { width: 1200, height: 850 }, locale: 'en-GB' });
  context.setDefaultTimeout(15_000);
  passHere = await installClock(context);
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/renew')) renewals.push(response.status());
  });
  context.on('request', (request) => {
    token = request.headers().authorization?.slice('Bearer '.length) ?? token;
  });
  page = await context.newPage();
  await context.addCookies(await desk.signInCookies('E-1001'));
  await page.goto(desk.url);
  await signOutButton(page).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  renewals.length = 0;
});
afterEach(() => context.close());

const signOutButton = (of: Page) => of.getByRole('button', { name: 'Sign out', exact: true });
const signIn = (name: RegExp) => (popup: Page) => popup.getByRole('button', { name }).click();
/** The form in the side panel, below the questions about the session. */
const label = () => page.getByLabel('Label', { exact: true });
const saveButton = () => page.getByRole('button', { name: 'Save', exact: true });
const question = (name: string) => page.getByRole('dialog', { name });
/** The panel stays with what was saved, and nothing is asked. */
async function saved(name: string): Promise<void> {
  await page.getByText(`${name} saved`).waitFor();
  await until(async () => (await page.getByRole('dialog').count()) === 1);
}
const labelOf = async (list: string, value: string) => {
  const response = await desk.get(`/employee/${list}`, bearer(await desk.signIn()));
  return ((await response.json()) as { value: string; label: string }[]).find((item) => item.value === value)?.label;
};
const endElsewhere = () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) });

/** Presses it, and does something in the window that opens then. */
async function inPopup(button: string, act: (popup: Page) => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await act(popup);
  return popup;
}

/** Opens a form and leaves it half filled. */
async function fillHalf(list: string, value: string, text: string): Promise<void> {
  await page.goto(`${desk.url}/#/lists/${list}/values/${value}`);
  await label().fill(text);
}

describe('a person stays signed in', () => {
  test('after a reload and in a second tab, with nothing in storage', async () => {
    await page.reload();
    await signOutButton(page).waitFor();
    const second = await context.newPage();
    await second.goto(`${desk.url}/#/lists`);
    await second.getByRole('heading', { name: 'Lists', exact: true }).waitFor();
    expect(renewals).toEqual([200, 200]);
    const stored = await page.evaluate('[sessionStorage.length, localStorage.length]');
    expect(stored).toEqual([0, 0]);
  });

  test('in five tabs that renew at once with one request', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => context.newPage()));
    const tabs = [page, ...others];
    await Promise.all(others.map((tab) => tab.goto(`${desk.url}/#/lists`)));
    await Promise.all(tabs.map((tab) => signOutButton(tab).waitFor()));
    renewals.length = 0;
    await passHere(tokenSeconds + 1);
    await Promise.all(tabs.map((tab) => tab.evaluate("window.dispatchEvent(new PointerEvent('pointerdown'))")));
    // Each needs a token of its own or of another tab for this.
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.goto(`${desk.url}/#/lists/position`);
        await tab.getByText('CHIEF_EXECUTIVE').waitFor();
      }),
    );
    expect(renewals).toEqual([200]);
  });

  test('when the laptop has slept for longer than the token lives', async () => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    desk.advance(tokenSeconds + 10);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await passHere(tokenSeconds + 10);
    await page.goto(`${desk.url}/#/lists/position`);
    await page.getByText('CHIEF_EXECUTIVE').waitFor();
    expect([renewals, await page.getByRole('dialog').count()]).toEqual([[200], 0]);
  });

  test('while Frontdesk cannot be reached at the moment of renewal: they are told, and nothing else happens', async () => {
    await fillHalf('employment-type', 'INTERN', 'Half a');
    await context.setOffline(true);
    await passHere(tokenSeconds - 15);
    await page.keyboard.press('a');
    const note = page.getByText('Your session could not be renewed yet: trying again…');
    await note.waitFor();
    await expectAccessible(page, 'renewal without a connection');
    await page.screenshot({ path: `${pictures}/renewal-offline.png` });
    await context.setOffline(false);
    await note.waitFor({ state: 'detached' });
    expect([await label().inputValue(), await page.getByRole('dialog').count()]).toEqual(['Half aa', 1]);
  });
});

describe('a person whose session has expired', () => {
  test('with a half-filled form signs in again beside it, and what was to be saved is saved', async () => {
    await fillHalf('employee-level', 'LEAD', 'Head');
    // Not in the browser, which would ask before they press anything.
    desk.advance(idleSeconds + 10);
    await saveButton().click();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    await expectAccessible(page, 'an expired session');
    await page.screenshot({ path: `${pictures}/expired.png` });
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Sign in again' }).isVisible()).toBe(true);
    // One who closes the window can open another.
    await inPopup('Sign in again', (popup) => popup.close());
    const popup = await inPopup('Sign in again', signIn(/Ada Park/));
    await saved('Head');
    await until(async () => popup.isClosed());
    expect(await labelOf('employee-level', 'LEAD')).toBe('Head');
  });

  test('is asked before signing out with a half-filled form', async () => {
    await fillHalf('employment-type', 'TEMPORARY', 'Seasonal');
    await endElsewhere();
    await saveButton().click();
    const expired = question('Your session has expired');
    await expired.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await expired.waitFor();
    expect(await label().inputValue()).toBe('Seasonal');
    await expired.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  test('is told when the browser opens no window', async () => {
    await page.evaluate('window.open = () => null');
    await endElsewhere();
    await page.goto(`${desk.url}/#/lists/position`);
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('alert').getByText('Your browser blocked the window.').waitFor();
    await expectAccessible(page, 'a blocked window');
    await page.screenshot({ path: `${pictures}/blocked.png` });
  });

  test('sends nothing as another person who signs in instead', async () => {
    await fillHalf('employment-type', 'CONTRACTOR', 'Freelancer');
    await endElsewhere();
    let sent = 0;
    context.on('request', (request) => {
      if (request.method() === 'PATCH') sent++;
    });
    await saveButton().click();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    const popup = await inPopup('Sign in again', signIn(/E-1002/));
    await page.getByRole('heading', { name: 'Another person signed in' }).waitFor();
    await until(async () => popup.isClosed());
    await expectAccessible(page, 'another person');
    await page.screenshot({ path: `${pictures}/other-person.png` });
    expect([sent, await label().inputValue()]).toEqual([1, 'Freelancer']);
    // The first one comes back: their change is sent after all.
    await inPopup('Sign in as Ada Park', signIn(/Ada Park/));
    await saved('Freelancer');
    expect([sent, await labelOf('employment-type', 'CONTRACTOR')]).toEqual([2, 'Freelancer']);
  });

  test('starts again when another person continues instead', async () => {
    await endElsewhere();
    await page.goto(`${desk.url}/#/lists/position`);
    await inPopup('Sign in again', signIn(/E-1002/));
    await page.getByRole('button', { name: 'Discard and continue as the other person' }).click();
    await page.getByText('You don’t have permission to manage lists.').waitFor();
  });
});

test('a person sees where they are signed in, and ends what they do not need', async () => {
  const elsewhere = await desk.signIn('E-1001');
  await page.getByRole('link', { name: /Ada Park/ }).click();
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  const here = page.getByRole('listitem').filter({ hasText: 'This session' });
  await here.waitFor();
  expect(await here.getByRole('button').allInnerTexts()).toEqual(['Sign out here']);
  await expectAccessible(page, 'your sessions');
  await page.screenshot({ path: `${pictures}/sessions.png` });
  const others = page.getByRole('button', { name: /^End session: / });
  while ((await others.count()) > 0) {
    const before = await others.count();
    await others.first().click();
    await until(async () => (await others.count()) < before);
    // Where the row was that had the focus.
    expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Your sessions');
  }
  expect((await desk.get('/auth/me', bearer(elsewhere))).status).toBe(401);
  expect((await desk.get('/auth/me', bearer(token))).status).toBe(200);
  await here.getByRole('button').click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a sign-out in one tab signs out all, and their input stays', async () => {
  await fillHalf('employment-type', 'TEMPORARY', 'Casual');
  const other = await context.newPage();
  await other.goto(desk.url);
  await signOutButton(other).click();
  await page.getByRole('heading', { name: 'You signed out in another tab' }).waitFor();
  await expectAccessible(page, 'signed out in another tab');
  await page.screenshot({ path: `${pictures}/other-tab.png` });
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  await inPopup('Sign in again', signIn(/Ada Park/));
  await page.getByRole('heading', { name: 'You signed out in another tab' }).waitFor({ state: 'detached' });
  expect(await label().inputValue()).toBe('Casual');
  // And the other tab is in again, too.
  await signOutButton(other).waitFor();
});

describe('a change that needs a stronger sign-in', () => {
  let usual: Frontdesk;
  beforeAll(async () => {
    usual = desk;
    desk = await startFrontdesk({ KEEP_ACR_VALUES: 'gold', KEEP_MAX_AGE_SECONDS: '300' });
  });
  afterAll(async () => {
    await desk.stop();
    desk = usual;
  });
  /** The statuses of the changes that were sent. */
  function watchChanges(): number[] {
    const statuses: number[] = [];
    context.on('response', (response) => {
      if (response.request().method() === 'PATCH') statuses.push(response.status());
    });
    return statuses;
  }

  test('opens the window by itself, and is saved afterwards', async () => {
    const statuses = watchChanges();
    await fillHalf('employment-type', 'SEASONAL', 'Harvest');
    const popup = await inPopup('Save', async (opened) => {
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
      await expectAccessible(page, 'a stronger sign-in');
      await page.screenshot({ path: `${pictures}/stronger.png` });
      await opened.getByLabel('Stronger: gold').check();
      await signIn(/Ada Park/)(opened);
    });
    await saved('Harvest');
    await until(async () => popup.isClosed());
    expect([statuses, await labelOf('employment-type', 'SEASONAL')]).toEqual([[401, 200], 'Harvest']);
  });

  test('is not saved after Cancel or as another person, and stays as it was typed', async () => {
    const statuses = watchChanges();
    await fillHalf('employment-type', 'APPRENTICE', 'Trainee');
    const popup = await inPopup('Save', async (opened) => {
      await opened.getByLabel('Password only').check();
      await signIn(/Ada Park/)(opened);
    });
    const confirm = question('Confirm it’s you');
    await confirm.getByRole('alert').getByText('Sign-in not strong enough').waitFor();
    await until(async () => popup.isClosed());
    await expectAccessible(page, 'a sign-in that is not strong enough');
    await page.screenshot({ path: `${pictures}/not-strong-enough.png` });
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Stronger sign-in needed').waitFor();
    await inPopup('Save', signIn(/E-1002/));
    await page.getByRole('heading', { name: 'Another person signed in' }).waitFor();
    expect([statuses, await label().inputValue()]).toEqual([[401, 401], 'Trainee']);
  });
});
