// What the console shows to people who have few rights to a list, or who lose a right while its pages are open.
import { beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { installClock } from '../support/browser-clock.ts';
import { keeper, keptByKeeper, planner, startConsoleWithPeople } from '../support/console-people.ts';
import { sharedConsole } from '../support/shared.ts';

const it = sharedConsole(startConsoleWithPeople);
// One list that the keeper can change throughout, whatever rights a test takes away.
beforeAll(() => it.makeList(['One'], keptByKeeper));

const label = (page: Page) => page.getByRole('textbox', { name: 'Label', exact: true });
const isLabel = (text: string) => async (page: Page) => (await label(page).inputValue()) === text;

async function chooseFile(page: Page): Promise<void> {
  const buffer = Buffer.from('Value,Label\nCLERK,Senior clerk\n');
  await page.locator('input[type=file]').first().setInputFiles({ name: 'grades.csv', mimeType: 'text/csv', buffer });
  await page.getByText('grades.csv').waitFor();
}

interface OpenPage {
  path: string;
  ready: (page: Page) => Promise<unknown>;
  stays?: (page: Page) => Promise<boolean>;
  /** True if nothing is typed on this page, so that leaving it asks no question. */
  isUntyped?: boolean;
}
const openPages: OpenPage[] = [
  { path: '', ready: (page) => page.getByRole('link', { name: 'Add value' }).waitFor() },
  { path: '/values/CLERK', ready: (page) => label(page).fill('Officer'), stays: isLabel('Officer') },
  { path: '/new', ready: (page) => label(page).fill('Half a'), stays: isLabel('Half a') },
  {
    path: '/translations',
    ready: (page) => page.getByRole('grid').waitFor(),
  },
  {
    path: '/import',
    ready: chooseFile,
    stays: async (page) => (await page.getByText('grades.csv').count()) > 0,
    isUntyped: true,
  },
  { path: '/history', ready: (page) => page.getByText('Added Clerk').waitFor() },
  { path: '/history/1', ready: (page) => page.getByText('PORTER', { exact: true }).waitFor() },
  {
    path: '/settings',
    ready: (page) => page.getByRole('textbox', { name: 'Title' }).fill('Ranks'),
    stays: async (page) => (await page.getByRole('textbox', { name: 'Title' }).inputValue()) === 'Ranks',
  },
];

/** Discards what was typed, so that the page can be used again. */
async function discard(page: Page): Promise<void> {
  await page.evaluate("location.hash = '#/'");
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
}

test.each(openPages)(
  'if the list is archived or the person loses access while …$path is open, it says so and keeps what was typed',
  async ({ path, ready, stays, isUntyped = false }) => {
    const list = await it.makeList([{ label: 'Clerk', labels: { de: 'Kraft' } }, 'Porter'], keptByKeeper);
    const page = await it.enter(keeper, {}, `lists/${list}${path}`);
    await ready(page);
    await it.changeSettings(list, { archived: true });
    await page.getByText('This list is archived.').last().waitFor();
    if (stays !== undefined) expect(await stays(page)).toBe(true);
    await it.changeSettings(list, { archived: false });
    await page.getByText('This list is archived.').first().waitFor({ state: 'detached' });
    await it.changeSettings(list, { keepers: ['OTHERS'] });
    await page.getByText('You no longer have access to this list.').last().waitFor();
    if (path === '') await expectAccessible(page, 'lost access');
    if (stays === undefined) return;
    expect(await stays(page)).toBe(true);
    if (!isUntyped) await discard(page);
  },
);

test('a renewal that takes rights away keeps what was typed, even if the list can no longer be read', async () => {
  const list = await it.makeList(['Clerk', 'Porter'], keptByKeeper);
  const page = await it.open();
  const passHere = await installClock(page.context());
  await page.context().addCookies(await it.desk.signInCookies(keeper));
  await page.goto(`${it.desk.url}/#/lists/${list}/values/CLERK`);
  await label(page).fill('Officer');
  /** Makes the page renew its session. From then on, its requests get these answers. */
  async function renewWith(permissions: object, answers: Record<string, { status?: number; json: object }>) {
    const json = { seeLists: true, createLists: false, readAudit: false, ...permissions };
    await page.route('**/admin/permissions', (route) => route.fulfill({ json }));
    for (const [path, answer] of Object.entries(answers)) await page.route(path, (route) => route.fulfill(answer));
    await passHere(24 * 3600);
    await page.evaluate("window.dispatchEvent(new PointerEvent('pointerdown'))");
  }
  // The renewed session has other roles, which let the person read the audit but change no list.
  await renewWith({ readAudit: true }, { '**/admin/lookups': { json: [] } });
  await page.getByText('You can no longer change this list.').waitFor();
  expect(await label(page).inputValue()).toBe('Officer');
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  const json = { type: 'problems/forbidden', title: 'No permission', status: 403, detail: 'None.' };
  const forbidden = { status: 403, json };
  await renewWith({ seeLists: false }, { '**/admin/lookups': forbidden, [`**/admin/lookups/${list}`]: forbidden });
  await page.getByText('You no longer have access to this list.').last().waitFor();
  expect(await label(page).inputValue()).toBe('Officer');
});

test('signing out asks before it discards what was typed', async () => {
  const list = await it.makeList(['Clerk']);
  const page = await it.enter('E-1001', {}, `lists/${list}/settings`);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Ranks');
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
  await signOut.click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  expect(await title.inputValue()).toBe('Ranks');
  // The session is still open.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved').waitFor();
  await title.fill('Orders');
  await signOut.click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('without the right to change translations, no hint says how to', async () => {
  const list = await it.makeList([{ label: 'Clerk', labels: { de: 'Kraft' } }]);
  const page = await it.enter(planner, {}, `lists/${list}/translations`);
  await page.getByText('Arrow keys move').waitFor();
  expect(await page.getByText('Type to replace').count()).toBe(0);
});

test('people who may change no list find no link to the import', async () => {
  const page = await it.enter(planner);
  await page.getByRole('heading', { name: 'Recently changed' }).waitFor();
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
  const other = await it.enter(keeper);
  await other.getByRole('link', { name: 'Import' }).waitFor();
});

test('a failed change can be retried if that can help, but not if it would be refused again', async () => {
  const list = await it.makeList(['One', 'Two']);
  const page = await it.enter('E-1001', {}, `lists/${list}`);
  const hasRetry = async (status: number, problem: string) => {
    const body = JSON.stringify({ type: `problems/${problem}`, title: 'Told', status, detail: 'Told so.' });
    await page.route('**/order', (route) => route.fulfill({ status, contentType: 'application/problem+json', body }));
    await page.getByRole('button', { name: 'Move One down' }).click();
    const toast = page.getByRole('alertdialog').filter({ hasText: 'Not saved' });
    await toast.waitFor();
    const retries = await toast.getByRole('button', { name: 'Retry' }).count();
    await toast.getByRole('button', { name: 'Close' }).click();
    await toast.waitFor({ state: 'detached' });
    return retries === 1;
  };
  expect([await hasRetry(503, 'busy'), await hasRetry(403, 'forbidden')]).toEqual([true, false]);
});
