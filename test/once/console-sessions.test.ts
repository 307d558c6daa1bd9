// A working day in the console, in a real browser: people stay signed in, and lose nothing when they have to sign in again.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { installClock } from '../support/browser-clock.ts';
import { closeContexts, openChromium } from '../support/chromium.ts';
import { bearer, type Frontdesk, startFrontdesk } from '../support/frontdesk.ts';
import { longestWaitMs, until } from '../support/waiting.ts';

/** Short times, because the provider uses the real clock. */
const [tokenSeconds, idleSeconds] = [60, 120];

let desk: Frontdesk;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let moveClock: (seconds: number) => Promise<void>;
/** How many seconds the browser's clock is ahead. */
let lead = 0;
/** The answer statuses of all renewals that the browser has requested. */
let renewals: number[] = [];
/** The answer status of each change that the browser has sent; undefined until it is answered. */
let changes: { status?: number }[] = [];
/** The access token of the last request that had one. */
let token: string;

beforeAll(async () => {
  desk = await startFrontdesk({
    TOKEN_TTL_SECONDS: String(tokenSeconds),
    SESSION_IDLE_SECONDS: String(idleSeconds),
  });
  browser = await openChromium();
  context = await browser.newContext({
    viewport: { width: 1200, height: 850 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWaitMs);
  moveClock = await installClock(context);
  // A tab waits for another tab's token for one second, which may be too short on a busy machine.
  await context.addInitScript(
    'const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * 30);',
  );
  const sent = new Map<Request, { status?: number }>();
  context.on('request', (request) => {
    token = request.headers().authorization?.slice('Bearer '.length) ?? token;
    if (request.method() !== 'PATCH') return;
    const change = {};
    changes.push(change);
    sent.set(request, change);
  });
  context.on('response', (response) => {
    const change = sent.get(response.request());
    if (change !== undefined) change.status = response.status();
    if (response.url().endsWith('/auth/renew')) renewals.push(response.status());
  });
  page = await context.newPage();
});
afterAll(async () => {
  await closeContexts(browser);
  await desk?.stop();
});
/** One page for all tests, reloaded with a new session for each. */
beforeEach(async () => {
  await page.goto('about:blank');
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await passHere(-lead);
  await context.clearCookies();
  await context.addCookies(await desk.signInCookies('E-1001'));
  await page.goto(desk.url);
  await signOutButton(page).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  renewals = [];
  changes = [];
});

/** Moves the browser's clock, not the service's. */
async function passHere(seconds: number): Promise<void> {
  lead += seconds;
  await moveClock(seconds);
}
const statuses = () => changes.map(({ status }) => status);

const signOutButton = (of: Page) => of.getByRole('button', { name: 'Sign out', exact: true });
const signIn = (name: RegExp) => (popup: Page) => popup.getByRole('button', { name }).click();
/** The field and the button of the form in the side panel. A dialog about the session may cover them. */
const label = () => page.getByLabel('Label', { exact: true });
const saveButton = () => page.getByRole('button', { name: 'Save', exact: true });
const question = (name: string) => page.getByRole('dialog', { name });
/** Whether the dialog covers the page with an opaque colour. */
const hidesPage = () =>
  page.evaluate<boolean>(
    "getComputedStyle([...document.querySelectorAll('.overlay')].at(-1)).backgroundColor.startsWith('rgb(')",
  );
/** Waits until the value is saved. The panel stays open, and no question is left. */
async function saved(name: string): Promise<void> {
  await page.getByText(`${name} saved`).waitFor();
  await until(async () => (await page.getByRole('dialog').count()) === 1);
}
const labelOf = async (list: string, value: string) => {
  const response = await desk.get(`/employee/${list}`, bearer(await desk.signIn()));
  return ((await response.json()) as { value: string; label: string }[]).find((item) => item.value === value)?.label;
};
const endElsewhere = () => fetch(`${desk.url}/auth/logout`, { method: 'POST', headers: bearer(token) });

/** Presses the button, and acts in the window that opens. */
async function inPopup(button: string, act: (popup: Page) => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  await act(popup);
  return popup;
}

/** Opens a form and fills in half of it. */
async function fillHalf(list: string, value: string, text: string): Promise<void> {
  await page.goto(`${desk.url}/#/lists/${list}/values/${value}`);
  await label().fill(text);
}

describe('a person stays signed in', () => {
  test('in a second tab, with nothing in storage; after the laptop has slept, both renew at once with one request', async () => {
    const tabs = [page, await context.newPage()];
    await tabs[1]?.goto(`${desk.url}/#/lists`);
    await Promise.all(tabs.map((tab) => signOutButton(tab).waitFor()));
    expect(renewals).toEqual([200]);
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    renewals = [];
    const devtools = await Promise.all(tabs.map((tab) => context.newCDPSession(tab)));
    const setState = (state: 'frozen' | 'active') =>
      Promise.all(devtools.map((each) => each.send('Page.setWebLifecycleState', { state })));
    await setState('frozen');
    desk.advance(tokenSeconds + 10);
    // The clock moves before either tab wakes up. Otherwise, a tab could receive the other's token before its own clock moves.
    await passHere(tokenSeconds + 10);
    await setState('active');
    await Promise.all(tabs.map((tab) => tab.evaluate("window.dispatchEvent(new PointerEvent('pointerdown'))")));
    // To show a list, each tab needs a token: its own or the other tab's.
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.goto(`${desk.url}/#/lists/position`);
        await tab.getByText('CHIEF_EXECUTIVE').waitFor();
      }),
    );
    expect([renewals, await page.getByRole('dialog').count()]).toEqual([[200], 0]);
  });

  test('while Frontdesk cannot be reached for a renewal, the page says so, and nothing else happens', async () => {
    await fillHalf('employment-type', 'INTERN', 'Half a');
    await context.setOffline(true);
    await passHere(tokenSeconds - 15);
    await page.keyboard.press('a');
    const note = page.getByText('Your session couldn’t be renewed. Trying again…');
    await note.waitFor();
    await expectAccessible(page, 'renewal without a connection');
    await context.setOffline(false);
    await note.waitFor({ state: 'detached' });
    expect([await label().inputValue(), await page.getByRole('dialog').count()]).toEqual(['Half aa', 1]);
  });
});

