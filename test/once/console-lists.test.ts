// The page of all lists, new lists, and the settings of a list, in a real browser.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { standardLists } from '../../src/lookup/rules/list.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { keeper, keptByKeeper, planner, startConsoleWithPeople } from '../support/console-people.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const it = sharedConsole(startConsoleWithPeople);

const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search lists and values' });
const toast = (page: Page, text: string) => page.getByRole('alertdialog').filter({ hasText: text });
const settingsOf = async (list: string) =>
  (await (await it.call(`/admin/lookups/${list}`)).json()) as Record<string, unknown>;

describe('the lists', () => {
  test('are in a table that shows how many values each has, how much is translated, and who changed it last', async () => {
    await it.makeList(
      [
        { label: 'Clerk', labels: { de: 'Kraft', fr: 'Commis' } },
        { label: 'Porter', labels: { de: 'Pförtner' } },
        { label: 'Guard', validFrom: '2090-01-01' },
        { label: 'Typist', retired: true },
      ],
      { title: 'Figures', description: 'What the figures are of' },
    );
    const page = await it.enter('E-1001', {}, 'lists');
    const row = rowOf(page, 'Figures');
    await row.waitFor();
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 4).map((text) => text.trim())).toEqual(['3', '1', '1', '50%']);
    expect(cells[4]).toContain('Ada Park');
    expect(await row.getByRole('rowheader').innerText()).toContain('What the figures are of');
    expect(await page.getByText('the share of labels translated into the list’s languages').isVisible()).toBe(true);
    await row.getByRole('link', { name: 'Figures' }).click();
    await page.getByRole('heading', { level: 1, name: 'Figures' }).waitFor();
  });

  test('that are archived are shown by a filter', async () => {
    await it.makeList(['One'], { title: 'Put away', archived: true });
    const page = await it.enter('E-1001', {}, 'lists');
    await rowOf(page, 'Employment type').waitFor();
    expect(await rowOf(page, 'Put away').count()).toBe(0);
    await page.getByRole('radio', { name: /^Archived/ }).click();
    await rowOf(page, 'Put away').waitFor();
    expect(await rowOf(page, 'Employment type').count()).toBe(0);
    await expectAccessible(page, 'archived lists', 'all but contrast');
  });

  test('are only those that the person may see, with New list only for people who may create one', async () => {
    await it.makeList(['One'], { title: 'Kept by Kim', ...keptByKeeper });
    const page = await it.enter(keeper, {}, 'lists');
    await rowOf(page, 'Kept by Kim').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'New list' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(1);
    const other = await it.enter(planner, {}, 'lists');
    await rowOf(other, 'Kept by Kim').getByText('Read-only').waitFor();
    expect(await other.getByRole('link', { name: 'Import' }).count()).toBe(0);
  });

  test('appear as colleagues create them', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    await rowOf(page, 'Employment type').waitFor();
    await it.makeList(['One'], { title: 'Brand new' });
    await rowOf(page, 'Brand new').waitFor();
  });
});

