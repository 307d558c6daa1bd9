// npm test -- libreoffice: a list exported as Excel, edited by LibreOffice, and imported again in the console.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Console, startConsole } from './support/console.ts';
import { editCell, makeProfile } from './support/libreoffice.ts';
import { temporaryFolders } from './support/temporary-folders.ts';

const makeFolder = temporaryFolders();
let desk: Console;
let profile: string;
beforeAll(async () => {
  profile = makeProfile(makeFolder());
  desk = await startConsole();
});
afterAll(() => desk?.stop());

/** Texts that a spreadsheet may mistake for numbers, dates or formulas. */
const items = [
  { value: 'CLERK', label: 'Clerk', labels: { de: '007' }, tags: ['a', 'b'], codes: { 'sap.hr': '1-2' } },
  { value: 'FORMULA', label: '=1+1', validFrom: '2027-01-31', description: '+49 30 1234' },
  { value: 'OLD', label: "'Old", retired: true, replacedBy: 'CLERK' },
];

async function exportList(page: Page, folder: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel (.xlsx)' }).click(),
  ]);
  const file = join(folder, 'list.xlsx');
  await download.saveAs(file);
  return file;
}

test.each([
  ['a label', 'B2', 'Senior clerk', 'Change Senior clerk CLERK Label: Clerk becomes Senior clerk'],
  ['a date', 'E2', '2027-12-31', 'Change Clerk CLERK Available from: empty becomes 31 Dec 2027'],
  ['a description', 'D3', 'By phone', 'Change =1+1 FORMULA Description: +49 30 1234 becomes By phone'],
  ['a new row', 'B5', 'Cook', 'Add Cook COOK'],
  ['a formula', 'C4', '=A2', "Change 'Old OLD Label (German): empty becomes CLERK"],
])('the plan shows only the edit: %s', async (_, place, typed, row) => {
  const list = await desk.makeList(items);
  const page = await desk.enter('E-1001', {}, `lists/${list}/import`);
  const folder = makeFolder();
  const edited = join(folder, 'edited.xlsx');
  editCell(profile, await exportList(page, folder), edited, place, typed);
  await page.locator('input[type=file]').setInputFiles(edited);
  await page.getByRole('button', { name: 'Continue' }).click();
  const rows = page.getByRole('region', { name: 'What will change' }).locator('tbody tr');
  await rows.first().waitFor();
  expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([row]);
  await page.context().close();
});
