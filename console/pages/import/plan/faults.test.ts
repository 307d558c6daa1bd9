import { expect, test } from 'bun:test';
import { type Cell, withCell } from '../file/cells.ts';
import { readLimits } from '../file/limits.ts';
import { readFile } from '../file/read-file.ts';
import { recogniseColumns } from './columns.ts';
import { type BadRows, csvOfRows } from './faults.ts';

const rows: Cell[][] = [
  ['Positions 2027'],
  ['Value', 'Label', 'Available from', 'Salary', 'Available until'],
  ['CLERK', 'Clerk', '31.12.2027', 1, null],
  ['senior clerk', '=Senior; "clerk"', 46752, -5, { day: '2028-01-31' }],
  ['COOK', { broken: '#REF!' }],
];
const { headerRow, columns } = recogniseColumns(rows, { systems: [], lists: [] });
const table = { rows, headerRow, columns, isFrom1904: false };
const badRows: BadRows = new Map([
  [5, [{ row: 5, column: 1, message: 'The cell has the error #REF!' }]],
  [
    4,
    [
      { row: 4, column: 0, message: 'Only capital letters' },
      { row: 4, column: null, message: 'Something else' },
    ],
  ],
]);
const read = async (text: string) => {
  const file = await readFile('rows.csv', new TextEncoder().encode(text), readLimits);
  return file.kind === 'table' ? (file.sheets[0]?.rows ?? []) : [];
};

test.each([',', ';'])(
  'rows that are left out keep their columns, and are read again as they were, with %p',
  async (separator) => {
    const text = csvOfRows(badRows, table, separator);
    expect(await read(text)).toEqual([
      ['Value', 'Label', 'Available from', 'Salary', 'Available until', 'Problem'],
      [
        'senior clerk',
        '=Senior; "clerk"',
        '2027-12-31',
        '-5',
        '2028-01-31',
        'Value: Only capital letters · Something else',
      ],
      // The cell is empty, because its error would be imported as a label.
      ['COOK', '', '', '', '', 'Label: The cell has the error #REF!'],
    ]);
  },
);

test('the column with the reasons is not imported, needs no choice, and is not repeated', async () => {
  const again = await read(csvOfRows(badRows, table, ','));
  const recognised = recogniseColumns(again, { systems: [], lists: [] });
  expect(recognised.columns.at(-1)).toEqual({ index: 5, header: 'Problem', field: '', isUncertain: false });
  const bad: BadRows = new Map([[2, [{ row: 2, column: 0, message: 'Still wrong' }]]]);
  const [headers, first] = await read(csvOfRows(bad, { rows: again, ...recognised, isFrom1904: false }, ','));
  expect(headers?.filter((header) => header === 'Problem')).toHaveLength(1);
  expect(first?.at(-1)).toBe('Value: Still wrong');
});

test('correcting a cell changes nothing else, even if the cell is beyond the end of its row', () => {
  const file = {
    kind: 'table' as const,
    sheets: [
      { name: 'a', rows },
      { name: 'b', rows },
    ],
    isFrom1904: false,
  };
  const corrected = withCell(file, 1, 5, 3, '7');
  expect(corrected.sheets[1]?.rows[4]).toEqual(['COOK', { broken: '#REF!' }, null, '7']);
  expect(corrected.sheets[1]?.rows.slice(0, 4)).toEqual(rows.slice(0, 4));
  expect(corrected.sheets[0]).toBe(file.sheets[0] as (typeof file.sheets)[0]);
  expect(file.sheets[1]?.rows[4]).toEqual(['COOK', { broken: '#REF!' }]);
  expect(withCell(file, 0, 3, 1, ' ').sheets[0]?.rows[2]?.[1]).toBe(null);
});
