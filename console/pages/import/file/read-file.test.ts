import { expect, test } from 'bun:test';
import { strToU8, zipSync } from 'fflate';
import {
  errorCell,
  formula,
  makeWorkbook,
  number,
  serialDate,
  zipWorkbook,
} from '../../../../test/support/workbook.ts';
import type { TableFile } from './cells.ts';
import { readLimits, type Unreadable, UnreadableFile } from './limits.ts';
import { readFile } from './read-file.ts';

const read = async (name: string, bytes: Uint8Array<ArrayBuffer>, limits = readLimits) =>
  (await readFile(name, bytes, limits)) as TableFile;
const rowsOf = async (name: string, bytes: Uint8Array<ArrayBuffer>) => (await read(name, bytes)).sheets[0]?.rows;
const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text));

async function whyNot(name: string, bytes: Uint8Array<ArrayBuffer>, limits = readLimits): Promise<Unreadable> {
  try {
    await readFile(name, bytes, limits);
  } catch (error) {
    if (error instanceof UnreadableFile) return error.why;
  }
  throw new Error('it was read');
}

function utf16(text: string, hasMark: boolean): Uint8Array<ArrayBuffer> {
  const units = Uint16Array.from(hasMark ? `\ufeff${text}` : text, (sign) => sign.charCodeAt(0));
  return new Uint8Array(units.buffer);
}

test('cells of a workbook are text, numbers, days and cached results of formulas', async () => {
  const rows = [
    ['Label', 'Order', 'From', 'Computed'],
    ['Köchin & Koch', number(7), serialDate(46752), formula('A2', 'Chef')],
  ];
  expect(await rowsOf('a.xlsx', makeWorkbook(rows))).toEqual([
    ['Label', 'Order', 'From', 'Computed'],
    ['Köchin & Koch', 7, { day: '2027-12-31' }, 'Chef'],
  ]);
});

test('dates in a workbook that counts from 1904 are read as the workbook shows them', async () => {
  const book = await read('a.xlsx', makeWorkbook([['From'], [serialDate(45290)]], { isFrom1904: true }));
  expect(book.isFrom1904).toBe(true);
  expect(book.sheets[0]?.rows[1]).toEqual([{ day: '2027-12-31' }]);
});

test('a formula without a result and an error do not count as empty cells', async () => {
  const numberFormula = { xml: '<f>1+1</f>' };
  const emptyText = { type: 'str', xml: '<f>""</f><v></v>' };
  const rows = [['Label'], [formula('A9')], [errorCell('#REF!')], [numberFormula], [emptyText], ['end']];
  expect(await rowsOf('a.xlsx', makeWorkbook(rows))).toEqual([
    ['Label'],
    [{ broken: 'formula' }],
    [{ broken: '#REF!' }],
    [{ broken: 'formula' }],
    [null],
    ['end'],
  ]);
});

test.each([
  ['comma, UTF-8', utf8('Label,Tags\r\nKöchin,"a,b"\r\n')],
  ['semicolon, UTF-8 with a byte order mark', utf8('\ufeffLabel;Tags\r\nKöchin;a,b\r\n')],
  ['tab, UTF-16 with a byte order mark', utf16('Label\tTags\r\nKöchin\ta,b\r\n', true)],
  ['semicolon, UTF-16 without a byte order mark', utf16('Label;Tags\r\nKöchin;a,b\r\n', false)],
  ['semicolon, Windows-1252', Uint8Array.from('Label;Tags\r\nK\u00f6chin;a,b\r\n', (sign) => sign.charCodeAt(0))],
])('CSV with %s is read', async (_, bytes) => {
  expect(await rowsOf('a.csv', bytes)).toEqual([
    ['Label', 'Tags'],
    ['Köchin', 'a,b'],
  ]);
});

test('a CSV file may name its separator in the first line, and the rows keep their numbers', async () => {
  expect(await rowsOf('a.csv', utf8('sep=;\r\nLabel;Tags\r\nA;b'))).toEqual([[], ['Label', 'Tags'], ['A', 'b']]);
});

