// The grid of translations in a real browser.
import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, startConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';

const app = sharedConsole(startConsole);

const colleague = 'E-1001';
const jobs = [
  { label: 'Accountant', labels: { de: 'Buchhalter', fr: 'Comptable' } },
  { label: 'Clerk', labels: { de: 'Sachbearbeiter' } },
  { label: 'Driver' },
  { label: 'Porter', retired: true },
];

async function open(list: string, options: Parameters<Console['enter']>[1] = {}): Promise<Page> {
  const page = await app.enter('E-1001', options, `lists/${list}/translations`);
  await page.getByRole('grid').waitFor();
  return page;
}

const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const german = (page: Page, label: string) => cell(page, `German label of ${label}`);
const french = (page: Page, label: string) => cell(page, `French label of ${label}`);
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const toast = (page: Page, text: string | RegExp) => page.getByRole('alertdialog').filter({ hasText: text });
const focused = (page: Page) => page.evaluate("document.activeElement?.getAttribute('aria-label')") as Promise<string>;
const shows = (page: Page, rows: string[]) =>
  until(async () => (await page.getByRole('rowheader').allTextContents()).join() === rows.join());

/** Discards all changes: the next test cannot use a page with unsaved changes. */
async function discard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText(/unsaved/).waitFor({ state: 'hidden' });
}

async function labelsIn(list: string, value: string): Promise<unknown> {
  const { items } = await app.keptList(list);
  return items.find((item) => item.value === value)?.labels;
}

async function pasteInto(page: Page, text: string): Promise<void> {
  await page.evaluate(
    `{
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`,
  );
}

describe('the grid', () => {
  test('has a row for each active value and a column for each language, shows how much is translated, and is left with Escape', async () => {
    const page = await open(await app.makeList(jobs));
    await shows(page, ['Accountant', 'Clerk', 'Driver']);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Label', 'German2 of 3', 'French1 of 3']);
    const bar = page.getByRole('progressbar', { name: 'German: translated' });
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['2', '3']);
    expect(await german(page, 'Accountant').inputValue()).toBe('Buchhalter');
    await page.getByRole('checkbox', { name: 'Show retired values' }).check();
    await shows(page, ['Accountant', 'Clerk', 'Driver', 'PorterRetired']);
    expect(await page.title()).toContain('Translations of');
    await german(page, 'Accountant').click();
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Find a value');
  });

  test('is edited by keys like a spreadsheet, and saved as one version that can be undone', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Accountant').click();
    await page.keyboard.type('Buchhaltung');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('German label of Clerk');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('Fahrer ');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('French label of Driver');
    await page.keyboard.type('Chauffeur');
    await page.keyboard.press('Escape');
    expect(await french(page, 'Driver').inputValue()).toBe('');
    await page.keyboard.type('Conducteur');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('F2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('X');
    expect(await french(page, 'Accountant').inputValue()).toBe('ComptablXe');
    await page.keyboard.press('Escape');
    expect(await french(page, 'Accountant').inputValue()).toBe('Comptable');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('German label of Clerk');
    await page.getByText('4 unsaved changes').waitFor();
    expect(await page.getByRole('columnheader', { name: 'German' }).textContent()).toBe('German3 of 3');
    await expectAccessible(page, 'changed cells');
    const { version } = await app.keptList(list);
    await save(page).click();
    await toast(page, '4 translations saved').waitFor();
    await page.getByText('4 unsaved changes').waitFor({ state: 'hidden' });
    expect((await app.keptList(list)).version).toBe(version + 1);
    expect(await labelsIn(list, 'ACCOUNTANT')).toEqual({ de: 'Buchhaltung' });
    expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer', fr: 'Conducteur' });
    await toast(page, '4 translations saved').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    expect(await labelsIn(list, 'ACCOUNTANT')).toEqual({ de: 'Buchhalter', fr: 'Comptable' });
    expect(await labelsIn(list, 'DRIVER')).toEqual({});
    await page.locator('input[aria-label="German label of Driver"][value=""]').waitFor();
  });

  test('a language is added by its name in any language', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    const picker = page.getByRole('combobox', { name: 'Add language' });
    await picker.fill('Türkçe');
    await page.getByRole('option', { name: /Turkish/ }).click();
    await cell(page, 'Turkish label of Accountant').and(page.locator(':focus')).waitFor();
    await cell(page, 'Turkish label of Clerk').click();
    await page.keyboard.type('Katip');
    await picker.fill('brazil');
    await page.getByRole('option', { name: /Portuguese \(Brazil\)/ }).click();
    await page.getByRole('columnheader', { name: 'Portuguese (Brazil)' }).waitFor();
    await page.getByRole('button', { name: 'Remove the empty column Portuguese (Brazil)' }).click();
    await page.getByRole('columnheader', { name: 'Portuguese (Brazil)' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('columnheader').count()).toBe(4);
    await save(page).click();
    await toast(page, '1 translation saved').waitFor();
    expect(await labelsIn(list, 'CLERK')).toEqual({ de: 'Sachbearbeiter', tr: 'Katip' });
  });

  test('a list without translations begins with its first language', async () => {
    const list = await app.makeList(['Clerk']);
    const page = await app.enter('E-1001', {}, `lists/${list}/translations`);
    await page.getByText('No translations yet').waitFor();
    await expectAccessible(page, 'no translations', 'all but contrast');
    await page.getByRole('combobox', { name: 'Add language' }).fill('deutsch');
    await page
      .getByRole('option', { name: /^German/ })
      .first()
      .click();
    await german(page, 'Clerk').waitFor();
  });
});

