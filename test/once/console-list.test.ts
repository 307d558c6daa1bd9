// The page of a list in a real browser: its contents, filters, renaming, changes to several values, and the preview of a day.
import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type GivenItem, paste, startConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

// Auditors may see the lists here, but not change them.
const at = sharedConsole(() => startConsole({ LOOKUP_PLAN_ROLES: 'AUDITOR' }));
let page: Page;

const positions: GivenItem[] = [
  { label: 'Accountant', labels: { de: 'Buchhalter', fr: 'Comptable' }, codes: { workday: 'JP-113' } },
  { label: 'Clerk', labels: { de: 'Sachbearbeiter' } },
  { label: 'Driver', validFrom: '2099-01-01', labels: { de: 'Fahrer', fr: 'Chauffeur' } },
  { label: 'Émigré adviser', value: 'ADVISER', validTo: '2099-02-01' },
  { label: 'Typist', value: 'TYPIST', retired: true },
];

async function openList(items: GivenItem[] = positions, settings = {}) {
  const list = await at.makeList(items, settings);
  page = await at.enter('E-1001', {}, `lists/${list}`);
  await page.getByRole('grid').waitFor();
  return list;
}

const row = (label: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: label }) });
const shownLabels = () => page.getByRole('rowheader').allInnerTexts();
const shows = (labels: string[]) => until(async () => JSON.stringify(await shownLabels()) === JSON.stringify(labels));
const toast = (text: string | RegExp) => page.getByRole('alertdialog').filter({ hasText: text });
const chip = (name: string | RegExp) => page.getByRole('radio', { name });
const search = () => page.getByRole('searchbox', { name: 'Search values' });
const focused = () => page.evaluate<string>("document.activeElement?.dataset.value ?? ''");

