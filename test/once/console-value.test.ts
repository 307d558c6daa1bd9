// The side panel of a value in a real browser: every field, saving, conflicts, and that nothing typed is ever lost.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, type GivenItem, pictures, startConsole } from '../support/console.ts';
import { until } from '../support/frontdesk.ts';

let at: Console;
let page: Page;

beforeAll(async () => {
  at = await startConsole();
}, 300_000);
afterAll(() => at?.stop());
afterEach(() => page?.context().close());

const clerk = {
  label: 'Clerk',
  labels: { de: 'Kraft' },
  codes: { workday: 'JP-1' },
  tags: ['office'],
  parents: {},
};

/** A list of its own with these items, and the panel of its first value over it. */
async function openValue(items: GivenItem[] = [clerk, 'Porter'], options: BrowserContextOptions = {}): Promise<string> {
  const list = await at.makeList(items);
  const [item] = (await at.keptList(list)).items;
  page = await at.enter('E-1001', options, `lists/${list}/values/${item?.value}`);
  await panel().waitFor();
  return list;
}

async function openNew(items: GivenItem[] = ['Porter'], options: BrowserContextOptions = {}): Promise<string> {
  const list = await at.makeList(items);
  page = await at.enter('E-1001', options, `lists/${list}/new`);
  await panel().waitFor();
  return list;
}

const panel = () => page.getByRole('dialog').first();
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const toast = (text: string) => page.getByRole('alertdialog').filter({ hasText: text });

describe('a value', () => {
  test('is edited field by field, and only what differs is sent', async () => {
    const list = await openValue();
    await expectAccessible(page, 'a value');
    await page.screenshot({ path: `${pictures}/value.png` });
    await field('Label').fill('Senior clerk');
    await field('German').fill('Fachkraft');
    await button('Save').click();
    await toast('Senior clerk saved').waitFor();
    expect((await at.keptList(list)).items[0]).toMatchObject({ label: 'Senior clerk', labels: { de: 'Fachkraft' } });
  });
});

void [openNew, until];
