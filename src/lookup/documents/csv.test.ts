import { expect, test } from 'bun:test';
import { Pauses } from '../../base/pauses.ts';
import { parseCsv, writeCsv } from './csv.ts';

const texts = (csv: string) => parseCsv(csv).rows.map((row) => row.map(({ text }) => text));

test.each([
  [
    'plain',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'with CR LF and no line break at the end',
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['with quotes, commas and line breaks', '"a ""b""","c,d","e\nf"\n', [['a "b"', 'c,d', 'e\nf']]],
  [
    'with empty fields, empty rows and empty columns at the end',
    'a,,c,\n,,,\nd,e,f,\n',
    [
      ['a', '', 'c'],
      ['d', 'e', 'f'],
    ],
  ],
  [
    'with semicolons',
    'a;b\nc;"d;e"\n',
    [
      ['a', 'b'],
      ['c', 'd;e'],
    ],
  ],
  [
    'with empty lines',
    'a,b\n\n\nc,d\n\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['with one column', 'a\nb\n', [['a'], ['b']]],
  ['empty', '', []],
])('a file %s is read', (_, csv, rows) => {
  expect(texts(csv)).toEqual(rows);
});

test('every field has its position, even after a line break within quotes', () => {
  const { rows } = parseCsv('ab,"c\nd",e\nf,g,h\n');
  expect(rows.flat().map(({ text, line, column }) => [text, line, column])).toEqual([
    ['ab', 1, 1],
    ['c\nd', 1, 4],
    ['e', 2, 4],
    ['f', 3, 1],
    ['g', 3, 3],
    ['h', 3, 5],
  ]);
});

test.each([
  ['"open', { line: 1, column: 1 }],
  ['a\n"b"c', { line: 2, column: 4 }],
  ['a,b"c', { line: 1, column: 3 }],
])('%p is refused with the position of the fault', (csv, place) => {
  expect(parseCsv(csv).fault).toMatchObject(place);
});

test('rows that were written are read back unchanged', async () => {
  const rows = [
    ['plain', 'a,b', 'say "hi"', 'two\r\nlines', '', ' blank '],
    ['=SUM(A1)', '+1', '-1+1', '@x', "'quoted", "'=x"],
    ['-5', '10', 'é😀', '日本', '\t', "''"],
  ];
  expect(texts((await writeCsv(rows, new Pauses())).slice(1))).toEqual(rows);
});

test('fields that a spreadsheet would execute are escaped', async () => {
  const written = await writeCsv([['=cmd()', '+cmd', '-cmd', '@cmd', '\tcmd', '-5']], new Pauses());
  expect(written).toBe("\ufeff'=cmd(),'+cmd,'-cmd,'@cmd,\"'\tcmd\",-5\r\n");
});
