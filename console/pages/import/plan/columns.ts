// Finds the header row of a sheet, and the field of each column.
import { type Field, fieldOfHeader, type KnownNames } from '../../../lists/columns/headers.ts';
import { type Cell, cellText, isEmptyCell } from '../file/cells.ts';

export interface Column {
  /** The 0-based index of the column. */
  index: number;
  header: string;
  /** Empty if the column is ignored. */
  field: Field;
  /** Whether the user should check the field: the header is unknown, or another column has the same field. */
  isUncertain: boolean;
}

interface RecognisedColumns {
  /** Index of the header row. */
  headerRow: number;
  columns: Column[];
}

/** The header of the column with the reasons, in a file of left-out rows. It is the same in both languages. */
export const reasonHeader = 'Problem';

/** The first rows are searched for headers, since titles above the headers are common. */
const maxRowsAbove = 10;

export function recogniseColumns(rows: readonly Cell[][], known: KnownNames): RecognisedColumns {
  const candidates = rows.slice(0, maxRowsAbove).map((row) => row.map((cell) => recognise(cell, known)));
  let headerRow = Math.max(
    0,
    rows.findIndex((row) => row.some((cell) => !isEmptyCell(cell))),
  );
  let most = 0;
  for (const [index, fields] of candidates.entries()) {
    const count = new Set(fields.filter((field) => field !== undefined)).size;
    if (count > most) [most, headerRow] = [count, index];
  }
  return { headerRow, columns: columnsOf(rows, headerRow, known) };
}

function columnsOf(rows: readonly Cell[][], headerRow: number, known: KnownNames): Column[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const used = usedColumns(rows, headerRow, width);
  const taken = new Set<Field>();
  const columns: Column[] = [];
  for (let index = 0; index < width; index++) {
    const cell = rows[headerRow]?.[index];
    const header = cellText(cell);
    if (header === '' && used[index] !== true) continue;
    const field = recognise(cell, known);
    const isFree = field !== undefined && !taken.has(field);
    if (isFree) taken.add(field);
    columns.push({ index, header, field: isFree ? field : '', isUncertain: !isFree && header !== reasonHeader });
  }
  return columns;
}

const recognise = (cell: Cell | undefined, known: KnownNames) => fieldOfHeader(cellText(cell), known);

/** Whether each column has content below its header. */
function usedColumns(rows: readonly Cell[][], headerRow: number, width: number): boolean[] {
  const used = new Array<boolean>(width).fill(false);
  for (const row of rows.slice(headerRow + 1)) {
    for (const [index, cell] of row.entries()) if (!isEmptyCell(cell)) used[index] = true;
  }
  return used;
}