describe('a keyboard user keeps the place when the focused control disappears', () => {
  const press = (name: string | RegExp) => page.getByRole('button', { name }).press('Enter');
  const focusIsOn = (selector: string) => page.locator(`${selector}:focus`).waitFor();

  test('with the note that nothing was found, and with the bar of selected values', async () => {
    await openList();
    await search().fill('nothing like it');
    await press('Show all values');
    await shows(['Accountant', 'Clerk', 'Driver', 'Émigré adviser', 'Typist']);
    await focusIsOn('main [type=search]');
    await row('Clerk').getByRole('checkbox').check();
    await press('Clear selection');
    await focusIsOn('main *');
  });

  test('with the menu that opened a dialog', async () => {
    await openList();
    // The first time, the dialog's code is loaded late, after the menu has returned the focus.
    for (const _ of ['first', 'second']) {
      await page.getByRole('button', { name: 'Actions for Clerk' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Retire' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await focusIsOn('[aria-label="Actions for Clerk"]');
    }
  });

  test('with the row, when its value leaves the filter', async () => {
    await openList();
    await chip(/^Active 3$/).click();
    await page.getByRole('button', { name: 'Actions for Clerk' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Retire' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).press('Enter');
    await shows(['Accountant', 'Émigré adviser']);
    await focusIsOn('[role=grid] *');
    // F6 leads to the notification, whose button undoes the change and disappears.
    await page.keyboard.press('F6');
    await focusIsOn(':is(.toasts, .toasts *)');
  });

  test('with the last role of a list', async () => {
    const list = await openList(positions, { readers: ['HR'] });
    await page.goto(`${at.desk.url}/#/lists/${list}/settings`);
    await page.getByRole('button', { name: /^Remove.*HR/ }).press('Enter');
    await page.getByText('Everyone who can read lists').waitFor();
    await focusIsOn('main *');
  });
});

describe('what is shown', () => {
  test('each value with its label, value, status, translations and last change by name', async () => {
    await openList();
    await page.getByText('· Ada Park').first().waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining(['Label', 'Value', 'Status', 'Translations', 'Last change']),
    );
    const texts = async (label: string) => (await row(label).getByRole('gridcell').allInnerTexts()).filter(Boolean);
    expect((await texts('Accountant')).slice(0, 3)).toEqual(['ACCOUNTANT', 'Active', '2 of 2']);
    expect((await texts('Clerk')).slice(0, 3)).toEqual(['CLERK', 'Active', '1 of 2']);
    expect((await texts('Driver'))[1]).toBe('From 1 Jan 2099');
    expect((await texts('Émigré adviser'))[1]).toBe('Until 1 Feb 2099');
    expect((await texts('Typist'))[1]).toBe('Retired');
    expect((await texts('Clerk'))[3]).toMatch(/^\d\d:\d\d · Ada Park$/);
  });

  test('chips filter and count, and a search finds labels, values, translations and codes regardless of accents', async () => {
    await openList();
    await chip(/^Scheduled 1$/).click();
    await shows(['Driver']);
    await chip(/^Retired 1$/).click();
    await shows(['Typist']);
    await chip(/^Untranslated 2$/).click();
    await shows(['Clerk', 'Émigré adviser']);
    await chip(/^Active 3$/).click();
    await shows(['Accountant', 'Clerk', 'Émigré adviser']);
    await chip(/^All 5$/).click();
    await page.keyboard.press('/');
    for (const [text, found] of [
      ['emigre', 'Émigré adviser'],
      ['chauff', 'Driver'],
      ['jp-113', 'Accountant'],
      ['typist', 'Typist'],
    ] as const) {
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
      await shows([found]);
    }
    await page.keyboard.type(' nothing');
    await page.getByText('Nothing matches your search and filter.').waitFor();
    await expectAccessible(page, 'nothing found', 'all but contrast');
    await page.getByRole('button', { name: 'Show all values' }).click();
    await shows(['Accountant', 'Clerk', 'Driver', 'Émigré adviser', 'Typist']);
  });

  test('in a list without translations, the filter and the rows count the languages of the other lists', async () => {
    await at.makeList([{ label: 'Clerk', labels: { de: 'Sachbearbeiter', fr: 'Employé' } }]);
    await openList(['One', 'Two', { label: 'Three', retired: true }]);
    await chip(/^Untranslated 2$/).click();
    await shows(['One', 'Two']);
    expect((await row('One').getByRole('gridcell').allInnerTexts()).filter(Boolean)[2]).toBe('0 of 2');
  });

  test('a column header sorts, then sorts in reverse, then returns to list order; in sorted views, nothing can be moved', async () => {
    await openList(['Beta', 'Alpha', 'Gamma']);
    const header = page.getByRole('columnheader', { name: 'Label' });
    const sort = header.getByRole('button');
    await sort.click();
    await shows(['Alpha', 'Beta', 'Gamma']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await page.getByText('Values can only be moved in list order.').waitFor();
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0);
    await expectAccessible(page, 'sorted by label', 'all but contrast');
    await sort.click();
    await shows(['Gamma', 'Beta', 'Alpha']);
    await page.getByRole('button', { name: 'Show in list order' }).click();
    await shows(['Beta', 'Alpha', 'Gamma']);
    await page.getByRole('button', { name: /^Move Beta, position 1 of 3/ }).waitFor();
  });

  test('an empty list says what to do first, and an archived list says that it is archived', async () => {
    const empty = await at.makeList([]);
    page = await at.enter('E-1001', {}, `lists/${empty}`);
    await page.getByText('This list has no values yet').waitFor();
    await page.getByRole('link', { name: 'Import values' }).waitFor();
    await expectAccessible(page, 'an empty list', 'all but contrast');
    const archived = await at.makeList(['One'], { archived: true });
    await page.goto(`${at.desk.url}/#/lists/${archived}`);
    await page.getByText('This list is archived.').waitFor();
    await expectAccessible(page, 'an archived list');
  });

  test('people who may only read the list are offered no changes', async () => {
    const list = await at.makeList(positions);
    page = await at.enter('E-1006', {}, `lists/${list}`);
    await page.getByText('You can view this list.').waitFor();
    await shows(['Accountant', 'Clerk', 'Driver', 'Émigré adviser', 'Typist']);
    const grid = page.getByRole('grid');
    expect(await grid.getByRole('checkbox').count()).toBe(0);
    expect(await grid.getByRole('button', { name: /Move|Rename|Actions/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add value' }).count()).toBe(0);
    await row('Clerk').focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('textbox', { name: /New label/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await expectAccessible(page, 'a list that is read', 'all but contrast');
  });

  test('a colleague’s change appears, and the page says who made it', async () => {
    const list = await openList(['One', 'Two'], { keepers: ['MANAGER'] });
    await at.changeItem(list, 'TWO', { label: 'Second' }, 'E-1002');
    await toast('Samuel Okafor updated this list just now').waitFor();
    await shows(['One', 'Second']);
  });
});

describe('a value', () => {
  test('opens beside the list, which keeps its filter, its place and the focus', async () => {
    await openList(Array.from({ length: 60 }, (_, index) => `Role ${index}`));
    await search().fill('role');
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 2000);
    await row('Role 50').getByText('ROLE_50').click();
    await page.getByRole('dialog').waitFor();
    expect(page.url()).toEndWith('/values/ROLE_50');
    const scrolled = await page.evaluate<number>('scrollY');
    await page.getByRole('button', { name: 'Close' }).click();
    await until(async () => (await focused()) === 'ROLE_50');
    expect(await page.evaluate<number>('scrollY')).toBe(scrolled);
    expect(await search().inputValue()).toBe('role');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await until(async () => page.url().endsWith('/values/ROLE_49'));
  });

  test('is renamed in place by F2, by a double click and by the pencil', async () => {
    const list = await openList(['One', 'Two']);
    await row('One').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('First');
    await expectAccessible(page, 'renaming');
    await page.keyboard.press('Enter');
    await toast('Renamed One to First').waitFor();
    await until(async () => (await focused()) === 'ONE');
    expect(await at.labelsOf(list)).toEqual(['First', 'Two']);
    await page.getByText('Two', { exact: true }).dblclick();
    await page.getByRole('textbox', { name: 'New label for Two' }).fill('Second');
    await page.getByRole('button', { name: 'Save label' }).click();
    await toast('Renamed Two to Second').waitFor();
    await toast('Renamed Two to Second').getByRole('button', { name: 'Undo' }).click();
    await shows(['First', 'Two']);
    expect(await at.labelsOf(list)).toEqual(['First', 'Two']);
    await row('First').hover();
    await page.getByRole('button', { name: 'Rename First' }).click();
    await page.getByRole('textbox', { name: 'New label for First' }).fill('  ');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a label').waitFor();
    await page.route('**/items/ONE', (route) => route.abort());
    await page.getByRole('textbox', { name: 'New label for First' }).fill('Offline');
    await page.keyboard.press('Enter');
    await page.getByText('Frontdesk can’t be reached.').waitFor();
    expect(await page.getByRole('textbox', { name: 'New label for First' }).inputValue()).toBe('Offline');
    expect(page.url()).not.toContain('/values/');
    await page.unroute('**/items/ONE');
    await page.keyboard.press('Enter');
    await toast('Renamed First to Offline').waitFor();
  });

  test('is changed back by the undo key on the same page, but not on another page or behind a dialog', async () => {
    const other = await at.makeList(['Zero']);
    const list = await openList(['One', 'Two']);
    await row('One').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('First');
    await page.keyboard.press('Enter');
    // The pointer keeps the message open.
    await toast('Renamed One to First').hover();
    await paste(page, 'Three\nFour');
    await page.getByRole('checkbox', { name: 'Add Three' }).focus();
    await page.keyboard.press('Control+z');
    expect(await toast('Renamed One to First').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await toast('Renamed One to First').hover();
    await page.evaluate(`location.hash = '#/lists/${other}'`);
    await row('Zero').focus();
    await page.keyboard.press('Control+z');
    expect(await toast('Renamed One to First').count()).toBe(1);
    await page.evaluate(`location.hash = '#/lists/${list}'`);
    await row('First').focus();
    await page.keyboard.press('Control+z');
    await shows(['One', 'Two']);
    expect(await at.labelsOf(list)).toEqual(['One', 'Two']);
  });

  test('that was just added is taken back by the undo key in the empty field for the next one', async () => {
    const list = await openList(['One']);
    await page.getByRole('link', { name: 'Add value' }).click();
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await label.fill('Two');
    await page.keyboard.press('Enter');
    await toast('Two added').waitFor();
    await until(async () => (await label.inputValue()) === '');
    await page.keyboard.press('Control+z');
    await toast('Undone: Two added').waitFor();
    expect(await at.labelsOf(list)).toEqual(['One']);
    // If the user has just removed text from the field, Ctrl+Z makes the browser restore that text.
    await page.keyboard.type('Four');
    await page.keyboard.press('Enter');
    await toast('Four added').waitFor();
    await until(async () => (await label.inputValue()) === '');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+z');
    expect(await label.inputValue()).toBe('x');
    expect(await at.labelsOf(list)).toEqual(['One', 'Four']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('that was saved by Enter is changed back by the undo key in the same field, unless something was typed since', async () => {
    const list = await openList(['One', 'Two']);
    await page.evaluate(`location.hash = '#/lists/${list}/values/ONE'`);
    const label = page.getByRole('textbox', { name: 'Label', exact: true });
    await label.fill('Uno');
    await page.keyboard.press('Enter');
    await toast('Uno saved').waitFor();
    await page.keyboard.type('s');
    expect(await label.inputValue()).toBe('Unos');
    await page.keyboard.press('Control+z');
    await until(async () => (await label.inputValue()) === 'Uno');
    expect(await at.labelsOf(list)).toEqual(['Uno', 'Two']);
    await label.fill('Eins');
    await page.keyboard.press('Enter');
    await toast('Eins saved').waitFor();
    await page.keyboard.press('Control+z');
    await toast('Undone: Eins saved').waitFor();
    await until(async () => (await label.inputValue()) === 'Uno');
    expect(await at.labelsOf(list)).toEqual(['Uno', 'Two']);
  });

  test('is renamed to an existing label only after a confirmation', async () => {
    const list = await openList(['One', 'Two', { label: 'Three', retired: true }]);
    await row('One').focus();
    await page.keyboard.press('F2');
    const box = page.getByRole('textbox', { name: 'New label for One' });
    await box.fill('two');
    await page.keyboard.press('Enter');
    await page.getByText('This list already has “Two”. Forms would show both.').waitFor();
    await expectAccessible(page, 'a label that exists');
    // Neither Enter nor the button "Save label" confirms the warning.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save label' }).click();
    expect(await at.labelsOf(list)).toEqual(['One', 'Two']);
    await box.fill('Three');
    await page.keyboard.press('Enter');
    await page.getByText('This list already has “Three”, which is retired.').waitFor();
    await page.getByRole('link', { name: 'Open THREE' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(await box.inputValue()).toBe('Three');
    expect(await at.labelsOf(list)).toEqual(['One', 'Two']);
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await toast('Renamed One to Three').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Three', 'Two']);
    await row('Two').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('TWO');
    await page.keyboard.press('Enter');
    await toast('Renamed Two to TWO').waitFor();
  });

  test('keeps what is typed as its label through filters, a preview, a live change, its panel and Escape', async () => {
    const list = await openList(['One', 'Two', 'Three']);
    await row('Two').focus();
    await page.keyboard.press('F2');
    const box = page.getByRole('textbox', { name: /^New label for/ });
    await box.fill('Typed');
    await search().fill('three');
    await until(async () => (await page.getByRole('rowheader').count()) === 2);
    expect(await box.inputValue()).toBe('Typed');
    await search().fill('');
    await preview('2098-12-31');
    await page.getByRole('button', { name: 'End preview' }).click();
    expect(await box.inputValue()).toBe('Typed');
    await at.changeItem(list, 'ONE', { label: 'Changed' });
    await row('Changed').waitFor();
    expect(await box.inputValue()).toBe('Typed');
    await row('Three').getByText('THREE', { exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(await box.inputValue()).toBe('Typed');
    await box.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await box.inputValue()).toBe('Typed');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await box.inputValue()).toBe('Typed');
    await box.press('Enter');
    await toast('Renamed Two to Typed').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Changed', 'Typed', 'Three']);
  });

  test('has a menu: edit, rename, move, retire and restore', async () => {
    const list = await openList(['One', 'Two', 'Three']);
    const choose = async (label: string, choice: string) => {
      await page.getByRole('button', { name: `Actions for ${label}` }).click();
      await page.getByRole('menuitem', { name: choice, exact: true }).click();
    };
    await page.getByRole('button', { name: 'Actions for One' }).click();
    await page.getByRole('menu').waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Edit',
      'Rename',
      'Move up',
      'Move down',
      'Move to top',
      'Move to bottom',
      'Retire',
    ]);
    await page.keyboard.press('Escape');
    await choose('One', 'Move to bottom');
    await toast('Order saved').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Two', 'Three', 'One']);
    await choose('Three', 'Rename');
    await page.getByRole('textbox', { name: 'New label for Three' }).fill('Third');
    await page.keyboard.press('Enter');
    await row('Third').waitFor();
    await choose('Third', 'Retire');
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await until(async () => (await at.labelsOf(list)).join() === 'Two,One');
    await choose('Third', 'Restore');
    await toast('Third restored').waitFor();
    expect(await at.labelsOf(list)).toContain('Third');
    await choose('Two', 'Edit');
    await until(async () => page.url().endsWith('/values/TWO'));
  });
});

async function preview(day: string): Promise<void> {
  const [year = '', month = '', date = ''] = day.split('-');
  await page.getByRole('button', { name: 'Preview a day' }).click();
  await page.getByRole('spinbutton', { name: /^day/ }).click();
  await page.keyboard.type(date + month + year);
  await page.getByRole('button', { name: 'Show preview' }).click();
}

test('a day is previewed as forms would show it, and the preview can be left again', async () => {
  await openList();
  await preview('2099-01-01');
  await page.getByText('Preview for 1 Jan 2099').waitFor();
  await page.getByText('Forms would show 4 values on this day.').waitFor();
  expect(await page.locator('main').getByRole('listitem').allInnerTexts()).toHaveLength(4);
  expect(await page.getByRole('grid').count()).toBe(0);
  await expectAccessible(page, 'a preview');
  await page.getByRole('button', { name: 'End preview' }).click();
  await page.getByRole('grid').waitFor();
});

describe('several values', () => {
  const select = (label: string) => page.getByRole('checkbox', { name: `Select ${label}` }).click();
  const bar = () => page.getByRole('region', { name: 'Selected values' });

  test('are retired and restored as one change with one Undo', async () => {
    const list = await openList(['One', 'Two', 'Three', 'Four']);
    const { version } = await at.keptList(list);
    await select('One');
    await page.getByRole('checkbox', { name: 'Select Three' }).click({ modifiers: ['Shift'] });
    await bar().getByText('3 selected').waitFor();
    await bar().getByRole('button', { name: 'Retire' }).click();
    await toast('3 values retired').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Four']);
    expect((await at.keptList(list)).version).toBe(version + 1);
    await bar().waitFor({ state: 'detached' });
    await toast('3 values retired').getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await at.labelsOf(list)).length === 4);
    expect((await at.keptList(list)).version).toBe(version + 2);
  });

  test('get a first day, a last day and a tag', async () => {
    const list = await openList([{ label: 'One', tags: ['old'] }, 'Two', { label: 'Three', validTo: '2030-01-01' }]);
    const typeDay = async (choice: string, digits: string) => {
      await bar().getByRole('button', { name: choice }).click();
      await page.getByRole('spinbutton', { name: /^day/ }).click();
      await page.keyboard.type(digits);
      await page.getByRole('button', { name: /^Apply to/ }).click();
    };
    await page.getByRole('checkbox', { name: 'Select all shown values' }).click();
    await typeDay('Available from', '01062031');
    await page.getByText('The end date would be before the start date: Three').waitFor();
    await expectAccessible(page, 'days in the wrong order');
    // Escape does not discard what was typed.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('The end date would be before the start date: Three').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await select('Three');
    await typeDay('Available from', '01062031');
    await toast('Start date of 2 values changed').waitFor();
    await page.keyboard.press('Escape');
    await select('One');
    await bar().getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('textbox', { name: 'Tag' }).fill('two words');
    await page.keyboard.press('Enter');
    await page.getByText(/^Use letters, digits/).waitFor();
    await page.getByRole('textbox', { name: 'Tag' }).fill('office');
    await page.keyboard.press('Enter');
    await toast('Tag office added to One').waitFor();
    const { items } = await at.keptList(list);
    expect(items.map(({ validFrom }) => validFrom)).toEqual(['2031-06-01', '2031-06-01', null]);
    expect(items[0]?.tags).toEqual(['office', 'old']);
  });
});

describe('lines pasted onto the page', () => {
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const line = (what: string, number: number) => page.getByRole('textbox', { name: `${what}, line ${number}` });

  test('are checked and added as one change with one Undo; duplicates are left out', async () => {
    const list = await openList(['Porter', { label: 'Typist', retired: true }]);
    const { version } = await at.keptList(list);
    await paste(page, 'Label\tSince\nWelder\t2020\nporter\t2021\n\nMüller\t\nWelder\t2022\ntypist\t2023\n');
    await dialog('Add 2 values').waitFor();
    await page.getByText('Other columns are not used.').waitFor();
    expect(await page.locator('.pasted .badge').allInnerTexts()).toEqual([
      'Looks like a column heading',
      'Already in the list: PORTER',
      'Same as line 2',
      'Already in the list, retired: TYPIST',
    ]);
    await expectAccessible(page, 'pasted values');
    expect(await line('Value', 4).inputValue()).toBe('MUELLER');
    await line('Value', 4).fill('PORTER');
    await page.getByRole('button', { name: 'Add 2 values' }).click();
    await page.getByText('Already exists (may be retired)').waitFor();
    await until(async () => (await page.evaluate('document.activeElement.value')) === 'PORTER');
    await line('Value', 4).fill('miller');
    await page.getByRole('checkbox', { name: 'Add porter' }).click();
    // Escape does not discard what was pasted.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Add 3 values' }).click();
    await toast('3 values added').waitFor();
    expect((await at.keptList(list)).items.map(({ value, label }) => [value, label])).toEqual([
      ['PORTER', 'Porter'],
      ['TYPIST', 'Typist'],
      ['WELDER', 'Welder'],
      ['PORTER_2', 'porter'],
      ['MILLER', 'Müller'],
    ]);
    expect((await at.keptList(list)).version).toBe(version + 1);
    await toast('3 values added').getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await at.labelsOf(list)).join() === 'Porter');
  });

  test('of which a colleague adds some meanwhile: those are marked, and the others are saved', async () => {
    const list = await openList(['Porter']);
    await paste(page, 'Welder\nPlumber');
    await dialog('Add 2 values').waitFor();
    await at.apply({ [list]: { items: [{ value: 'WELDER', label: 'Welder', sortOrder: 20 }] } });
    await page.getByRole('button', { name: 'Add 1 value' }).click();
    await toast('Plumber added').waitFor();
    expect(await at.labelsOf(list)).toEqual(['Porter', 'Welder', 'Plumber']);
  });

  test('are refused if there are too many, and ignored in fields, in dialogs and in read-only lists', async () => {
    const list = await openList(['Porter']);
    await paste(page, Array.from({ length: 501 }, (_, index) => `Role ${index}`).join('\n'));
    await page.getByText('You can paste up to 500 values at once.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await search().focus();
    await paste(page, 'One\nTwo');
    await page.evaluate('document.activeElement.blur()');
    await paste(page, 'One line');
    expect(await page.getByRole('dialog').count()).toBe(0);
    page = await at.enter('E-1006', {}, `lists/${list}`);
    await shows(['Porter']);
    await paste(page, 'One\nTwo');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

test('by keyboard alone: values are selected, changed together, opened and closed again', async () => {
  const list = await openList(['One', 'Two', 'Three', 'Four']);
  await row('One').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Space');
  await page.getByText('2 selected').waitFor();
  const name = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
  for (let presses = 0; presses < 12 && (await name()) !== 'Retire'; presses++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await toast('2 values retired').waitFor();
  expect(await at.labelsOf(list)).toEqual(['Three', 'Four']);
  await row('Four').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await until(async () => (await focused()) === '');
  await page.keyboard.press('Escape');
  await until(async () => (await focused()) === 'FOUR');
  await page.keyboard.press('Control+A');
  await page.getByText('4 selected').waitFor();
  await page.keyboard.press('Escape');
  await until(async () => (await page.getByText('4 selected').count()) === 0);
});

test('on a phone rows have two lines, and columns are sorted by a dropdown', async () => {
  await openList(positions, { description: 'The positions of all employees, for every form that asks for one' });
  for (const [width, screen] of [
    [390, 844],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height: screen });
    await page.getByRole('columnheader').first().waitFor({ state: 'detached' });
    const { height = 0 } = (await row('Clerk').boundingBox()) ?? {};
    expect(height).toBe(64);
    // The head takes at most a quarter of the screen, and the first values are visible.
    const { y = 0, height: tabs = 0 } = (await page.getByRole('navigation', { name: /Sections/ }).boundingBox()) ?? {};
    expect(y + tabs).toBeLessThanOrEqual(screen / 4);
    const first = await row('Accountant').boundingBox();
    expect((first?.y ?? screen) + 64).toBeLessThan(screen / 2);
  }
  await page.getByRole('button', { name: /Sort by/ }).click();
  await page.getByRole('option', { name: 'Status' }).click();
  await shows(['Accountant', 'Clerk', 'Émigré adviser', 'Driver', 'Typist']);
});

test('from right to left, the left arrow leads to the next cell', async () => {
  await openList();
  await page.evaluate("document.documentElement.dir = 'rtl'");
  await row('Clerk').focus();
  await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate<string>("document.activeElement?.getAttribute('aria-label')")).toBe('Select Clerk');
  await page.evaluate("document.documentElement.dir = 'ltr'");
});
