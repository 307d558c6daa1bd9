// The history of a list and its versions, in a real browser.
import { describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { keeper, keptByKeeper, planner, startConsoleWithPeople } from '../support/console-people.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const it = sharedConsole(startConsoleWithPeople);

const toast = (page: Page, text: string) => page.getByRole('alertdialog').filter({ hasText: text });
const entries = (page: Page) => page.getByRole('main').locator('ol > li');
const sentencesOf = (page: Page, index: number) => entries(page).nth(index).locator('ul > li').allTextContents();

const hasFocus = async (element: Locator) => (await element.and(element.page().locator(':focus')).count()) === 1;

const apply = (list: string, items: object[]) => it.apply({ [list]: { items } });

/** Five versions, each with a different kind of change. */
async function makeStory(title: string): Promise<string> {
  const list = await it.makeList(['Clerk', 'Porter', 'Guard'], { title, ...keptByKeeper });
  await it.changeItem(list, 'CLERK', { label: 'Senior clerk', reason: 'New pay scale' });
  await it.changeItem(list, 'PORTER', { labels: { de: 'Pförtner', ar: 'بواب' } }, keeper);
  await it.change(list, 'PUT', '/order', { values: ['GUARD', 'PORTER', 'CLERK'] });
  await it.change(list, 'POST', '/items/GUARD/retire', { replacedBy: 'PORTER' });
  await it.change(list, 'POST', '/items', { value: 'TYPIST', label: 'Typist', validFrom: '2030-02-01' });
  return list;
}

describe('the history', () => {
  test('says in sentences who did what, when and why', async () => {
    const list = await makeStory('Story');
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await entries(page).nth(5).waitFor();
    expect(await Promise.all([0, 1, 2, 3, 4, 5].map((index) => sentencesOf(page, index)))).toEqual([
      ['added Typist, available from 1 Feb 2030'],
      ['retired Guard, replaced by Porter'],
      ['changed the order'],
      ['translated Porter into Arabic: بواب', 'translated Porter into German: Pförtner'],
      ['renamed Clerk to Senior clerk'],
      ['created the list', 'added Clerk', 'added Porter', 'added Guard'],
    ]);
    const renamed = entries(page).nth(4);
    expect(await renamed.innerText()).toContain('Ada Park');
    expect(await renamed.innerText()).toContain('New pay scale');
    expect(await entries(page).nth(3).innerText()).toContain('Kim Keeper');
    // Texts that people wrote keep their direction.
    expect(await entries(page).nth(3).locator('bdi', { hasText: 'بواب' }).count()).toBe(1);
    expect(await page.getByText('Current', { exact: true }).count()).toBe(1);
    expect(await entries(page).nth(0).getByText('Current', { exact: true }).count()).toBe(1);
    expect(await page.getByRole('main').getByRole('link', { name: /^View/ }).allTextContents()).toEqual([
      'View Version 5',
      'View Version 4',
      'View Version 3',
      'View Version 2',
      'View Version 1',
    ]);
    expect(await page.title()).toBe('History of Story – Frontdesk');
  });

  test('grows as colleagues change the list', async () => {
    const list = await it.makeList(['One'], { title: 'Live' });
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await entries(page).first().waitFor();
    await it.changeItem(list, 'ONE', { label: 'First' });
    await entries(page).filter({ hasText: 'renamed One to First' }).getByText('Current').waitFor();
    expect(await entries(page).count()).toBe(2);
  });

  test('goes back to the first version by Show older', async () => {
    const list = await it.makeList(['One'], { title: 'Long story' });
    for (let count = 2; count <= 22; count++) await apply(list, [{ value: 'ONE', label: `Name ${count}` }]);
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await entries(page).nth(19).waitFor();
    expect(await entries(page).count()).toBe(20);
    await page.getByRole('button', { name: 'Show older' }).click();
    await page.getByText('created the list').waitFor();
    expect(await entries(page).count()).toBe(22);
    expect(await page.getByRole('button', { name: 'Show older' }).count()).toBe(0);
  });

  test('counts the changes of a large version, and names them on request', async () => {
    const list = await it.makeList(['One', 'Two', 'Three'], { title: 'Large' });
    const added = Array.from({ length: 12 }, (_, index) => ({ value: `N${index}`, label: `Night porter ${index}` }));
    const retired = ['ONE', 'TWO', 'THREE'].map((value) => ({ value, label: value, retired: true }));
    await apply(list, [...added, ...retired]);
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await page.getByText('12 values added, 3 retired').waitFor();
    expect((await sentencesOf(page, 0)).length).toBe(3);
    await page.getByRole('button', { name: /^Show \d+ more changes in version 2$/ }).click();
    await page.getByText('added Night porter 11', { exact: true }).waitFor();
    await expectAccessible(page, 'large version', 'all but contrast');
    await page.getByRole('button', { name: 'Show fewer in version 2' }).click();
    await until(async () => (await sentencesOf(page, 0)).length === 3);
  });

  test('loads the rest of a version that has more changes than one answer holds', async () => {
    const list = await it.makeList([], { title: 'Very large' });
    await apply(
      list,
      Array.from({ length: 1003 }, (_, index) => ({ value: `V${index}`, label: `Value ${index}` })),
    );
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await page.getByText('1,000 values added, and 3 more').waitFor();
    await page.getByRole('button', { name: 'Show 997 more changes in version 2' }).click();
    await page.getByRole('button', { name: 'Load 3 of 3 remaining changes in version 2' }).click();
    await page.getByText('1,003 values added', { exact: true }).waitFor();
    await page.getByText('added Value 1002', { exact: true }).waitFor();
  });
});

test('the history is filtered by value, person and day, in an address that survives a reload', async () => {
  const list = await makeStory('Filtered story');
  const page = await it.enter('E-1001', {}, `lists/${list}/history`);
  await entries(page).nth(5).waitFor();
  const filters = page.getByRole('form', { name: 'Filters' });
  await filters.getByRole('textbox', { name: 'Person' }).fill('keeper');
  await until(async () => (await entries(page).count()) === 1);
  expect(await entries(page).innerText()).toContain('Kim Keeper');
  await page.reload();
  await until(async () => (await entries(page).count()) === 1);
  expect(await filters.getByRole('textbox', { name: 'Person' }).inputValue()).toBe('keeper');
  await filters.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await until(async () => (await entries(page).count()) === 6);
  // The button is gone, so a screen reader would otherwise continue at the top of the page.
  await filters.locator('input:focus').waitFor();
  await filters.getByRole('combobox', { name: 'Value' }).fill('Guard');
  await page.getByRole('option', { name: /Guard/ }).click();
  await page.waitForURL(`**/#/lists/${list}/history?value=GUARD`);
  await until(async () => (await entries(page).count()) === 2);
  expect(await sentencesOf(page, 0)).toEqual(['retired Guard, replaced by Porter']);
  await expectAccessible(page, 'filtered history', 'all but contrast');
  await page.goto(`${it.desk.url}/#/lists/${list}/history?to=2020-01-01`);
  await page.getByText('No changes match these filters').waitFor();
});

describe('a change in the history', () => {
  const undoIn = (page: Page, index: number) =>
    entries(page)
      .nth(index)
      .getByRole('button', { name: /^Undo this/ });

  test('is undone on its own, keeping later changes of other values, and a key undoes that undo', async () => {
    const list = await makeStory('To undo');
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await entries(page).nth(5).waitFor();
    const found = await Promise.all([0, 1, 2, 3, 4, 5].map((index) => undoIn(page, index).count()));
    expect(found).toEqual([1, 1, 1, 1, 1, 0]);
    await undoIn(page, 4).click();
    await toast(page, 'Change in version 2 undone').waitFor();
    await entries(page).nth(6).waitFor();
    expect(await sentencesOf(page, 0)).toEqual(['renamed Senior clerk to Clerk']);
    await until(() => hasFocus(entries(page).first()));
    expect(await it.labelsOf(list)).toEqual(['Porter', 'Clerk']);
    // The entry now says which later change prevents another undo.
    const note = await entries(page).nth(5).locator('.later-change').innerText();
    expect(note).toMatch(
      /^Can’t be undone on its own\. You later changed the same values: renamed Senior clerk to Clerk/,
    );
    expect(await undoIn(page, 5).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await toast(page, 'Change in version 2 reapplied').waitFor();
    expect(await it.labelsOf(list)).toEqual(['Porter', 'Senior clerk']);
    await expectAccessible(page, 'history with undo', 'all but contrast');
  });

  test('that prevents an undo is named with its author, even if the person presses Undo in a toast', async () => {
    const list = await it.makeList(['Clerk'], { title: 'In the way', ...keptByKeeper });
    const page = await it.enter('E-1001', {}, `lists/${list}`);
    await page.context().route(/\/lookups\/changes/, (route) => route.abort());
    await page.getByText('Clerk', { exact: true }).dblclick();
    await page.getByRole('textbox', { name: 'New label for Clerk' }).fill('Senior clerk');
    await page.keyboard.press('Enter');
    await toast(page, 'Renamed Clerk to Senior clerk').waitFor();
    await it.changeItem(list, 'CLERK', { label: 'Office clerk' }, keeper);
    await toast(page, 'Renamed Clerk to Senior clerk').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Kim Keeper later changed the same values (renamed Senior clerk to Office clerk;').waitFor();
    await page.goto(`${it.desk.url}/#/lists/${list}/values/CLERK`);
    const panel = page.getByRole('dialog');
    await panel.getByText('renamed Senior clerk to Office clerk').waitFor();
    expect(await panel.getByRole('button', { name: /^Undo this change/ }).count()).toBe(1);
    await panel.getByRole('button', { name: 'Undo this change in version 3' }).click();
    await toast(page, 'Change in version 3 undone').waitFor();
    expect(await it.labelsOf(list)).toEqual(['Senior clerk']);
    await until(() => hasFocus(panel.locator('.value-history > li').first()));
    // In a text field, Ctrl+Z undoes what was typed, not the change.
    await panel.getByLabel('Label', { exact: true }).fill('Typed');
    await page.keyboard.press('Control+z');
    await toast(page, 'Change in version 3 undone').getByRole('button', { name: 'Undo' }).waitFor();
    expect((await it.keptList(list)).version).toBe(4);
  });
});

describe('a version', () => {
  const rowOf = (page: Page, label: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });

  test('shows what the list looked like, and what has changed since', async () => {
    const list = await makeStory('Then and now');
    await it.changeSettings(list, { title: 'Now', readers: ['HR'] });
    const page = await it.enter('E-1001', {}, `lists/${list}/history`);
    await page.getByRole('link', { name: 'View Version 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Version 1 of Then and now' }).waitFor();
    await page.getByText('Saved by Ada Park').waitFor();
    const headers = await page.getByRole('rowheader').allInnerTexts();
    expect(headers).toEqual(['Clerk', 'Porter', 'Guard', 'Typist']);
    expect(await rowOf(page, 'Clerk').innerText()).toMatch(/Changed[\s\S]*Label[\s\S]*Clerk[\s\S]*Senior clerk/);
    expect(await rowOf(page, 'Porter').innerText()).toMatch(/German.*[\s\S]*none[\s\S]*Pförtner/);
    expect(await rowOf(page, 'Guard').innerText()).toMatch(
      /Active[\s\S]*Retired[\s\S]*Replaced by[\s\S]*none[\s\S]*Porter/,
    );
    expect(await rowOf(page, 'Typist').innerText()).toMatch(/Not in the list yet[\s\S]*Added/);
    const settings = await page.locator('.settings-differences').innerText();
    expect(settings).toMatch(
      /Title[\s\S]*Then and now[\s\S]*Now[\s\S]*Who can read[\s\S]*everyone who can read lists[\s\S]*HR/,
    );
  });

  test('shows only the differences with a filter, and new differences as they arise', async () => {
    const list = await it.makeList(['Clerk', 'Porter'], { title: 'Filtered' });
    await it.changeItem(list, 'CLERK', { label: 'Senior clerk' });
    const page = await it.enter('E-1001', {}, `lists/${list}/history/1`);
    await page.getByRole('radio', { name: /^Changed since/ }).click();
    await rowOf(page, 'Porter').waitFor({ state: 'detached' });
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['Clerk']);
    await it.changeItem(list, 'PORTER', { label: 'Night porter' });
    await rowOf(page, 'Porter').waitFor();
  });

  test('is compared with any other version', async () => {
    const list = await makeStory('Compared');
    const page = await it.enter('E-1001', {}, `lists/${list}/history/1`);
    await rowOf(page, 'Typist').waitFor();
    await page.getByRole('button', { name: /Compare with/ }).click();
    await page.getByRole('option', { name: /^Version 3 · Kim Keeper/ }).click();
    await page.waitForURL(`**/#/lists/${list}/history/1?with=3`);
    await rowOf(page, 'Typist').waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'From version 1 to version 3' }).waitFor();
    expect(await rowOf(page, 'Clerk').innerText()).toMatch(/Changed[\s\S]*Clerk[\s\S]*Senior clerk/);
    expect(await rowOf(page, 'Guard').innerText()).not.toContain('Retired');
    await page.reload();
    await page.getByRole('radio', { name: /^Differences from version 3/ }).click();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['Clerk', 'Porter']);
    // Even when the page is opened from the newer version, it shows what changed from the older version to the newer one.
    await page.goto(`${it.desk.url}/#/lists/${list}/history/6?with=3`);
    await page.getByRole('columnheader', { name: 'From version 3 to version 6' }).waitFor();
    expect(await rowOf(page, 'Typist').innerText()).toMatch(/Added[\s\S]*Not in version 3/);
    expect(await rowOf(page, 'Guard').innerText()).toMatch(/Retired[\s\S]*Replaced by[\s\S]*none[\s\S]*Porter/);
    await page.getByRole('radio', { name: /^Differences from version 3.*2/ }).waitFor();
    await expectAccessible(page, 'two versions compared', 'all but contrast');
  });

  test('of a long list is rendered in parts', async () => {
    const list = await it.makeList([], { title: 'Long' });
    const labels = Array.from({ length: 410 }, (_, index) => `Value ${index}`);
    await apply(
      list,
      labels.map((label, index) => ({ value: `V${index}`, label, sortOrder: index })),
    );
    await it.changeItem(list, 'V409', { label: 'The last' });
    const page = await it.enter('E-1001', {}, `lists/${list}/history/2`);
    await rowOf(page, 'Value 0').waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(200);
    await page.getByRole('button', { name: 'Show 200 more values' }).click();
    await page.getByRole('button', { name: 'Show 10 more values' }).click();
    await rowOf(page, 'Value 409').getByText('The last').waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(labels);
  });

  test('is restored with a reason after the dialog has said what will change, and Undo takes that back', async () => {
    const list = await makeStory('To restore');
    const page = await it.enter('E-1001', {}, `lists/${list}/history/1`);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
    await dialog.getByText('retired Typist').waitFor();
    const told = await dialog.locator('ul > li').allTextContents();
    expect(told).toContain('renamed Senior clerk to Clerk');
    expect(told).toContain('restored Guard');
    expect(told).toContain('changed the order');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await it.keptList(list)).version).toBe(6);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.getByLabel('Reason (optional)').fill('It was a mistake');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await toast(page, 'Version 1 restored').waitFor();
    expect(await it.labelsOf(list)).toEqual(['Clerk', 'Porter', 'Guard']);
    await page.waitForURL(`**/#/lists/${list}/history`);
    await page.getByText('restored version 1').waitFor();
    await entries(page).first().getByText('It was a mistake').waitFor();
    await toast(page, 'Version 1 restored').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('restored version 6').waitFor();
    expect((await it.keptList(list)).items.find(({ value }) => value === 'CLERK')?.label).toBe('Senior clerk');
  });

  test("is not restored over a colleague's change that the dialog has not shown", async () => {
    const list = await it.makeList(['Clerk', 'Porter'], { title: 'Meanwhile' });
    await it.changeItem(list, 'CLERK', { label: 'Senior clerk' });
    const page = await it.enter('E-1001', {}, 'lists');
    // Without the stream, the page notices only when a request is refused.
    await page.context().route(/\/lookups\/changes/, (route) => route.abort());
    await page.goto(`${it.desk.url}/#/lists/${list}/history/1`);
    await page.reload();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
    await dialog.getByText('renamed Senior clerk to Clerk').waitFor();
    await it.changeItem(list, 'PORTER', { label: 'Night porter' });
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.getByText('This list changed while you were reading').waitFor();
    await dialog.getByText('renamed Night porter to Porter').waitFor();
    expect((await it.keptList(list)).items.map(({ label }) => label)).toEqual(['Senior clerk', 'Night porter']);
    await expectAccessible(page, 'restoring what has changed');
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await toast(page, 'Version 1 restored').waitFor();
    expect(await it.labelsOf(list)).toEqual(['Clerk', 'Porter']);
  });

  test('that is the current one cannot be restored, and one that does not exist is not found', async () => {
    const list = await it.makeList(['Clerk'], { title: 'Only one' });
    const page = await it.enter('E-1001', {}, `lists/${list}/history/1`);
    await page.getByText('This is the current version.').waitFor();
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
    await page.goto(`${it.desk.url}/#/lists/${list}/history/99`);
    await page.getByRole('alert').waitFor();
  });

  test('can be restored by keepers of the list, and only viewed by others', async () => {
    const list = await makeStory('For two');
    const theirs = await it.enter(keeper, {}, `lists/${list}/history/2`);
    await theirs.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = theirs.getByRole('dialog', { name: 'Restore version 2?' });
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await toast(theirs, 'Version 2 restored').waitFor();
    await entries(theirs).first().getByText('Kim Keeper').waitFor();
    const page = await it.enter(planner, {}, `lists/${list}/history/2`);
    await page.getByRole('rowheader', { name: 'Senior clerk' }).waitFor();
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
  });
});
