// Importing and exporting lists in the console, in a real browser.
import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { startConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared.ts';
import { until } from '../support/waiting.ts';
import { errorCell, formula, makeWorkbook, number, serialDate, zipWorkbook } from '../support/workbook.ts';

const desk = sharedConsole(startConsole);

const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}
const workbook = (bytes: Uint8Array): GivenFile => {
  return { name: 'positions.xlsx', mimeType: excelType, buffer: Buffer.from(bytes) };
};
const csv = (text: string): GivenFile => ({ name: 'positions.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

const open = (hash: string) => desk.enter('E-1001', {}, hash);
const openImport = (list: string) => open(`lists/${list}/import`);
const choose = (page: Page, file: GivenFile) => page.locator('input[type=file]').setInputFiles(file);
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
const textsOf = async (page: Page, region: string | RegExp) => {
  const rows = page.getByRole('region', { name: region }).locator('tbody tr');
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim());
};
const planRows = (page: Page) => textsOf(page, 'What will change');
const faultRows = (page: Page) => textsOf(page, /problems? in the file$/);
/** Opens a dropdown and selects one of its options. */
async function select(page: Page, label: string | RegExp, choice: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: choice, exact: true }).click();
}

/** `content` is a JavaScript expression that the page evaluates. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${content}], '${name}'));
    return data;
  })()`);
  const area = page.locator('.drop-area');
  await area.dispatchEvent('dragover', { dataTransfer: transfer });
  await area.dispatchEvent('drop', { dataTransfer: transfer });
}

describe('a workbook as people create it', () => {
  const rows = [
    ['Stellen 2027', null, null, null],
    ['Bezeichnung', 'Englisch', 'Gültig ab', 'Reihenfolge', 'Deaktiviert', 'Gehalt'],
    ['Köchin', formula('CONCAT("Co","ok")', 'Cook'), '31.12.2027', number(5), null, number(1)],
    ['Clerk', null, serialDate(46752), null, null, null],
    ['Driver', null, null, null, 'ja', null],
  ];

  test('is read with its headers, dates and results of formulas, shown, applied, and undone', async () => {
    const list = await desk.makeList(['Clerk', 'Driver']);
    const page = await openImport(list);
    await choose(page, workbook(makeWorkbook(rows)));
    await heading(page, 'Check the columns');
    const fieldOf = (header: string) => page.getByRole('button', { name: `“${header}” is imported as` }).innerText();
    expect(await fieldOf('Bezeichnung')).toBe('Label');
    expect(await fieldOf('Englisch')).toBe('Label (English)');
    expect(await fieldOf('Gültig ab')).toBe('Available from');
    expect(await fieldOf('Gehalt')).toBe('Don’t import');
    await press(page, 'Continue');
    expect(await planRows(page)).toEqual([
      'Add Köchin KOECHIN Label (English): Cook Available from: 31 Dec 2027',
      'Change Clerk CLERK Available from: empty becomes 31 Dec 2027',
      'Retire Driver DRIVER',
    ]);
    await expectAccessible(page, 'import: what will change');
    await page.getByRole('radio', { name: /^Retired/ }).click();
    await page.getByRole('cell', { name: 'KOECHIN' }).waitFor({ state: 'detached' });
    expect(await planRows(page)).toEqual(['Retire Driver DRIVER']);
    await page.getByLabel('Reason (optional)').fill('Plan for 2027');
    await press(page, 'Apply 3 changes');
    await page.getByText('3 changes imported').waitFor();
    const { items } = await desk.keptList(list);
    const byValue = new Map(items.map((item) => [item.value, item]));
    expect(byValue.get('CLERK')).toMatchObject({ validFrom: '2027-12-31' });
    expect(byValue.get('DRIVER')).toMatchObject({ status: 'retired' });
    expect(byValue.get('KOECHIN')).toMatchObject({ label: 'Köchin', labels: { en: 'Cook' }, sortOrder: 5 });
    const history = (await (await desk.call(`/admin/lookups/${list}/history`)).json()) as { reason: string }[];
    expect(history[0]?.reason).toBe('Plan for 2027');
    await press(page, 'Undo');
    await page.getByText('Undone: 3 changes imported').waitFor();
    expect(await desk.labelsOf(list)).toEqual(['Clerk', 'Driver']);
  });

  test('can be dropped on the page', async () => {
    const list = await desk.makeList(['Clerk']);
    const page = await openImport(list);
    await drop(page, 'tags.csv', "'Label;Tags\\r\\nClerk;office'");
    await heading(page, 'Check the columns');
    await press(page, 'Continue');
    expect(await planRows(page)).toEqual(['Change Clerk CLERK Tags: empty becomes office']);
  });
});

describe('what is wrong with a file is shown', () => {
  test('by row and column, all of it at once, and nothing is sent', async () => {
    const list = await desk.makeList(['Clerk', 'Driver']);
    const page = await openImport(list);
    const rows = [
      ['Value', 'Label', 'Available from', 'Retired'],
      ['senior clerk', 'Senior clerk', 'soon', 'perhaps'],
      ['CLERK', errorCell('#REF!'), null, null],
      ['COOK', formula('A9'), null, null],
      ['DRIVER', 'Driver', '31.02.2027', null],
      ['DRIVER', 'Driver', null, null],
    ];
    await choose(page, workbook(makeWorkbook(rows)));
    await press(page, 'Continue');
    expect(await faultRows(page)).toEqual([
      'Row 2 A Value Use capital letters, digits and underscores, at most 64 characters: for example SENIOR_CLERK',
      'Row 2 C Available from “soon” is not a date. Write it like 31.12.2027 or 2027-12-31',
      'Row 2 D Retired “perhaps” is neither yes nor no',
      'Row 3 B Label The cell contains the error #REF!. Fix the formula or enter the content directly',
      'Row 4 B Label The formula has no result yet. Open the file in your spreadsheet program, save it, and try again',
      'Row 5 C Available from “31.02.2027” is not a date. Write it like 31.12.2027 or 2027-12-31',
      'Row 6 A Value The same value is in row 5',
    ]);
    await expectAccessible(page, 'import: faults');
    expect((await desk.keptList(list)).version).toBe(1);
  });

  test('including faults that the service finds, at the row they come from', async () => {
    const list = await desk.makeList([{ label: 'Clerk', codes: { sap: 'K-1' } }]);
    const page = await openImport(list);
    await choose(page, csv('Label,Code: sap\nClerk,K-1\nCook,C-1\nDriver,C-1\n'));
    await press(page, 'Continue');
    const faults = await faultRows(page);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^Row [34] B Code: sap /);
  });

  test('two columns for one field, until another is chosen', async () => {
    const list = await desk.makeList(['Clerk']);
    const page = await openImport(list);
    await choose(page, csv('Label,Name,Salary\nClerk,Senior clerk,1\n'));
    await select(page, /“Name” is imported as/, 'Label');
    await press(page, 'Continue');
    expect(await faultRows(page)).toEqual([
      'Row 1 B Name The column “Label” is imported as this field too. Choose only one of the two columns',
    ]);
    await select(page, /“Name” is imported as/, 'Description');
    await press(page, 'Continue');
    expect(await planRows(page)).toEqual(['Change Clerk CLERK Description: empty becomes Senior clerk']);
    await press(page, 'Back');
    expect(await page.getByRole('button', { name: /“Name” is imported as/ }).innerText()).toBe('Description');
    // The options name other lists by their titles.
    await page.getByRole('button', { name: /“Name” is imported as/ }).click();
    await page.getByRole('option', { name: 'Only with: Employment type' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a file with too many bytes, rows, or bytes before it is unpacked, with the limit', async () => {
    const page = await openImport(await desk.makeList(['Clerk']));
    await drop(page, 'positions.csv', 'new Uint8Array(21 * 1024 * 1024)');
    await page.getByText('positions.csv couldn’t be read').waitFor();
    await page.getByText('The file is 21 MB; the limit is 20 MB.').waitFor();
    await choose(page, csv(`Label\n${'x\n'.repeat(50_001)}`));
    await page.getByText('The file has 50,001 rows; the limit is 50,000.').waitFor();
    const bomb = zipWorkbook(' '.repeat(100_000));
    // Changes the size that the zip directory states for each entry to 200 MB.
    const view = new DataView(bomb.buffer);
    for (let at = 0; at < bomb.length - 46; at++) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 200 * 1024 * 1024, true);
    }
    await choose(page, workbook(bomb));
    await page.getByText('Unpacked, the workbook is larger than 150 MB.').waitFor();
  });

  test('more changes than the service takes at once, with how many would fit', async () => {
    const list = await desk.makeList(['Clerk']);
    const page = await openImport(list);
    const lines = Array.from({ length: 7500 }, (_, index) => `${index} ${'職'.repeat(190)}`);
    await choose(page, csv(`Label\n${lines.join('\n')}`));
    await press(page, 'Continue');
    await page.getByText('Too many changes at once').waitFor();
    await page.getByText(/^The changes to 7,500 rows take up .+ At most 4 MB can be applied at once/).waitFor();
    expect((await desk.keptList(list)).version).toBe(1);
  });
});

test('the page asks about dates that can be read either way', async () => {
  const list = await desk.makeList(['Clerk']);
  const page = await openImport(list);
  await choose(page, csv('Label,Available from\nClerk,03/04/2027\n'));
  await heading(page, 'Check the columns');
  await press(page, 'Continue');
  const question = /How are dates written in “Available from”/;
  await page.getByText('Please choose').last().waitFor();
  expect(await page.getByRole('heading', { name: 'What will change' }).count()).toBe(0);
  await select(page, question, 'Month first: 03/04/2027 = March 4, 2027');
  await press(page, 'Continue');
  expect(await planRows(page)).toEqual(['Change Clerk CLERK Available from: empty becomes 4 Mar 2027']);
});

test('values that are not in the file are retired only if the person chooses that', async () => {
  const list = await desk.makeList(['Clerk', 'Cook', 'Driver']);
  const page = await openImport(list);
  await choose(page, csv('Label\nClerk\n'));
  await press(page, 'Continue');
  await heading(page, 'This file changes nothing');
  await page.getByLabel('Also retire 2 values that are not in the file').check();
  expect(await planRows(page)).toEqual(['Retire Cook COOK', 'Retire Driver DRIVER']);
  await press(page, 'Apply 2 changes');
  await page.getByText('2 changes imported').waitFor();
  expect(await desk.labelsOf(list)).toEqual(['Clerk']);
});

describe('a change by somebody else while the plan is shown', () => {
  const file = csv('Value,Label\nCLERK,Senior clerk\nCOOK,Chef\n');
  const changed = 'This list changed while you were checking';

  test('makes a new plan, which is applied only after the person has seen it', async () => {
    const list = await desk.makeList(['Clerk', 'Cook']);
    const page = await openImport(list);
    await choose(page, file);
    await press(page, 'Continue');
    await page.getByLabel('Reason (optional)').fill('Typed before');
    expect(await planRows(page)).toHaveLength(2);
    await desk.changeItem(list, 'COOK', { label: 'Chef' });
    await page.getByText(changed).waitFor();
    expect(await planRows(page)).toEqual(['Change Senior clerk CLERK Label: Clerk becomes Senior clerk']);
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('Typed before');
    await expectAccessible(page, 'import: changed meanwhile', 'all but contrast');
    await press(page, 'Apply 1 change');
    await page.getByText('1 change imported').waitFor();
    expect(await desk.labelsOf(list)).toEqual(['Senior clerk', 'Chef']);
  });

  test('is not overwritten even if the page has not been notified of it', async () => {
    const list = await desk.makeList(['Clerk', 'Cook']);
    const page = await openImport(list);
    await choose(page, file);
    await press(page, 'Continue');
    expect(await planRows(page)).toHaveLength(2);
    // Blocks the request that the page would make when the service announces the change.
    await page.route('**/admin/lookups', () => {});
    await desk.changeItem(list, 'COOK', { label: 'Head cook' });
    await press(page, 'Apply 2 changes');
    await page.getByText(changed).waitFor();
    expect(await planRows(page)).toContain('Change Chef COOK Label: Head cook becomes Chef');
    expect(await desk.labelsOf(list)).toEqual(['Clerk', 'Head cook']);
  });

  test('is not overwritten by a YAML file either, although it names no version', async () => {
    const list = await desk.makeList(['Clerk', 'Cook']);
    const page = await openImport(list);
    const text = `lists:\n  ${list}:\n    items:\n      - { value: COOK, label: Chef }\n`;
    await choose(page, { name: 'lists.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
    expect(await planRows(page)).toEqual(['Change Chef COOK Label: Cook becomes Chef']);
    await page.route('**/admin/lookups', () => {});
    await desk.changeItem(list, 'COOK', { label: 'Head cook' });
    await press(page, 'Apply 1 change');
    await page.getByText(changed).waitFor();
    expect(await planRows(page)).toEqual(['Change Chef COOK Label: Head cook becomes Chef']);
    expect(await desk.labelsOf(list)).toEqual(['Clerk', 'Head cook']);
  });
});