describe('what is typed', () => {
  test('stays while rows are filtered, and a row is not filtered out while it is typed in', async () => {
    const page = await open(await app.makeList(jobs));
    await page.getByRole('checkbox', { name: 'Untranslated only' }).check();
    await shows(page, ['Clerk', 'Driver']);
    await french(page, 'Clerk').click();
    await page.keyboard.type('Employé');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['Clerk', 'Driver']);
    await page.getByRole('searchbox', { name: 'Find a value' }).fill('drive');
    await page.getByRole('rowheader', { name: 'Clerk' }).waitFor({ state: 'hidden' });
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('searchbox', { name: 'Find a value' }).fill('');
    expect(await french(page, 'Clerk').inputValue()).toBe('Employé');
    await page.getByRole('searchbox', { name: 'Find a value' }).fill('zzz');
    await page.getByText('No value found').waitFor();
    await page.getByRole('button', { name: 'Show all values' }).click();
    expect(await french(page, 'Clerk').inputValue()).toBe('Employé');
    await discard(page);
  });

  test('is never lost without a question', async () => {
    const page = await open(await app.makeList(jobs));
    await german(page, 'Driver').click();
    await page.keyboard.type('Fahrer');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await german(page, 'Driver').inputValue()).toBe('Fahrer');
    await discard(page);
    expect(await german(page, 'Driver').inputValue()).toBe('');
  });

  test('stays while there is no connection, and is saved by trying again', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Driver').click();
    await page.keyboard.type('Fahrer');
    await page.context().setOffline(true);
    await save(page).click();
    await page.getByRole('alert').filter({ hasText: 'Not saved' }).waitFor();
    expect(await german(page, 'Driver').inputValue()).toBe('Fahrer');
    await expectAccessible(page, 'not saved');
    await page.context().setOffline(false);
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await toast(page, '1 translation saved').waitFor();
    expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer' });
  });

  test('stays when the session has expired, and is saved after the next sign-in', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    let token = '';
    page.on('request', (request) => {
      token = request.headers().authorization ?? token;
    });
    await german(page, 'Driver').click();
    await page.keyboard.type('Fahrer');
    await app.changeItem(list, 'CLERK', { labels: { fr: 'Employé' } }, colleague);
    await page.locator('input[aria-label="French label of Clerk"][value="Employé"]').waitFor();
    await fetch(`${app.desk.url}/auth/logout`, { method: 'POST', headers: { authorization: token } });
    await save(page).click();
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await popup.getByRole('button', { name: /Ada Park/ }).click();
    await toast(page, '1 translation saved').waitFor();
    expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer' });
  });

  test('what the service would refuse is marked in its cell', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Driver').fill('x'.repeat(201));
    await page.getByText('At most 200 characters').waitFor();
    await page.getByText('1 cell needs fixing').waitFor();
    await german(page, 'Clerk').fill('a\u202eb');
    await german(page, 'Driver').fill('Fahrer');
    await save(page).click();
    await page.getByText(/Must have Unicode direction controls/).waitFor();
    await expectAccessible(page, 'faults');
    await german(page, 'Clerk').fill('Bürokraft');
    await save(page).click();
    await toast(page, '2 translations saved').waitFor();
    expect(await labelsIn(list, 'CLERK')).toEqual({ de: 'Bürokraft' });
  });
});

