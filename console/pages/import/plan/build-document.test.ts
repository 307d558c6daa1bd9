import { expect, test } from 'bun:test';
import { tableOfLists, templateOfList } from '../../../lists/export/list-table.ts';
import { writeExcel } from '../../../lists/export/write-excel.ts';
import type { KeptItem, KeptList } from '../../../shell/api.ts';
import type { Cell, TableFile } from '../file/cells.ts';
import { readLimits } from '../file/limits.ts';
import { readFile } from '../file/read-file.ts';
import { buildDocument, tooLargeFor } from './build-document.ts';
import { recogniseColumns } from './columns.ts';
import { placeFaults } from './faults.ts';
import { readTable } from './table-rows.ts';

const blank: KeptItem = {
  ...{ id: 1, value: 'CLERK', label: 'Clerk', labels: {}, sortOrder: 10, status: 'active', validFrom: null },
  ...{ validTo: null, replacedBy: null, retiredAt: null, codes: {}, tags: [], description: null, parents: {} },
};
const items: KeptItem[] = [
  { ...blank, labels: { de: 'Sachbearbeitung' }, tags: ['a', 'b'], validFrom: '2027-01-01' },
  { ...blank, value: 'COOK', label: 'Köchin', sortOrder: 20 },
  { ...blank, value: 'OLD', label: 'Old', sortOrder: 30, status: 'retired', retiredAt: '2026-01-01T00:00:00.000Z' },
];
const kept: KeptList = {
  ...{ list: 'position', title: 'Positions', titles: {}, description: null, descriptions: {} },
  ...{ readers: null, keepers: null, archived: false },
  ...{ version: 4, items },
};

const noPause = () => undefined;

async function build(
  rows: Cell[][],
  options: { emptyClears?: boolean; retireMissing?: boolean; list?: KeptList } = {},
) {
  const { headerRow, columns } = recogniseColumns(rows, { systems: [], lists: [] });
  const reading = { dayOrders: {}, isFrom1904: false, emptyClears: options.emptyClears ?? false, needsList: false };
  const table = await readTable(rows, headerRow, columns, reading, noPause);
  const targets = [{ name: 'position', kept: options.list ?? kept }];
  const built = await buildDocument(table, targets, () => 'position', options.retireMissing ?? false, noPause);
  const faults = table.faults.faults.map(({ row, column, message }) => [row, column, message]);
  return { ...built, items: built.document.lists.position?.items, faults, table };
}

test('only rows that differ are sent, with the fields that differ and the version', async () => {
  const { document, unchanged, faults } = await build([
    ['Value', 'Label', 'Deutsch', 'Tags', 'Available from'],
    ['CLERK', 'Clerk', 'Sachbearbeitung', 'b, a', '01.01.2027'],
    ['COOK', 'Köchin', 'Köchin', null, null],
  ]);
  expect(faults).toEqual([]);
  expect(document).toEqual({
    lists: { position: { version: 4, items: [{ value: 'COOK', label: 'Köchin', labels: { de: 'Köchin' } }] } },
  });
  expect(unchanged).toBe(1);
});

test('an item is found by value in any case, then by label; a new one gets a value from its label', async () => {
  const rows = [
    ['Value', 'Label', 'Description'],
    ['clerk', 'Senior clerk', null],
    [null, 'KOCHIN', 'cooks'],
    [null, 'Fahrer Süd', null],
    ['FAHRER_SUED_2', 'Fahrer', null],
  ];
  const { items: sent, faults } = await build(rows);
  expect(faults).toEqual([]);
  expect(sent).toEqual([
    { value: 'CLERK', label: 'Senior clerk' },
    { value: 'COOK', label: 'KOCHIN', description: 'cooks' },
    { value: 'FAHRER_SUED', label: 'Fahrer Süd' },
    { value: 'FAHRER_SUED_2', label: 'Fahrer' },
  ]);
});

