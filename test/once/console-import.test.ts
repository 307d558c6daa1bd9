// Importing and exporting lists in the console, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { type Console, pictures, startConsole } from '../support/console.ts';
import { formula, makeWorkbook, number, serialDate } from '../support/workbook.ts';

let desk: Console;
beforeAll(async () => {
  desk = await startConsole();
}, 300_000);
afterAll(() => desk?.stop());

const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const book = (bytes: Uint8Array, name = 'positions.xlsx') => ({ name, mimeType: excel, buffer: Buffer.from(bytes) });

const openImport = (list: string, options = {}) => desk.enter('E-1001', options, `lists/${list}/import`);
const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator('input[type=file]').setInputFiles(file);
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const goOn = (page: Page) => press(page, 'Continue');
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
/** The rows of the plan, as they are read. */
async function planRows(page: Page): Promise<string[]> {
  await heading(page, 'What will change');
  const rows = await page.getByRole('region', { name: 'What will change' }).locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim());
}
const itemsOf = async (list: string) => (await desk.keptList(list)).items;

describe('a workbook as people make them', () => {
  const rows = [
    ['Stellen 2027', null, null, null],
    ['Bezeichnung', 'Englisch', 'Gültig ab', 'Reihenfolge', 'Stillgelegt', 'Gehalt'],
    ['Köchin', formula('CONCAT("Co","ok")', 'Cook'), '31.12.2027', number(5), null, number(1)],
    ['Clerk', null, serialDate(46752), null, null, null],
    ['Driver', null, null, null, 'ja', null],
  ];

  test('is read with its headers, dates and results of formulas, shown, applied, and undone', async () => {
    const list = await desk.makeList(['Clerk', 'Driver']);
    const page = await openImport(list);
    await page.screenshot({ path: `${pictures}/import-file.png` });
    await expectAccessible(page, 'import: choosing a file');
    await choose(page, book(makeWorkbook(rows)));
    await heading(page, 'Check the columns');
    await expectAccessible(page, 'import: columns');
    await page.screenshot({ path: `${pictures}/import-columns.png`, fullPage: true });
    const fieldOf = (header: string) => page.getByRole('button', { name: `“${header}” is imported as` }).innerText();
    expect(await fieldOf('Bezeichnung')).toBe('Label');
    expect(await fieldOf('Englisch')).toBe('Label (English)');
    expect(await fieldOf('Gültig ab')).toBe('Available from');
    expect(await fieldOf('Gehalt')).toBe('Not imported');
    await goOn(page);
    expect(await planRows(page)).toEqual([
      'Add Köchin KOECHIN Label (English): Cook Available from: 31 Dec 2027',
      'Change Clerk CLERK Available from: empty becomes 31 Dec 2027',
      'Retire Driver DRIVER',
    ]);
    await expectAccessible(page, 'import: plan');
    await page.screenshot({ path: `${pictures}/import-plan.png`, fullPage: true });
    await page.getByRole('radio', { name: /Retired/ }).click();
    expect(await planRows(page)).toEqual(['Retire Driver DRIVER']);
    await page.getByLabel('Reason (optional)').fill('Plan for 2027');
    await press(page, 'Apply 3 changes');
    await page.getByText('3 changes imported').waitFor();
    expect(await itemsOf(list)).toMatchObject(
      [
        { value: 'CLERK', validFrom: '2027-12-31' },
        { value: 'DRIVER', status: 'retired' },
        { value: 'KOECHIN', label: 'Köchin', labels: { en: 'Cook' }, validFrom: '2027-12-31', sortOrder: 5 },
      ].toSorted(() => 0) as never,
    );
    await press(page, 'Undo');
    await page.getByText('Undone: 3 changes imported').waitFor();
    expect(await desk.labelsOf(list)).toEqual(['Clerk', 'Driver']);
  }, 60_000);
});