describe('a block from a spreadsheet', () => {
  test('is pasted with quotes and line breaks, and undone as a whole', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Clerk').click();
    await pasteInto(page, 'Bürokraft\t"Employé\nde bureau"\r\nFahrer\t"dit ""le chauffeur"""\r\n');
    await toast(page, '4 cells pasted').waitFor();
    expect(await french(page, 'Clerk').inputValue()).toBe('Employé de bureau');
    expect(await french(page, 'Driver').inputValue()).toBe('dit "le chauffeur"');
    await page.keyboard.press('Control+z');
    expect(await german(page, 'Clerk').inputValue()).toBe('Sachbearbeiter');
    expect(await page.getByText(/unsaved/).count()).toBe(0);
    await pasteInto(page, 'Bürokraft\nFahrer');
    await toast(page, '2 cells pasted').getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/unsaved/).waitFor({ state: 'hidden' });
    expect(await german(page, 'Driver').inputValue()).toBe('');
  });

  test('that is larger than the grid is reported before anything is pasted', async () => {
    const page = await open(await app.makeList(jobs));
    await french(page, 'Clerk').click();
    await pasteInto(page, 'a\tb\nc\td\ne\tf');
    const dialog = page.getByRole('alertdialog', { name: 'Not everything fits in the table' });
    await dialog.getByText('4 cells don’t fit.').waitFor();
    await dialog.getByText(/1 more row/).waitFor();
    await dialog.getByText(/1 more language/).waitFor();
    await expectAccessible(page, 'too large a block', 'all but contrast');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await french(page, 'Clerk').inputValue()).toBe('');
    await french(page, 'Clerk').click();
    await pasteInto(page, 'a\tb\nc\td\ne\tf');
    await dialog.getByRole('button', { name: 'Paste the 2 cells that fit' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await french(page, 'Driver').inputValue()).toBe('c');
    await discard(page);
  });

  test('that is too large to be saved at once is saved in parts', async () => {
    const tags = ['de', 'fr', 'es', 'it', 'pl'];
    const inAll = (label: string) => Object.fromEntries(tags.map((tag) => [tag, label]));
    const labels = Array.from({ length: 100 }, (_, index) => `Job ${index}`);
    const list = await app.makeList(labels.map((label) => ({ label, labels: inAll(label) })));
    const page = await open(list);
    await german(page, 'Job 0').click();
    // 500 cells of almost 600 bytes.
    const long = (label: string) => `${label} ${'職'.repeat(190)}`;
    await pasteInto(page, labels.map((label) => tags.map(() => long(label)).join('\t')).join('\n'));
    await toast(page, '500 cells pasted').waitFor();
    await save(page).click();
    const dialog = page.getByRole('alertdialog', { name: 'Too many changes to save at once' });
    await dialog.getByText(/Your changes are \d{3} kB\. At most 256 kB/).waitFor();
    await expectAccessible(page, 'too many changes', 'all but contrast');
    await dialog.getByRole('button', { name: /Save the first \d+ changes/ }).click();
    await toast(page, /translations saved/).waitFor();
    await page.getByText(/^\d+ unsaved changes$/).waitFor();
    await save(page).click();
    await page.getByText(/unsaved/).waitFor({ state: 'hidden' });
    expect(await labelsIn(list, 'JOB_99')).toEqual(inAll(long('Job 99')));
  });
});

describe('a colleague', () => {
  test('who changes a different cell does not cause a conflict', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Driver').click();
    await page.keyboard.type('Fahrer');
    await app.changeItem(list, 'DRIVER', { labels: { fr: 'Conducteur' } }, colleague);
    await save(page).click();
    await toast(page, '1 translation saved').waitFor();
    expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer', fr: 'Conducteur' });
  });

  test('who changes the same cell: both sides are shown in it, and one is chosen', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list);
    await german(page, 'Driver').click();
    await page.keyboard.type('Fahrer');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('Bürokraft');
    await app.changeItem(list, 'DRIVER', { labels: { de: 'Chauffeur' } }, colleague);
    await app.changeItem(list, 'CLERK', { labels: { de: 'Angestellte' } }, colleague);
    await page.getByText('Someone else saved: Chauffeur').waitFor();
    await page.getByText('2 cells were changed by someone else').waitFor();
    expect(await german(page, 'Driver').inputValue()).toBe('Fahrer');
    await expectAccessible(page, 'conflict');
    await page.getByRole('button', { name: 'Keep mine: German label of Driver' }).click();
    await page.getByRole('button', { name: 'Use theirs: German label of Clerk' }).click();
    expect(await german(page, 'Clerk').inputValue()).toBe('Angestellte');
    await save(page).click();
    await toast(page, '1 translation saved').waitFor();
    expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer' });
    expect(await labelsIn(list, 'CLERK')).toEqual({ de: 'Angestellte' });
  });
});