test('all faults of the file are found at once, by row and column', async () => {
  const { faults } = await build([
    ['Value', 'Label', 'From', 'Until', 'Retired', 'Order', 'Tags', 'Replaced by'],
    ['senior clerk', 'A', 'soon', '31.02.2027', 'perhaps', '1.5', 'a/b', null],
    [null, 'x'.repeat(201), null, null, null, null, null, null],
    [null, null, '01.01.2027', null, null, null, null, null],
    ['CLERK', null, '02.01.2027', '01.01.2027', null, null, null, 'COOK'],
    ['CLERK', 'Clerk', null, null, null, null, null, null],
    ['COOK', 'Köchin', null, null, 'yes', null, null, 'Nobody'],
    [{ broken: '#REF!' }, { broken: 'formula' }, null, null, null, null, null, null],
  ]);
  expect(faults.map(([row, column]) => [row, column])).toEqual([
    ...[
      [2, 2],
      [2, 3],
      [2, 4],
      [2, 5],
      [2, 6],
      [3, 1],
      [8, 0],
      [8, 1],
    ],
    ...[
      [2, 0],
      [4, 1],
      [6, 0],
      [5, 3],
      [5, 7],
      [7, 7],
    ],
  ]);
  expect(faults[8]?.[2]).toContain('SENIOR_CLERK');
});

test('two columns for one field, and no column for the label, are faults', async () => {
  const columns = (fields: string[]) =>
    fields.map((field, index) => ({ index, header: `H${index}`, field, isUncertain: false }));
  const options = { dayOrders: {}, isFrom1904: false, emptyClears: false, needsList: true };
  const twice = (await readTable([[], ['A', 'B']], 0, columns(['label', 'label']), options, noPause)).faults.faults;
  expect(twice.map(({ row, column }) => [row, column])).toEqual([
    [1, 1],
    [null, null],
  ]);
  expect((await readTable([[], ['A']], 0, columns(['tags']), options, noPause)).faults.count).toBe(2);
});

test('an empty cell changes nothing, or clears the field if the user chose that', async () => {
  const rows = [
    ['Value', 'Label', 'Deutsch', 'Tags', 'Available from', 'Retired'],
    ['CLERK', null, null, null, null, null],
    ['OLD', null, null, null, null, null],
  ];
  expect((await build(rows)).items).toBeUndefined();
  expect((await build(rows, { emptyClears: true })).items).toEqual([
    { value: 'CLERK', label: 'Clerk', labels: { de: null }, tags: [], validFrom: null },
    { value: 'OLD', label: 'Old', retired: false },
  ]);
});

test('values that are not in the file are counted, and retired if the user chose that', async () => {
  const rows = [['Label'], ['Clerk'], ['Old']];
  expect(await build(rows)).toMatchObject({ missing: 1, items: undefined });
  expect((await build(rows, { retireMissing: true })).items).toEqual([
    { value: 'OLD', label: 'Old', retired: false },
    { value: 'COOK', label: 'Köchin', retired: true },
  ]);
});

test('a replacement is found by value or label, even in the same file', async () => {
  const rows = [
    ['Label', 'Retired', 'Replaced by'],
    ['Clerk', 'yes', 'Driver'],
    ['Köchin', 'yes', 'CLERK'],
    ['Driver', null, null],
  ];
  expect((await build(rows)).items).toEqual([
    { value: 'CLERK', label: 'Clerk', retired: true, replacedBy: 'DRIVER' },
    { value: 'COOK', label: 'Köchin', retired: true, replacedBy: 'CLERK' },
    { value: 'DRIVER', label: 'Driver' },
  ]);
});

test('a label that both an active and a retired value have stands for the active value', async () => {
  const retired: KeptItem = { ...blank, value: 'FORMER_CLERK', status: 'retired' };
  const rows = [
    ['Label', 'Description'],
    ['Clerk', 'writes'],
  ];
  const built = await build(rows, { list: { ...kept, items: [retired, ...items] } });
  expect(built.faults).toEqual([]);
  expect(built.items).toEqual([{ value: 'CLERK', label: 'Clerk', description: 'writes' }]);
});

