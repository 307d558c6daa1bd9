// What holds on every page of the console and in each of its states, however it is looked at.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, startConsole } from '../support/console.ts';
import { type ConsoleState, consoleStates, goTo, openAs, prepareStates } from '../support/console-pages.ts';
import { unreachableControls } from '../support/keyboard.ts';

let app: Console;
beforeAll(async () => {
  app = await startConsole();
  await prepareStates(app);
}, 300_000);
afterAll(() => app?.stop());
afterEach(() => app.leavePages());

const people = [...new Set(consoleStates.map(({ person }) => person))];
const statesOf = (person: string | undefined) => consoleStates.filter((state) => state.person === person);

const looks: [string, BrowserContextOptions][] = [
  ['desktop', {}],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ['dark', { colorScheme: 'dark' }],
  ['from right to left', { locale: 'ar' }],
  // 1280 × 1024 enlarged four times.
  ['at 400 %', { viewport: { width: 320, height: 256 } }],
  ['German', { locale: 'de-DE' }],
];

/** The same page for all of a person's states: each begins where the last one was left. */
async function inEachState(
  person: string | undefined,
  options: BrowserContextOptions,
  check: (page: Page, state: ConsoleState) => Promise<void>,
  states = statesOf(person),
): Promise<void> {
  // So that there is something to end.
  if (person !== undefined) for (let times = 0; times < 3; times++) await app.desk.signIn(person);
  const page = await openAs(app, person, options);
  for (const state of states) {
    try {
      if (state.person !== undefined) await goTo(page, state);
      else await state.shows?.(page);
      await check(page, state);
      await state.leave?.(page);
    } catch (cause) {
      await page.screenshot({ path: `test/output/console/failed-${state.name}.png` }).catch(() => {});
      throw new Error(`in the state ${state.name}: ${cause}`, { cause });
    }
  }
}

describe.each(looks)('%s', (look, options) => {
  test.each(people.map((person) => [person ?? 'nobody', person] as const))(
    'nothing is inaccessible or wider than the window, and there is one main heading: %s',
    async (_, person) => {
      await inEachState(person, options, async (page, { name }) => {
        await expectAccessible(page, `${name}, ${look}`);
        const [width, window] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
        expect([name, (width ?? 0) - (window ?? 0)]).toEqual([name, 0]);
        expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
      });
    },
    300_000,
  );
});

test('from right to left the page is mirrored', async () => {
  const page = await app.enter('E-1001', { locale: 'ar' }, 'lists');
  const [navigation, main] = [page.getByRole('navigation', { name: 'Main' }), page.getByRole('main')];
  expect((await navigation.boundingBox())?.x).toBeGreaterThan(
    (await main.boundingBox())?.x ?? Number.POSITIVE_INFINITY,
  );
}, 60_000);

test('each page has a title of its own', async () => {
  const titles = new Map<string, string>();
  const pages = consoleStates.filter(({ isPage }) => isPage);
  for (const person of people) {
    const states = pages.filter((state) => state.person === person);
    await inEachState(person, {}, async (page, { name }) => void titles.set(name, await page.title()), states);
  }
  const all = [...titles.values()];
  expect(all.filter((title, index) => all.indexOf(title) !== index)).toEqual([]);
  expect(all.length).toBeGreaterThan(12);
  for (const [name, title] of titles)
    expect([name, title]).toEqual([name, expect.stringMatching(/^\S.* – Frontdesk$/)]);
}, 180_000);

test.each(people.map((person) => [person ?? 'nobody', person] as const))(
  'every control is reached with the Tab key: %s',
  async (_, person) => {
    await inEachState(person, {}, async (page, { name }) => {
      expect([name, await unreachableControls(page)]).toEqual([name, []]);
    });
  },
  300_000,
);

test('the first Tab offers to skip the navigation', async () => {
  const page = await app.enter('E-1001', {}, 'lists');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
  // The page stays the same: its address names it.
  expect(new URL(page.url()).hash).toBe('#/lists');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<boolean>("document.activeElement.closest('main') !== null")).toBe(true);
}, 60_000);

test('no page logged an error, and nothing was requested from other hosts', () => {
  expect(app.seen).toEqual({ complaints: [], foreign: [] });
});
