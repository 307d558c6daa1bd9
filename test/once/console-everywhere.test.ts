// What holds on every page of the console, in each of its states and on every screen.
import { beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { startConsole } from '../support/console.ts';
import { type ConsoleState, consoleStates, goTo, keeper, openAs, prepareStates } from '../support/console-pages.ts';
import { unreachableControls } from '../support/keyboard.ts';
import { sharedConsole } from '../support/shared.ts';

const app = sharedConsole(startConsole);
beforeAll(() => prepareStates(app));

const people = [...new Set(consoleStates.map(({ person }) => person))];
const titles = new Map<string, string>();

/** Each state begins where the last one ended. */
async function inEachState(
  person: string | undefined,
  locale: string,
  check: (page: Page, state: ConsoleState) => Promise<void>,
): Promise<void> {
  // Signs in three times, so that there are other sessions to end.
  if (person !== undefined) for (let times = 0; times < 3; times++) await app.desk.signIn(person);
  const page = await openAs(app, person, { locale });
  for (const state of consoleStates.filter((each) => each.person === person)) {
    try {
      if (state.person !== undefined) await goTo(page, state);
      else await state.shows?.(page);
      await check(page, state);
      await state.leave?.(page);
    } catch (cause) {
      await page.screenshot({ path: `test/output/console/failed-${state.name}.png` });
      throw new Error(`in the state ${state.name}: ${cause}`, { cause });
    }
  }
}

async function expectInOrder(page: Page, state: string): Promise<void> {
  // An open menu moves shortly after the window is resized. The page's policy forbids `waitForFunction`, which needs eval.
  const excess = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  for (let tries = 0; tries < 100 && (await excess()) > 0; tries++) await Bun.sleep(20);
  expect([state, await excess()]).toEqual([state, 0]);
  expect([state, await page.locator('h1').count()]).toEqual([state, 1]);
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
/** The narrowest window with the navigation at the side. */
const tablet = { width: 769, height: 1024 };
/** 1280 × 1024 at a zoom of 400 %. */
const enlarged = { width: 320, height: 256 };

const everybody = people.map((person) => [person ?? 'nobody', person] as const);

test.each(everybody)(
  'nothing is inaccessible in light and dark, there is one main heading, and Tab reaches every control: %s',
  async (_, person) => {
    await inEachState(person, 'en-GB', async (page, state) => {
      await expectAccessible(page, state.name);
      await expectInOrder(page, state.name);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page, `${state.name}, dark`, 'contrast');
      await page.emulateMedia({ colorScheme: 'light' });
      expect([state.name, await unreachableControls(page)]).toEqual([state.name, []]);
      if (state.isPage) titles.set(state.name, await page.title());
    });
  },
);

// Tested in German, because German words are longer than English ones.
test.each(everybody)(
  'in German on a phone nothing is inaccessible, and nothing is wider than the window at any size or from right to left: %s',
  async (_, person) => {
    await inEachState(person, 'de-DE', async (page, state) => {
      for (const size of [desktop, tablet, enlarged, phone]) {
        await page.setViewportSize(size);
        await state.shows?.(page);
        await expectInOrder(page, `${state.name}, ${size.width} wide`);
      }
      await page.evaluate("document.documentElement.dir = 'rtl'");
      await expectInOrder(page, `${state.name}, from right to left`);
      await page.evaluate("document.documentElement.dir = 'ltr'");
      await expectAccessible(page, `${state.name}, phone`, 'all but contrast');
      await page.setViewportSize(desktop);
      await state.shows?.(page);
    });
  },
);

test('from right to left the page is mirrored', async () => {
  const page = await app.enter(keeper, { locale: 'ar' }, 'lists');
  const [navigation, main] = [page.getByRole('navigation', { name: 'Main' }), page.getByRole('main')];
  expect((await navigation.boundingBox())?.x).toBeGreaterThan(
    (await main.boundingBox())?.x ?? Number.POSITIVE_INFINITY,
  );
  await expectAccessible(page, 'ar', 'all but contrast');
});

test('each page has its own title', () => {
  const all = [...titles.values()];
  expect(all.filter((title, index) => all.indexOf(title) !== index)).toEqual([]);
  expect(all.length).toBeGreaterThan(12);
  for (const [name, title] of titles)
    expect([name, title]).toEqual([name, expect.stringMatching(/^\S.* – Frontdesk$/)]);
});

test('the first Tab offers to skip the navigation', async () => {
  const page = await app.enter('E-1001', {}, 'lists');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement.innerText')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
  // The link leaves the hash alone, because the hash names the open page.
  expect(new URL(page.url()).hash).toBe('#/lists');
  await page.keyboard.press('Tab');
  expect(await page.evaluate<boolean>("document.activeElement.closest('main') !== null")).toBe(true);
});
