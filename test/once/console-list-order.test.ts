// The order of a list's values in a real browser: moved by keyboard, mouse, finger and buttons; and long lists.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, pictures, startConsole } from '../support/console.ts';
import { until } from '../support/waiting.ts';

let at: Console;
let page: Page;

beforeAll(async () => {
  at = await startConsole();
});
afterAll(async () => {
  expect(at.seen).toEqual({ complaints: [], foreign: [] });
  await at.stop();
});
afterEach(() => at.leavePages());

async function openList(labels: string[] = ['One', 'Two', 'Three', 'Four'], options: BrowserContextOptions = {}) {
  const list = await at.makeList(labels);
  page = await at.enter('E-1001', options, `lists/${list}`);
  await page.getByRole('grid').waitFor();
  return list;
}

const handle = (label: string) => page.getByRole('button', { name: `Move ${label}, position` });
const toast = (text: string) => page.getByRole('alertdialog').filter({ hasText: text });
const said = (text: string) => page.getByRole('status').filter({ hasText: text });
const shownLabels = () => page.getByRole('rowheader').allInnerTexts();
const orderIs = (list: string, order: string) => until(async () => (await at.labelsOf(list)).join() === order);
const versionOf = async (list: string) => (await at.keptList(list)).version;

async function centreOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}

describe('a value is moved', () => {
  test('by the keyboard alone: picked up, moved, dropped, announced, one entry of the history, undone', async () => {
    const list = await openList();
    const version = await versionOf(list);
    await search();
    await tabTo('ONE');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await said('One picked up.').waitFor();
    await expectAccessible(page, 'a value is held');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await said('One: position 3 of 4').waitFor();
    expect(await at.labelsOf(list)).toEqual(['One', 'Two', 'Three', 'Four']);
    await page.keyboard.press('Space');
    await toast('Order saved').waitFor();
    await orderIs(list, 'Two,Three,One,Four');
    expect(await shownLabels()).toEqual(['Two', 'Three', 'One', 'Four']);
    expect(await versionOf(list)).toBe(version + 1);
    // The focus stays where the work is.
    expect(await page.evaluate<string>("document.activeElement?.getAttribute('aria-label')")).toStartWith('Move One,');
    await page.goto(`${at.desk.url}/#/lists/${list}/history`);
    await page.getByText('Order changed').first().waitFor();
    await toast('Order saved').getByRole('button', { name: 'Undo' }).click();
    await orderIs(list, 'One,Two,Three,Four');
  });

  test('and put back by Escape, or by leaving its handle', async () => {
    const list = await openList();
    const version = await versionOf(list);
    await handle('One').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await said('One: position 4 of 4').waitFor();
    await page.keyboard.press('Escape');
    await said('Move cancelled').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await until(async () => (await shownLabels()).join() === 'One,Two,Three,Four');
    expect(await versionOf(list)).toBe(version);
  });

  test('by the mouse', async () => {
    const list = await openList();
    const from = await centreOf(handle('Four'));
    const to = await centreOf(handle('Two'));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.screenshot({ path: `${pictures}/list-drag.png` });
    await page.mouse.up();
    await toast('Order saved').waitFor();
    await orderIs(list, 'One,Four,Two,Three');
    expect(page.url()).not.toContain('/values/');
  });

  test('by a finger on a phone', async () => {
    const list = await openList(undefined, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const from = await centreOf(handle('One'));
    const to = await centreOf(handle('Three'));
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: from.x, y }] });
    await send('touchStart', from.y);
    for (let step = 1; step <= 8; step++) await send('touchMove', from.y + ((to.y - from.y) * step) / 8);
    await send('touchEnd');
    await toast('Order saved').waitFor();
    await orderIs(list, 'Two,Three,One,Four');
    expect(await page.evaluate<number>('scrollY')).toBe(0);
  });

  test('by its buttons and by Alt with an arrow key: quick presses are one change', async () => {
    const list = await openList();
    const version = await versionOf(list);
    await page.getByRole('row').nth(1).hover();
    const down = page.getByRole('button', { name: 'Move One down' });
    await down.click();
    await down.click();
    await down.click();
    await page.keyboard.press('Alt+ArrowUp');
    await toast('Order saved').waitFor();
    await orderIs(list, 'Two,Three,One,Four');
    expect(await versionOf(list)).toBe(version + 1);
    expect(await toast('Order saved').count()).toBe(1);
  });

  test('and saved at once when the page is left', async () => {
    const list = await openList();
    await page.getByRole('row').nth(1).hover();
    await page.getByRole('button', { name: 'Move One down' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await orderIs(list, 'Two,One,Three,Four');
  });

  test('to the top of the whole list, also where a search shows a part of it', async () => {
    const list = await openList();
    await search('three');
    await until(async () => (await shownLabels()).join() === 'Three');
    await page.getByRole('button', { name: 'Actions for Three' }).click();
    await page.getByRole('menuitem', { name: 'Move to top' }).click();
    await said('Three: position 1 of 4').waitFor();
    await orderIs(list, 'Three,One,Two,Four');
  });

  test('together with the others that are selected', async () => {
    const list = await openList();
    await page.getByRole('checkbox', { name: 'Select One' }).click();
    await page.getByRole('checkbox', { name: 'Select Three' }).click();
    await handle('Three').focus();
    await page.keyboard.press('Space');
    await said('2 values picked up.').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await orderIs(list, 'Two,Four,One,Three');
  });

  test('while a colleague moves and renames another: both remain', async () => {
    const list = await openList();
    await handle('One').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await at.changeItem(list, 'FOUR', { sortOrder: 1, label: 'Fourth' });
    await page.getByRole('rowheader', { name: 'Fourth' }).waitFor();
    await page.keyboard.press('Space');
    await toast('Order saved').waitFor();
    await orderIs(list, 'Fourth,Two,One,Three');
  });

  test('but not after the service refuses it: the old order is shown, with a way to try again', async () => {
    const list = await openList();
    await page.route('**/order', (route) => route.abort());
    await handle('One').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await toast('Not saved').waitFor();
    await until(async () => (await shownLabels()).join() === 'One,Two,Three,Four');
    await page.unroute('**/order');
    await toast('Not saved').getByRole('button', { name: 'Retry' }).click();
    await orderIs(list, 'Two,One,Three,Four');
  });
});