describe('some rows are wrong', () => {
  const file = csv(
    'Value,Label,Available from,Salary\nCLERK,Senior clerk,,1\nCOOK,Cook,soon,2\nlead,Lead,,3\nPORTER,Porter,,4\n',
  );
  const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  test('a cell can be corrected in place, is checked again, and the file is imported', async () => {
    const list = await desk.makeList(['Clerk']);
    const page = await openImport(list);
    await choose(page, file);
    await press(page, 'Continue');
    expect(await faultRows(page)).toHaveLength(2);
    await cell(page, 'Available from, row 3').fill('sooner');
    await page.keyboard.press('Enter');
    await page.getByText('“sooner” is not a date').waitFor();
    await cell(page, 'Available from, row 3').fill('2027-03-01');
    await page.keyboard.press('Enter');
    await page.getByText('1 problem in the file').waitFor();
    // The next cell to correct has the focus.
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await until(async () => (await focused()) === 'Value, row 4');
    await cell(page, 'Value, row 4').fill('LEAD');
    await page.keyboard.press('Tab');
    await page.getByText('No problems left').waitFor();
    await expectAccessible(page, 'import: corrected');
    await press(page, 'Continue');
    expect(await planRows(page)).toEqual([
      'Change Senior clerk CLERK Label: Clerk becomes Senior clerk',
      'Add Cook COOK Available from: 1 Mar 2027',
      'Add Lead LEAD',
      'Add Porter PORTER',
    ]);
    // Leaving would lose the corrections, so the page asks first.
    await page.getByRole('link', { name: 'Translations' }).click();
    await press(page, 'Keep editing');
    await press(page, 'Apply 4 changes');
    await page.getByText('4 changes imported').waitFor();
    expect((await desk.keptList(list)).version).toBe(2);
  });

  test('the others are imported without them, and they can be downloaded, corrected and imported', async () => {
    const list = await desk.makeList(['Clerk', 'Driver']);
    const page = await openImport(list);
    await choose(page, file);
    await press(page, 'Continue');
    await press(page, 'Import the other 2 rows');
    await page.getByText('2 rows are left out').waitFor();
    // The rows left out are still in the file, so the page does not offer to retire their values.
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await planRows(page)).toHaveLength(2);
    await expectAccessible(page, 'import: rows left out');
    await press(page, 'Back');
    expect(await faultRows(page)).toHaveLength(2);
    await press(page, 'Import the other 2 rows');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download as CSV')]);
    expect(download.suggestedFilename()).toBe('positions-not-imported.csv');
    const text = await readFile(await download.path(), 'utf8');
    expect(text.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual([
      'Value,Label,Available from,Salary,Problem',
      'COOK,Cook,soon,2,Available from: “soon” is not a date. Write it like 31.12.2027 or 2027-12-31',
      'lead,Lead,,3,"Value: Use capital letters, digits and underscores, at most 64 characters: for example LEAD"',
    ]);
    await press(page, 'Apply 2 changes');
    await page.getByText('2 changes imported').waitFor();
    expect(await desk.labelsOf(list)).toEqual(['Senior clerk', 'Driver', 'Porter']);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await choose(page, csv(text.replace('soon', '').replace('lead', 'LEAD')));
    await heading(page, 'Check the columns');
    await press(page, 'Continue');
    await press(page, 'Apply 2 changes');
    await until(async () => (await desk.labelsOf(list)).includes('Lead'));
    expect(await desk.labelsOf(list)).toEqual(['Senior clerk', 'Driver', 'Porter', 'Cook', 'Lead']);
  });
});