test('a change by a colleague that was not announced is found when it is saved', async () => {
  const list = await app.makeList(jobs);
  const page = await open(list);
  let isSent = false;
  await page.route('**/admin/lookups/apply', (route) => {
    isSent = true;
    return route.continue();
  });
  // Blocks the request that the page makes when a change is announced. It is let through after saving was refused.
  await page.route(`**/admin/lookups/${list}`, (route) => (isSent ? route.continue() : undefined));
  await german(page, 'Driver').click();
  await page.keyboard.type('Fahrer');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('Bürokraft');
  await app.changeItem(list, 'ACCOUNTANT', { label: 'Bookkeeper' }, colleague);
  await app.changeItem(list, 'DRIVER', { labels: { de: 'Chauffeur' } }, colleague);
  await save(page).click();
  await page.getByText('Someone else saved: Chauffeur').waitFor();
  await page.getByText('2 unsaved changes').waitFor();
  expect(await labelsIn(list, 'CLERK')).toEqual({ de: 'Sachbearbeiter' });
  await page.getByRole('button', { name: 'Keep mine: German label of Driver' }).click();
  await save(page).click();
  await toast(page, '2 translations saved').waitFor();
  expect(await labelsIn(list, 'DRIVER')).toEqual({ de: 'Fahrer' });
  expect((await app.keptList(list)).items[0]?.label).toBe('Bookkeeper');
});

describe('everywhere', () => {
  const touch = { hasTouch: true, isMobile: true };
  const germanAndDark = { locale: 'de-DE', colorScheme: 'dark' } as const;

  test('on a phone there is one language at a time; in German, and dark', async () => {
    const list = await app.makeList(jobs);
    const page = await open(list, { viewport: { width: 320, height: 640 }, ...touch, ...germanAndDark });
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Bezeichnung', 'Deutsch2 von 3']);
    await page.getByRole('button', { name: /Angezeigte Sprache/ }).click();
    await page.getByRole('option', { name: 'Französisch' }).click();
    await cell(page, 'Bezeichnung von Driver: Französisch').fill('Conducteur');
    await page.getByText('1 ungespeicherte Änderung').waitFor();
    // Nothing covers the cell that is being edited.
    const covering = await page.evaluate(`{
      const { left, top, width, height } = document.activeElement.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      seen === document.activeElement ? '' : seen?.className;
    }`);
    expect(covering).toBe('');
    await expectAccessible(page, 'changed cells on a phone, in German and dark');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Änderungen speichern' }).click();
    await toast(page, '1 Übersetzung gespeichert').waitFor();
    expect(await labelsIn(list, 'DRIVER')).toEqual({ fr: 'Conducteur' });
  });

  test('right to left, the left arrow leads to the next language', async () => {
    const page = await open(await app.makeList(jobs), { locale: 'ar-EG' });
    await german(page, 'Clerk').click();
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toBe('French label of Clerk');
  });
});

test('a long list has only the rows in view in the document, and a block pasted into it is saved and undone as a whole', async () => {
  const labels = Array.from({ length: 300 }, (_, index) => `Job ${index}`);
  const list = await app.makeList(labels.map((label) => ({ label, labels: { de: `de ${label}`, fr: `fr ${label}` } })));
  const page = await open(list);
  await german(page, 'Job 0').waitFor();
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('301');
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await german(page, 'Job 0').click();
  await page.keyboard.press('Control+End');
  await french(page, 'Job 299').and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await page.keyboard.press('Control+Home');
  await german(page, 'Job 0').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await pasteInto(
    page,
    labels
      .slice(1)
      .map((label) => `neu ${label}\tnouveau ${label}`)
      .join('\n'),
  );
  await toast(page, '598 cells pasted').waitFor();
  await save(page).click();
  await toast(page, '598 translations saved').waitFor();
  await page.getByText(/unsaved/).waitFor({ state: 'hidden' });
  expect(await labelsIn(list, 'JOB_299')).toEqual({ de: 'neu Job 299', fr: 'nouveau Job 299' });
  await toast(page, '598 translations saved').getByRole('button', { name: 'Undo' }).click();
  await toast(page, 'Undone').waitFor();
  expect(await labelsIn(list, 'JOB_299')).toEqual({ de: 'de Job 299', fr: 'fr Job 299' });
});
