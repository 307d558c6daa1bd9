// What people see who may do little with a list, or lose a right while its pages are open.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, pictures } from '../support/console.ts';
import { startConsoleWithPeople } from '../support/console-people.ts';

let it: Console;
const [keeper, planner] = ['E-2001', 'E-2002'];
const keptByKeeper = { keepers: ['KEEPS GRADES'] };

beforeAll(async () => {
  it = await startConsoleWithPeople();
  // One that the keeper has in any case.
  await it.makeList(['One'], keptByKeeper);
}, 300_000);
afterAll(async () => {
  expect(it.seen).toEqual({ complaints: [], foreign: [] });
  await it.stop();
});

async function changeSettings(list: string, changes: object): Promise<void> {
  const { version } = await it.keptList(list);
  const headers = { 'content-type': 'application/json', 'if-match': `"${version}"` };
  await it.call(`/admin/lookups/${list}`, { method: 'PATCH', headers, body: JSON.stringify(changes) });
}

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
}
const openPages: OpenPage[] = [
  { path: '', ready: (page) => page.getByRole('link', { name: 'Add a value' }).waitFor() },
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
  },
  { path: '/history', ready: (page) => page.getByText('Added Clerk').waitFor() },
  { path: '/history/1', ready: (page) => page.getByText('PORTER', { exact: true }).waitFor() },
  {
    path: '/settings',
    ready: (page) => page.getByRole('textbox', { name: 'Title' }).fill('Ranks'),
    stays: async (page) => (await page.getByRole('textbox', { name: 'Title' }).inputValue()) === 'Ranks',
  },
];

describe.each(openPages)('while …$path is open', ({ path, ready, stays = async () => true }) => {
  async function open(): Promise<{ list: string; page: Page }> {
    const list = await it.makeList([{ label: 'Clerk', labels: { de: 'Kraft' } }, 'Porter'], keptByKeeper);
    const page = await it.enter(keeper, {}, `lists/${list}${path}`);
    await ready(page);
    return { list, page };
  }

  test('and the person loses their access, it says so and keeps what was typed', async () => {
    const { list, page } = await open();
    await changeSettings(list, { keepers: ['OTHERS'] });
    await page.getByText('You no longer have access to this list.').last().waitFor();
    expect(await stays(page)).toBe(true);
    await expectAccessible(page, `lost access${path}`);
    await page.screenshot({ path: `${pictures}/lost-access${path.replaceAll('/', '-')}.png` });
    await page.context().close();
  });

  test('and the list is archived, it says so and keeps what was typed', async () => {
    const { list, page } = await open();
    await changeSettings(list, { archived: true });
    await page.getByText('This list is archived.').last().waitFor();
    expect(await stays(page)).toBe(true);
    await page.context().close();
  });
});

test('who may change no list is not led to the import', async () => {
  const page = await it.enter(planner);
  await page.getByRole('heading', { name: 'Recently changed' }).waitFor();
  expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
  await page.context().close();
  const other = await it.enter(keeper);
  await other.getByRole('link', { name: 'Import' }).waitFor();
  await other.context().close();
});

describe('a change that fails', () => {
  const failsWith = async (status: number, problem: string) => {
    const list = await it.makeList(['One', 'Two']);
    const page = await it.enter('E-1001', {}, `lists/${list}`);
    const body = JSON.stringify({ type: `problems/${problem}`, title: 'Told', status, detail: 'Told so.' });
    await page.route('**/order', (route) => route.fulfill({ status, contentType: 'application/problem+json', body }));
    await page.getByRole('button', { name: 'Move One down' }).click();
    const toast = page.getByRole('alertdialog').filter({ hasText: 'Not saved' });
    await toast.waitFor();
    const hasRetry = (await toast.getByRole('button', { name: 'Retry' }).count()) === 1;
    await page.context().close();
    return hasRetry;
  };

  test('can be tried again where that can help', async () => expect(await failsWith(503, 'busy')).toBe(true));
  test('cannot where it would be refused again', async () => expect(await failsWith(403, 'forbidden')).toBe(false));
});