test('leaving asks first if something was typed, but not if only a file was chosen', async () => {
  const list = await desk.makeList(['Clerk']);
  const page = await openImport(list);
  const showPlan = async () => {
    await choose(page, csv('Label\nClerk\nCook\n'));
    await press(page, 'Continue');
    await planRows(page);
  };
  await showPlan();
  await page.getByRole('link', { name: 'Translations' }).click();
  await page.getByRole('heading', { name: 'What will change' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await showPlan();
  await page.getByLabel('Reason (optional)').fill('Typed');
  await page.getByRole('link', { name: 'Translations' }).click();
  await press(page, 'Keep editing');
  expect(await planRows(page)).toEqual(['Add Cook COOK']);
  await page.goBack();
  await press(page, 'Discard');
  await page.getByRole('button', { name: 'Choose file' }).waitFor({ state: 'detached' });
  // Going back leaves the focus in the cell, unlike a click, so what was typed there has not been applied to the file yet.
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await choose(page, csv('Value,Label\nno code,Cook\n'));
  await press(page, 'Continue');
  await page.getByRole('textbox', { name: 'Value, row 2' }).pressSequentially('COOK');
  await page.goBack();
  await press(page, 'Keep editing');
  expect(await page.getByRole('textbox', { name: 'Value, row 2' }).inputValue()).toContain('COOK');
});

describe('export', () => {
  async function exported(page: Page, choice: string): Promise<GivenFile> {
    await press(page, 'Export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: choice }).click(),
    ]);
    const name = download.suggestedFilename();
    return { name, mimeType: 'application/octet-stream', buffer: await readFile(await download.path()) };
  }

  const items = [
    { label: '=1+1', value: 'FORMULA', labels: { de: '007', 'pt-BR': 'Não' }, tags: ['a', 'b'] },
    { label: 'Clerk', validFrom: '2027-01-31', codes: { 'sap.hr': '1-2' }, description: '+49 30' },
    { label: 'Old', retired: true, replacedBy: 'CLERK' },
    ...Array.from({ length: 200 }, (_, index) => ({ label: `Value number ${index}` })),
  ];

  test.each(['Excel (.xlsx)', 'CSV', 'YAML'])('as %s and imported again changes nothing', async (choice) => {
    const list = await desk.makeList(items);
    const page = await openImport(list);
    const file = await exported(page, choice);
    expect(file.name).toStartWith(`${list}.`);
    await choose(page, file);
    if (choice !== 'YAML') await press(page, 'Continue');
    await heading(page, 'This file changes nothing');
    if (choice !== 'YAML') await page.getByText('203 rows without changes').waitFor();
  });

  test('of all lists in one workbook, and imported again changes nothing', async () => {
    await desk.makeList(items);
    const page = await open('lists');
    const file = await exported(page, 'All lists as Excel (.xlsx)');
    await page.goto(`${desk.desk.url}/#/import`);
    await choose(page, file);
    await press(page, 'Continue');
    await heading(page, 'This file changes nothing');
  });

  test('of a template has the columns of the list, and can be filled in', async () => {
    const list = await desk.makeList(items);
    const page = await openImport(list);
    const file = await exported(page, 'Empty template (.xlsx)');
    await choose(page, file);
    await heading(page, 'Check the columns');
    await page.getByRole('button', { name: '“Label (Portuguese (Brazil))” is imported as' }).waitFor();
    await page.getByText('0 rows').waitFor();
  });
});

describe('several lists', () => {
  test('are imported from one file with a column for the list, by name or title', async () => {
    const [one, two] = [await desk.makeList(['Clerk']), await desk.makeList(['Cook'], { title: 'Kitchen jobs' })];
    const page = await open('import');
    await choose(page, csv(`List;Label;Description\n${one};Clerk;writes\nkitchen jobs;Cook;cooks\nNo such;X;y\n`));
    await press(page, 'Continue');
    expect(await faultRows(page)).toEqual([expect.stringMatching(/^Row 4 A List There is no list “No such”/)]);
    await press(page, 'Choose another file');
    await choose(page, csv(`List;Label;Description\n${one};Clerk;writes\nkitchen jobs;Cook;cooks\n`));
    await press(page, 'Continue');
    expect(await planRows(page)).toHaveLength(2);
    await press(page, 'Apply 2 changes');
    await page.getByText('2 changes imported').waitFor();
    const descriptions = async () =>
      (await Promise.all([one, two].map((list) => desk.keptList(list)))).map(({ items }) => items[0]?.description);
    expect(await descriptions()).toEqual(['writes', 'cooks']);
    await press(page, 'Undo');
    await until(async () => (await descriptions()).every((description) => description === null));
  });

  test('of which one is new cannot be undone, because a new list cannot be removed', async () => {
    const list = await desk.makeList(['Clerk']);
    const page = await open('import');
    await choose(page, csv(`List;Label\n${list};Cook\n${list}-new;Cook\n`));
    await press(page, 'Continue');
    await page.getByRole('button', { name: /^Apply/ }).click();
    await page.getByText(/changes imported/).waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await desk.labelsOf(`${list}-new`)).toEqual(['Cook']);
  });

  test('are imported into one chosen list if the file has no such column', async () => {
    const list = await desk.makeList(['Clerk'], { title: 'Chosen list' });
    const page = await open('import');
    await choose(page, csv('Label\nCook\n'));
    await press(page, 'Continue');
    expect(await faultRows(page)).toEqual([expect.stringContaining('Required column missing')]);
    await select(page, /Import into/, 'Chosen list');
    await press(page, 'Continue');
    expect(await planRows(page)).toEqual(['Add Chosen list Cook COOK']);
    await press(page, 'Apply 1 change');
    await page.getByText('1 change imported').waitFor();
    expect(await desk.labelsOf(list)).toEqual(['Clerk', 'Cook']);
  });
});