test('text that a CSV file protects from running as a formula is read unchanged', async () => {
  expect(await rowsOf('a.csv', utf8("label\r\n'=SUM(A1)\r\n'tis\r\n"))).toEqual([['label'], ['=SUM(A1)'], ["'tis"]]);
});

test('YAML and JSON are left to the service', async () => {
  expect(await readFile('a.yml', utf8('lists: {}'), readLimits)).toEqual({
    kind: 'document',
    type: 'application/yaml',
    text: 'lists: {}',
  });
  expect(await whyNot('a.json', utf8(' '.repeat(4 * 1024 * 1024 + 1)))).toEqual({
    reason: 'file-too-large',
    bytes: 4_194_305,
    limit: 4_194_304,
  });
});

test('a file larger than the limit is refused with both sizes', async () => {
  const limits = { ...readLimits, fileBytes: 10 };
  expect(await whyNot('a.csv', utf8('Label,Value'), limits)).toEqual({
    reason: 'file-too-large',
    bytes: 11,
    limit: 10,
  });
});

test('a workbook that unpacks to more than the limit is refused because of the size it claims', async () => {
  const bomb = zipWorkbook(' '.repeat(2_000_000));
  expect(bomb.length).toBeLessThan(10_000);
  const why = await whyNot('a.xlsx', bomb, { ...readLimits, unpackedBytes: 1_000_000 });
  expect(why).toMatchObject({ reason: 'unpacked-too-large', limit: 1_000_000 });
  expect('bytes' in why && why.bytes).toBeGreaterThan(2_000_000);
});

test.each([
  ['small', 100],
  ['larger than it is', 3_000_000],
])('a workbook that claims to be %s is refused as damaged, and never unpacked beyond its claim', async (_, claim) => {
  const bomb = zipWorkbook(' '.repeat(2_000_000));
  const view = new DataView(bomb.buffer);
  for (let at = 0; at < bomb.length - 46; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, claim, true);
  }
  expect(await whyNot('a.xlsx', bomb)).toEqual({ reason: 'damaged' });
});

test('a workbook whose entries are encrypted is refused as protected', async () => {
  const workbook = makeWorkbook([['Label']]);
  new DataView(workbook.buffer).setUint16(6, 1, true);
  expect(await whyNot('a.xlsx', workbook)).toEqual({ reason: 'protected' });
});

test.each([
  ['too-many-rows', 'a.csv', utf8('Label\nA\nB\nC\nD\n\n'), 4],
  ['too-many-rows', 'a.xlsx', makeWorkbook([['Label'], ['A'], ['B'], ['C'], ['D']]), 4],
  ['too-many-columns', 'a.csv', utf8('A,B,C,D\n1,2,3,4'), 4],
  ['too-many-columns', 'a.xlsx', makeWorkbook([['A', 'B', 'C', 'D']]), 4],
  [
    'too-many-cells',
    'a.xlsx',
    makeWorkbook([
      ['A', 'B', 'C'],
      ['A', 'B', 'C'],
    ]),
    6,
  ],
])('%s in %s is refused with the count and the limit', async (reason, name, bytes, count) => {
  const limits = { ...readLimits, rows: 3, columns: 3, cells: 5 };
  expect(await whyNot(name, bytes, limits)).toMatchObject({ reason, count });
});

test('distant cells that only have a format do not count', async () => {
  const sheet =
    '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Label</t></is></c></row><row r="900000"><c r="XFD900000" s="1"/></row></sheetData>';
  expect(await rowsOf('a.xlsx', zipWorkbook(sheet))).toEqual([['Label']]);
});

test.each([
  ['empty', 'a.csv', new Uint8Array()],
  ['empty', 'a.csv', utf8('\r\n\r\n')],
  ['damaged', 'a.xlsx', makeWorkbook([['Label']]).slice(0, 300)],
  ['unknown-type', 'a.xlsx', new Uint8Array(zipSync({ 'word/document.xml': strToU8('<a/>') }))],
  ['unknown-type', 'a.pdf', utf8('%PDF')],
  ['old-excel', 'a.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)],
  ['protected', 'a.xlsx', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)],
])('%s: %s is reported, not guessed', async (reason, name, bytes) => {
  expect((await whyNot(name, bytes)).reason).toBe(reason as Unreadable['reason']);
});