describe('a new list', () => {
  test('gets a name from its title in any script, and opens', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    await page.getByRole('button', { name: 'New list' }).click();
    const dialog = page.getByRole('dialog', { name: 'New list' });
    await dialog.getByLabel('Title').fill('Müßige Œuvres 2030');
    await until(async () => (await dialog.getByLabel('Name').inputValue()) === 'muessige-oeuvres-2030');
    expect(await dialog.getByText('Can’t be changed later').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Müßige Œuvres 2030' }).waitFor();
    await toast(page, 'List created').waitFor();
    expect(await settingsOf('muessige-oeuvres-2030')).toMatchObject({ title: 'Müßige Œuvres 2030', items: [] });
    await toast(page, 'List created').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This list is archived.').waitFor();
    expect(await settingsOf('muessige-oeuvres-2030')).toMatchObject({ archived: true });
  });

  test('says what is missing or taken, and Escape discards nothing typed', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    await rowOf(page, 'Employment type').waitFor();
    await page.getByRole('button', { name: 'New list' }).click();
    const dialog = page.getByRole('dialog', { name: 'New list' });
    await dialog.getByRole('button', { name: 'Create list' }).click();
    await until(async () => (await dialog.getByText('Required', { exact: true }).count()) === 2);
    await dialog.getByLabel('Title').fill('Position');
    await until(async () => (await dialog.getByLabel('Name').inputValue()) === 'position-2');
    await dialog.getByLabel('Name').fill('position');
    await dialog.getByText('There is already a list with this name').waitFor();
    await dialog.getByLabel('Name').fill('No name');
    await dialog.getByText('Use lower-case letters').waitFor();
    await expectAccessible(page, 'new list with faults');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Position');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('the search', () => {
  let list: string;
  beforeAll(async () => {
    const items = [{ label: 'Night janitor', labels: { de: 'Nachthausmeister' } }, 'Day janitor'];
    list = await it.makeList(items, { title: 'Janitors' });
  });

  test('finds lists and values, and the keyboard alone opens a value', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    await search(page).focus();
    await page.keyboard.type('janitor');
    const options = page.getByRole('listbox');
    await options.getByRole('option', { name: /Night janitor/ }).waitFor();
    expect(await options.getByRole('group').evaluateAll((groups) => groups.length)).toBe(2);
    expect(await options.getByRole('group', { name: 'Lists' }).getByRole('option').allInnerTexts()).toEqual([
      'Janitors',
    ]);
    await expectAccessible(page, 'search');
    const chosen = page.locator('[role=option][data-focused]');
    // The first result is already selected.
    await until(async () => (await chosen.allInnerTexts()).join() === 'Janitors');
    await page.keyboard.press('ArrowDown');
    await chosen.filter({ hasText: 'Night janitor' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/lists/${list}/values/NIGHT_JANITOR`);
  });

  test('opens the first result on Enter, even before the answer has arrived, and says what matched, or that nothing did', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    await search(page).focus();
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing found').waitFor();
    await search(page).fill('');
    await page.keyboard.type('nachth');
    await page.getByRole('option', { name: /Night janitor.*Nachthausmeister.*in Janitors/s }).waitFor();
    await search(page).fill('');
    await page.keyboard.type('nachthausmeister');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/values/NIGHT_JANITOR');
  });
});

describe('Ctrl+K', () => {
  const goTo = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to…' }).waitFor();
    await page.keyboard.type(text);
  };

  /** Opens a page on which the dialog has not been loaded yet. Its file arrives after `release` is called. */
  async function enterWithoutDialog() {
    // A new page, because a page that another test used has loaded the dialog.
    const page = await it.enter('E-1001', { colorScheme: 'light' }, 'profile');
    const held = Promise.withResolvers<void>();
    await page.route('**/console/part-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    const field = page.getByRole('dialog', { name: 'Go to…' }).getByRole('combobox');
    return { page, field, release: held.resolve };
  }

  test('loses no text that is typed while its dialog is being loaded', async () => {
    const { page, field, release } = await enterWithoutDialog();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('empl?');
    release();
    await field.waitFor();
    expect(await field.inputValue()).toBe('empl?');
    await page.keyboard.type(' x');
    expect(await field.inputValue()).toBe('empl? x');
  });

  test('opens no dialog if Escape is pressed while it is being loaded', async () => {
    const { page, field, release } = await enterWithoutDialog();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('empl');
    await page.keyboard.press('Escape');
    // This key opens another dialog. It would be text to search for if "Go to" were still being loaded.
    await page.keyboard.type('?');
    release();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await field.count()).toBe(0);
  });

  test('goes from any page to a value, a list or a page, and adds a value, by the keyboard alone', async () => {
    const list = await it.makeList(['Harbour pilot', 'Purser'], { title: 'Ranks at sea' });
    const page = await it.enter('E-1001', {}, 'profile');
    // Enter waits until values are found, because no list or page has this name.
    await goTo(page, 'harbour');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Harbour pilot' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe(`#/lists/${list}/values/HARBOUR_PILOT`);

    await goTo(page, 'add ranks');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New value' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe(`#/lists/${list}/new`);

    // The page asks before it discards what was typed.
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Bosun');
    await goTo(page, 'preview');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preview form' }).waitFor();

    await goTo(page, 'ranks');
    await page.getByRole('option', { name: 'Ranks at sea', exact: true }).waitFor();
    await expectAccessible(page, 'go to', 'all but contrast');
    const combobox = page.getByRole('combobox', { name: 'Go to a list, value or page' });
    const activeText = async () => {
      const id = await combobox.getAttribute('aria-activedescendant');
      return id && page.locator(`[id="${id}"]`).innerText();
    };
    await page.getByRole('status').filter({ hasText: 'Enter opens Ranks at sea' }).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowDown');
    await until(async () => (await activeText()) === 'Ranks at sea');
    await page.keyboard.press('ArrowDown');
    await until(async () => (await activeText()) === 'Add a value to Ranks at sea');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Preview form');
  });

  test('offers nothing that the person may not do', async () => {
    await it.makeList(['One'], { title: 'Ranks ashore' });
    const page = await it.enter(planner);
    await goTo(page, 'ashore');
    await page.getByRole('option', { name: 'Ranks ashore', exact: true }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Escape');
    await goTo(page, 'audit');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
  });
});

test('? shows the keys of the console, but not while somebody types', async () => {
  const list = await it.makeList(['One']);
  const page = await it.enter('E-1001', {}, `lists/${list}`);
  await page.getByRole('row').filter({ hasText: 'One' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('?');
  expect(await page.evaluate('document.activeElement.value')).toBe('?');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await map.getByText('Undo the last change').waitFor();
  expect(await map.getByRole('definition').first().innerText()).toContain('Ctrl');
  await expectAccessible(page, 'keyboard shortcuts', 'all but contrast');
  // Ctrl+K opens no second dialog over this one.
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(1);
  expect(await map.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await map.waitFor({ state: 'detached' });
});

describe('the settings', () => {
  const open = async (list: string, person = 'E-1001') => {
    const page = await it.enter(person, {}, `lists/${list}/settings`);
    await titleField(page).waitFor();
    return page;
  };
  const titleField = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('are saved with roles typed in, and Undo takes them back', async () => {
    const list = await it.makeList(['One'], { title: 'To set' });
    const page = await open(list);
    await titleField(page).fill('Was set');
    await page.getByRole('textbox', { name: 'Description' }).fill('What it is for');
    await page.getByRole('combobox', { name: 'Role that can read' }).fill('HR');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'HR' }).waitFor();
    // The role is saved even though Enter was not pressed to add it. Nobody has this role, so the first Save only warns, and
    // Save has to be pressed again.
    await page.getByRole('combobox', { name: 'Role that can manage' }).fill('HR leads');
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('As agreed');
    await expectAccessible(page, 'settings', 'all but contrast');
    await save(page);
    await page.getByRole('row', { name: 'HR leads' }).waitFor();
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({
      title: 'Was set',
      description: 'What it is for',
      readers: ['HR'],
      keepers: ['HR leads'],
    });
    await page.getByRole('heading', { level: 1, name: 'Was set' }).waitFor();
    await toast(page, 'Settings saved').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: 'To set' }).waitFor();
    expect(await settingsOf(list)).toMatchObject({ title: 'To set', description: null, readers: null, keepers: null });
    expect(await titleField(page).inputValue()).toBe('To set');
  });

  test('have title and description in other languages, which a German console shows', async () => {
    const list = await it.makeList(['One'], {
      title: 'Pay grade',
      description: 'Levels of pay',
      titles: { fr: 'Grille' },
    });
    const page = await open(list);
    await page.getByRole('combobox', { name: 'Add language' }).fill('german');
    await page
      .getByRole('option', { name: /^German/ })
      .first()
      .click();
    // The new field has the focus.
    await page.keyboard.type('Entgeltgruppe');
    await page.getByRole('textbox', { name: 'Description in German' }).fill('Stufen des Entgelts');
    await page.getByRole('button', { name: 'Remove French' }).click();
    await expectAccessible(page, 'settings with translations', 'all but contrast');
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({
      title: 'Pay grade',
      titles: { de: 'Entgeltgruppe' },
      descriptions: { de: 'Stufen des Entgelts' },
    });
    await page.getByRole('heading', { level: 1, name: 'Pay grade' }).waitFor();

    const german = await it.enter('E-1001', { locale: 'de-DE' }, 'lists');
    await rowOf(german, 'Entgeltgruppe').getByText('Stufen des Entgelts').waitFor();
    await rowOf(german, 'Beschäftigungsart').waitFor();
    await german.getByRole('combobox', { name: 'Listen und Werte durchsuchen' }).fill('entgelt');
    await german.getByRole('option', { name: 'Entgeltgruppe' }).click();
    await german.getByRole('heading', { level: 1, name: 'Entgeltgruppe' }).waitFor();
    expect(await german.title()).toStartWith('Entgeltgruppe');

    await toast(page, 'Settings saved').getByRole('button', { name: 'Undo' }).click();
    await german.getByRole('heading', { level: 1, name: 'Pay grade' }).waitFor();
    expect(await settingsOf(list)).toMatchObject({ titles: { fr: 'Grille' }, descriptions: {} });
  });

  test('suggest the roles that people have, and mark a role that nobody has, which can still be saved', async () => {
    const list = await it.makeList(['One'], { title: 'For a role' });
    const page = await open(list);
    const field = page.getByRole('combobox', { name: 'Role that can read' });
    // Scrolling closes the suggestions, and each letter opens them again.
    await field.pressSequentially('lookup_a');
    await page.getByRole('option', { name: 'LOOKUP_ADMIN', exact: true }).click();
    await page.getByRole('row', { name: 'LOOKUP_ADMIN' }).waitFor();
    const mark = page.getByText('Nobody has signed in with this role lately.');
    expect(await mark.count()).toBe(0);
    await page.getByRole('combobox', { name: 'Role that can read' }).fill('LOOKUP_ADMN');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'LOOKUP_ADMN:' }).filter({ has: mark }).waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page, 'an unknown role', 'all but contrast');
    await save(page);
    await toast(page, 'Settings saved').getByRole('button', { name: 'Close' }).click();
    await toast(page, 'Settings saved').waitFor({ state: 'detached' });
    expect(await settingsOf(list)).toMatchObject({ readers: ['LOOKUP_ADMIN', 'LOOKUP_ADMN'] });
    // If an unknown role was typed but not added, the first Save only adds and marks it, and the second one saves it.
    await page.getByRole('combobox', { name: 'Role that can manage' }).fill('EMPLOYE');
    await page.keyboard.press('Escape');
    await save(page);
    await page.getByRole('listitem').filter({ hasText: 'EMPLOYE:' }).filter({ has: mark }).waitFor();
    await page.getByRole('alert').getByText('Nothing has been saved yet.').waitFor();
    expect(await settingsOf(list)).toMatchObject({ keepers: null });
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({ keepers: ['EMPLOYE'] });
  });

  test('let roles be removed by keyboard', async () => {
    const list = await it.makeList(['One'], { title: 'With roles', readers: ['HR', 'IT'] });
    const page = await open(list);
    await page.getByRole('row', { name: 'HR' }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('row', { name: 'HR' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove IT' }).click();
    await page.getByText('Everyone who can read lists').waitFor();
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({ readers: null });
  });

  test('keep what was typed when somebody leaves by mistake', async () => {
    const list = await it.makeList(['One'], { title: 'To leave' });
    const page = await open(list);
    await titleField(page).fill('Typed');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await titleField(page).inputValue()).toBe('Typed');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.waitForURL(`**/#/lists/${list}/history`);
  });

  test("keep what was typed through a colleague's change, and mark a setting that both changed", async () => {
    const list = await it.makeList(['One'], { title: 'Shared' });
    const page = await open(list);
    await titleField(page).fill('Mine');
    await it.changeSettings(list, { title: 'Theirs', description: 'Also theirs' });
    await page.getByText('Someone else has changed this to: Theirs').waitFor();
    expect(await titleField(page).inputValue()).toBe('Mine');
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Also theirs');
    await expectAccessible(page, 'settings that both changed');
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({ title: 'Mine', description: 'Also theirs' });
  });

  test("ask before they overwrite a colleague's change that the person has not seen", async () => {
    const list = await it.makeList(['One'], { title: 'Unseen' });
    const page = await it.enter('E-1001', {}, 'lists');
    // Without the stream, the page notices only when a request is refused.
    await page.context().route(/\/lookups\/changes/, (route) => route.abort());
    await page.goto(`${it.desk.url}/#/lists/${list}/settings`);
    await page.reload();
    await titleField(page).fill('Mine');
    await it.changeSettings(list, { title: 'Theirs' });
    await save(page);
    const dialog = page.getByRole('dialog', { name: 'This list changed while you were editing' });
    await dialog.getByText('Theirs').waitFor();
    await expectAccessible(page, 'conflict of settings', 'all but contrast');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('Someone else has changed this to: Theirs').waitFor();
    expect(await titleField(page).inputValue()).toBe('Mine');
    expect(await settingsOf(list)).toMatchObject({ title: 'Theirs' });
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({ title: 'Mine' });
  });

  test('for rights are read-only for keepers of a single list, who can change its title', async () => {
    const list = await it.makeList(['One'], { title: 'Kims list', ...keptByKeeper });
    const page = await open(list, keeper);
    expect(await page.getByText('Only administrators can').count()).toBe(2);
    expect(await page.getByRole('textbox', { name: /^Role that/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Archive list' }).count()).toBe(0);
    await page.getByRole('row', { name: 'KEEPS GRADES' }).waitFor();
    await expectAccessible(page, 'settings of a keeper', 'all but contrast');
    await titleField(page).fill('Kims new title');
    await save(page);
    await toast(page, 'Settings saved').waitFor();
    expect(await settingsOf(list)).toMatchObject({ title: 'Kims new title', keepers: ['KEEPS GRADES'] });
  });

  test('are all read-only for people who keep no list', async () => {
    const list = await it.makeList(['One'], { title: 'Not mine' });
    const page = await open(list, planner);
    await page.getByText('You can view this list but not change it.').waitFor();
    expect(await titleField(page).getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  });

  test('archive a list and bring it back, each after a question', async () => {
    const list = await it.makeList(['One'], { title: 'To archive' });
    const page = await open(list);
    await page.getByRole('button', { name: 'Archive list' }).click();
    const question = page.getByRole('alertdialog', { name: 'Archive To archive?' });
    await expectAccessible(page, 'archiving', 'all but contrast');
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await settingsOf(list)).toMatchObject({ archived: false });
    await page.getByRole('button', { name: 'Archive list' }).click();
    await question.getByRole('button', { name: 'Archive list' }).click();
    await toast(page, 'List archived').waitFor();
    expect(await settingsOf(list)).toMatchObject({ archived: true });
    await page.getByRole('button', { name: 'Unarchive list' }).click();
    const back = page.getByRole('alertdialog', { name: 'Unarchive To archive?' });
    await back.getByRole('button', { name: 'Unarchive list' }).click();
    await toast(page, 'List unarchived').waitFor();
    expect(await settingsOf(list)).toMatchObject({ archived: false });
  });

  test('of a standard list say that it cannot be archived', async () => {
    const page = await it.enter('E-1001', {}, 'lists');
    for (const list of Object.keys(standardLists)) {
      await page.evaluate(`location.hash = '#/lists/${list}/settings'`);
      await page
        .getByRole('link', { name: 'Settings' })
        .and(page.locator(`[href$="/${list}/settings"]`))
        .waitFor();
      await page.getByText('This list can’t be archived').waitFor();
      expect(await page.getByRole('button', { name: 'Archive list' }).count()).toBe(0);
    }
  });

  test('have their tab in view on a phone, where the tabs scroll', async () => {
    const list = await it.makeList(['One']);
    const page = await it.enter('E-1001', { viewport: { width: 390, height: 844 } }, `lists/${list}/settings`);
    await page.getByRole('link', { name: 'Import', exact: true }).waitFor({ state: 'attached' });
    await until(async () => {
      const tab = await page.getByRole('link', { name: 'Settings', exact: true }).boundingBox();
      return tab !== null && tab.x + tab.width <= 390;
    });
  });

  test('say that a title is required', async () => {
    const list = await it.makeList(['One'], { title: 'To empty' });
    const page = await open(list);
    await titleField(page).fill('');
    await page.getByText('Required', { exact: true }).waitFor();
    await save(page);
    expect(await settingsOf(list)).toMatchObject({ title: 'To empty' });
  });
});

test('hundreds of lists are shown in parts, or all at once on request', async () => {
  const lists = Object.fromEntries(
    Array.from({ length: 310 }, (_, index) => [`many-${index}`, { title: `Many ${index}`, items: [] }]),
  );
  await it.apply(lists);
  const page = await it.enter('E-1001', {}, 'lists');
  await rowOf(page, 'Many 0').first().waitFor();
  // 300 lists and the header.
  expect(await page.getByRole('row').count()).toBe(301);
  await page.getByRole('button', { name: /^Show \d+ more lists$/ }).click();
  await until(async () => (await page.getByRole('row').count()) > 310);
  expect(await page.getByRole('button', { name: /^Show \d+ more lists$/ }).count()).toBe(0);
});