test('a YAML file is planned by the service, and each fault in it is reported with its line', async () => {
  const list = await desk.makeList(['Clerk']);
  const page = await openImport(list);
  const yaml = (text: string) => ({ name: 'lists.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
  await choose(page, yaml(`lists:\n  ${list}:\n    items:\n      - value: clerk\n        label: Clerk\n`));
  expect(await faultRows(page)).toEqual([expect.stringMatching(/^Line 4 /)]);
  await choose(page, yaml(`lists:\n  ${list}:\n    items:\n      - value: CLERK\n        label: Senior clerk\n`));
  expect(await planRows(page)).toEqual(['Change Senior clerk CLERK Label: Clerk becomes Senior clerk']);
  await press(page, 'Apply 1 change');
  await page.getByText('1 change imported').waitFor();
  await press(page, 'Undo');
  await page.getByText('Undone: 1 change imported').waitFor();
  expect(await desk.labelsOf(list)).toEqual(['Clerk']);
});

test('the page can be German and dark, and fits a phone', async () => {
  const list = await desk.makeList(['Clerk', 'Driver']);
  const look = { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 700 } } as const;
  const page = await desk.enter('E-1001', look, `lists/${list}/import`);
  await choose(page, csv('Bezeichnung;Gültig ab;Gehalt\nClerk;31.12.2027;1\nKöchin;;2\n'));
  await heading(page, 'Spalten prüfen');
  await press(page, 'Weiter');
  await heading(page, 'Was sich ändert');
  await expectAccessible(page, 'import: plan on a phone');
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflow).toBe(0);
  expect((await page.getByRole('button', { name: 'Zurück' }).boundingBox())?.x).toBeGreaterThan(0);
  await press(page, '2 Änderungen übernehmen');
  await page.getByText('2 Änderungen importiert').waitFor();
});