describe('a person whose session has expired', () => {
  test('with a half-filled form signs in again in a second window, and the form is saved', async () => {
    await fillHalf('employee-level', 'LEAD', 'Head');
    // Only the service's clock moves. If the browser's clock moved too, the page would notice the end of the session before
    // the button is pressed.
    desk.advance(idleSeconds + 10);
    await saveButton().click();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape');
    // Signing out asks for confirmation first.
    await question('Your session has expired').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    // The page says so if the browser blocks the window.
    await page.evaluate('window.usualOpen = window.open; window.open = () => null');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('alert').getByText('Your browser blocked the window.').waitFor();
    await expectAccessible(page, 'an expired session and a blocked window');
    await page.evaluate('window.open = window.usualOpen');
    // After closing the window, people can open a new one.
    await inPopup('Sign in again', (popup) => popup.close());
    const popup = await inPopup('Sign in again', signIn(/Ada Park/));
    await saved('Head');
    await until(async () => popup.isClosed());
    expect(await labelOf('employee-level', 'LEAD')).toBe('Head');
  });

  test('sends and shows nothing as another person who signs in instead', async () => {
    await fillHalf('employment-type', 'CONTRACTOR', 'Freelancer');
    await endElsewhere();
    await saveButton().click();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    const popup = await inPopup('Sign in again', signIn(/E-1002/));
    await page.getByRole('heading', { name: 'Another person signed in' }).waitFor();
    await until(async () => popup.isClosed());
    await expectAccessible(page, 'another person', 'all but contrast');
    expect([statuses(), await label().inputValue(), await hidesPage()]).toEqual([[401], 'Freelancer', true]);
    // The first person comes back: their change is sent after all.
    await inPopup('Sign in as Ada Park', signIn(/Ada Park/));
    await saved('Freelancer');
    expect([statuses(), await labelOf('employment-type', 'CONTRACTOR')]).toEqual([[401, 200], 'Freelancer']);
  });
});

test('a sign-out in one tab signs out all, and their input stays', async () => {
  await fillHalf('employment-type', 'TEMPORARY', 'Casual');
  const other = await context.newPage();
  await other.goto(desk.url);
  await signOutButton(other).click();
  await page.getByRole('heading', { name: 'You signed out in another tab' }).waitFor();
  await expectAccessible(page, 'signed out in another tab', 'all but contrast');
  expect(await hidesPage()).toBe(true);
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  await inPopup('Sign in again', signIn(/Ada Park/));
  await page.getByRole('heading', { name: 'You signed out in another tab' }).waitFor({ state: 'detached' });
  expect(await label().inputValue()).toBe('Casual');
  // The other tab is signed in again, too.
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

  test('opens the window by itself, and is saved after a strong sign-in, but not after a weak sign-in and Cancel', async () => {
    await fillHalf('employment-type', 'APPRENTICE', 'Trainee');
    const popup = await inPopup('Save', async (opened) => {
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
      await opened.getByLabel('Password only').check();
      await signIn(/Ada Park/)(opened);
    });
    const confirm = question('Confirm it’s you');
    await confirm.getByRole('alert').getByText('Sign-in not strong enough').waitFor();
    await until(async () => popup.isClosed());
    await expectAccessible(page, 'a sign-in that is not strong enough');
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Stronger sign-in needed').waitFor();
    expect([statuses(), await label().inputValue()]).toEqual([[401], 'Trainee']);

    const strong = await inPopup('Save', async (opened) => {
      await opened.getByLabel('Stronger: gold').check();
      await signIn(/Ada Park/)(opened);
    });
    await saved('Trainee');
    await until(async () => strong.isClosed());
    expect([statuses(), await labelOf('employment-type', 'APPRENTICE')]).toEqual([[401, 401, 200], 'Trainee']);
  });

  test('is not sent as another person who signs in, and stays as it was typed until they continue', async () => {
    await fillHalf('employment-type', 'SEASONAL', 'Harvest');
    await inPopup('Save', signIn(/E-1002/));
    await page.getByRole('heading', { name: 'Another person signed in' }).waitFor();
    expect([statuses(), await label().inputValue()]).toEqual([[401], 'Harvest']);
    await page.getByRole('button', { name: 'Discard and continue as the other person' }).click();
    await page.getByText('You don’t have permission to manage lists.').waitFor();
  });
});