/** From the search to the row that Tab leads to. */
async function tabTo(value: string): Promise<void> {
  const focused = () => page.evaluate<string>("document.activeElement?.dataset.value ?? ''");
  for (let presses = 0; presses < 15 && (await focused()) !== value; presses++) await page.keyboard.press('Tab');
  expect(await focused()).toBe(value);
}

async function search(text = ''): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search values' }).fill(text);
}

describe('a long list', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `Role ${index}`);
  const drawnRows = () => page.getByRole('row').count();

  /** Printed and not judged: other tests run beside this one. */
  async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    await work();
    process.stdout.write(`${what}: ${Math.round(performance.now() - begun)} ms\n`);
  }

  /** Until the browser has drawn what a key did; also the time that its main thread was busy, whatever else runs. */
  async function timedKey(what: string, key: string): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busyMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    await page.evaluate(`window.drawn = new Promise((resolve) => addEventListener('keydown', () => {
      const begun = performance.now();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
    }, { capture: true, once: true })); 0`);
    const before = await busyMs();
    await page.keyboard.press(key);
    const took = await page.evaluate<number>('window.drawn');
    process.stdout.write(`${what}: ${Math.round(took)} ms, busy ${Math.round((await busyMs()) - before)} ms\n`);
    await session.detach();
  }

  test('of 2,000 values opens, is searched, moved in by keyboard and mouse, and undone', async () => {
    const list = await at.makeList(many(2000));
    await timed('2,000 values, sign-in and first page', async () => {
      page = await at.enter('E-1001', {}, `lists/${list}`);
      await page.getByRole('rowheader', { name: 'Role 12', exact: true }).waitFor();
    });
    expect(await drawnRows()).toBeLessThan(80);
    await timed('search', async () => {
      await search('1999');
      await page.getByRole('rowheader', { name: 'Role 1999' }).waitFor();
    });
    await search();
    await page.getByRole('rowheader', { name: 'Role 12', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all shown values' }).click();
    await page.getByText('Select at most 1,000 values for one change.').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await handle('Role 0').focus();
    await timedKey('pick up', 'Space');
    for (let step = 1; step <= 5; step++) await timedKey(`step ${step}`, 'ArrowDown');
    await timedKey('ten rows further', 'PageDown');
    await timedKey('to the end', 'End');
    await said('Role 0: position 2,000 of 2,000').waitFor();
    await page.getByRole('rowheader', { name: 'Role 1999' }).waitFor();
    await timed('drop until saved', async () => {
      await page.keyboard.press('Space');
      await toast('Order saved').waitFor();
    });
    expect((await at.labelsOf(list)).at(-1)).toBe('Role 0');
    await timed('undo until saved', async () => {
      await toast('Order saved').first().getByRole('button', { name: 'Undo' }).click();
      await toast('Undone').waitFor();
    });
    await until(async () => (await at.labelsOf(list))[0] === 'Role 0');
    await page.evaluate('scrollTo(0, 0)');
    const [from, to] = [await centreOf(handle('Role 1')), await centreOf(handle('Role 8'))];
    await timed('by mouse until saved', async () => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 10 });
      await page.mouse.up();
      await until(async () => (await at.labelsOf(list)).indexOf('Role 1') === 8);
    });
  });

  test('of 10,000 values has only the rows in view in the document, also after scrolling', async () => {
    const labels = many(10_000);
    // A document has 256 KiB at most.
    const list = await at.makeList(labels.slice(0, 2500));
    for (let from = 2500; from < labels.length; from += 2500) {
      const items = labels.slice(from, from + 2500).map((label, index) => ({
        value: label.toUpperCase().replace(' ', '_'),
        label,
        sortOrder: (from + index + 1) * 10,
      }));
      await at.call('/admin/lookups/apply', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ lists: { [list]: { items } } }),
      });
    }
    await timed('10,000 values, sign-in and first page', async () => {
      page = await at.enter('E-1001', {}, `lists/${list}`);
      await page.getByRole('rowheader', { name: 'Role 12', exact: true }).waitFor();
    });
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    expect(await drawnRows()).toBeLessThan(80);
    await page.mouse.move(700, 500);
    await timed('scrolling by 20 windows', async () => {
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 800);
      await page.getByRole('rowheader', { name: 'Role 350', exact: true }).waitFor();
    });
    expect(await drawnRows()).toBeLessThan(80);
    await page.getByRole('rowheader', { name: 'Role 350', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await timedKey('to the last row', 'End');
    await page.getByRole('rowheader', { name: 'Role 9999', exact: true }).waitFor();
    expect(await drawnRows()).toBeLessThan(80);
    await expectAccessible(page, '10,000 values');
  });
});