test('a label that several values have is a fault', async () => {
  const list = { ...kept, items: [...items, { ...blank, value: 'CLERK_2' }] };
  expect((await build([['Label'], ['Clerk']], { list })).faults).toEqual([
    [2, 0, expect.stringContaining('CLERK, CLERK_2')],
  ]);
});

test("the service's faults are shown at the row and column they come from", async () => {
  const { sentRows, table } = await build([
    ['Label', 'Code: sap.hr'],
    ['Clerk', null],
    ['Köchin', 'K-1'],
    ['New', 'K-1'],
  ]);
  const faults = [
    { field: 'lists.position.items.1.codes.sap.hr', message: 'is the code of another item' },
    { field: 'lists.position.items.0.label', message: 'must be text' },
    { field: 'lists.position.title', message: 'must be text' },
  ];
  expect(placeFaults(faults, sentRows, table.columnOf)).toEqual([
    { row: null, column: null, message: 'lists.position.title: must be text' },
    { row: 3, column: 0, message: 'must be text' },
    { row: 4, column: 1, message: 'is the code of another item' },
  ]);
});

test('a document that is too large for the service is reported with the number of rows that would fit', async () => {
  const rows = [['Label'], ...Array.from({ length: 8000 }, (_, index) => [`${'職'.repeat(190)} ${index}`])];
  const built = await build(rows);
  const size = tooLargeFor(JSON.stringify(built.document), built);
  expect(size).toMatchObject({ limit: 4_194_304, rows: 8000 });
  expect(size?.rowsThatFit).toBeGreaterThan(3000);
  expect(size?.rowsThatFit).toBeLessThan(8000);
  expect(tooLargeFor('{}', built)).toBeUndefined();
});

const exported: KeptItem[] = [
  {
    ...{ ...blank, label: '=1+1', labels: { de: '007', 'pt-BR': 'Não', 'de-LI': 'x' }, codes: { 'sap.hr': '1-2' } },
    ...{ tags: ['a', 'b'], description: '+49 30', validFrom: '2027-01-31', validTo: '2028-02-29', sortOrder: -5 },
    parents: { country: ['AT', 'DE'] },
  },
  {
    ...blank,
    value: 'OLD',
    label: "'Old",
    status: 'retired',
    retiredAt: '2026-01-01T00:00:00.000Z',
    replacedBy: 'CLERK',
  },
  { ...blank, value: 'PLAIN', label: 'Plain', sortOrder: 40 },
];

test('a list exported to Excel and imported again changes nothing, whatever its texts look like', async () => {
  const list = { ...kept, items: exported };
  const workbook = await writeExcel('Positions: [all]', tableOfLists([list]));
  const file = (await readFile('a.xlsx', new Uint8Array(await workbook.arrayBuffer()), readLimits)) as TableFile;
  expect(file.sheets[0]?.name).toBe('Positions   all');
  const { unchanged, faults, document } = await build(file.sheets[0]?.rows ?? [], { list });
  expect(faults).toEqual([]);
  expect(document).toEqual({ lists: {} });
  expect(unchanged).toBe(3);
});

test('a list whose values have no optional fields is exported with only the columns that every export has', () => {
  const { columns, rows } = tableOfLists([{ ...kept, items: [{ ...blank, sortOrder: 0 }] }]);
  expect(columns.map(({ field }, index) => [field, rows[0]?.[index]])).toEqual([
    ...[
      ['value', 'CLERK'],
      ['label', 'Clerk'],
      ['description', null],
      ['validFrom', null],
      ['validTo', null],
    ],
    ...[
      ['retired', null],
      ['replacedBy', null],
      ['tags', null],
      ['sortOrder', 0],
    ],
  ]);
});

test('a template has the columns of the list and no rows', async () => {
  const { columns, rows } = templateOfList({ ...kept, items: exported });
  expect(rows).toEqual([]);
  expect(columns.map(({ field }) => field)).toEqual([
    ...['value', 'label', 'label:de', 'label:de-LI', 'label:pt-BR', 'description', 'validFrom', 'validTo', 'tags'],
    ...['code:sap.hr', 'parent:country'],
  ]);
});
