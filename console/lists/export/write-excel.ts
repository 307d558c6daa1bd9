// Writes a table as an Excel workbook. Text that looks like a number or a date stays text; days are stored as dates.
import writeWorkbook, { type Cell } from 'write-excel-file/universal';
import type { ListTable, TableCell } from './list-table.ts';

/** Number of empty rows below the table that are formatted as text. */
const emptyRows = 200;

export function writeExcel(title: string, { columns, rows }: ListTable): Promise<Blob> {
  const headers = columns.map(({ header }): Cell => ({ value: header, type: String, fontWeight: 'bold' }));
  const widths = columns.map(({ header, field }) => ({ width: Math.max(header.length + 2, widthOf(field)) }));
  const blank = columns.map(({ field }): Cell => emptyCell(field));
  const data = [
    headers,
    ...rows.map((row) => row.map((cell, index) => cellOf(cell, blank[index]))),
    ...Array.from({ length: emptyRows }, () => blank),
  ];
  return writeWorkbook(data, { sheet: sheetName(title), columns: widths, stickyRowsCount: 1 }).toBlob();
}

function cellOf(cell: TableCell, blank: Cell): Cell {
  if (cell === null) return blank;
  if (typeof cell === 'number') return { value: cell, type: Number };
  if (typeof cell === 'string') return { value: cell, type: String, format: '@' };
  return { value: new Date(`${cell.day}T00:00:00Z`), type: Date, format: dayFormat };
}

const dayFormat = 'yyyy-mm-dd';

/** Formats empty cells as text, since a spreadsheet would turn a typed `007` into a number and `1-2` into a date. */
function emptyCell(field: string): Cell {
  if (field === 'sortOrder') return null;
  const isDay = field === 'validFrom' || field === 'validTo';
  return isDay ? { type: Date, format: dayFormat } : { type: String, format: '@' };
}

function widthOf(field: string): number {
  if (field === 'label' || field === 'description' || field.startsWith('label:')) return 32;
  return field === 'value' || field === 'replacedBy' ? 26 : 14;
}

/** In Excel, a sheet's name has at most 31 characters and no brackets, colons or slashes. */
function sheetName(title: string): string {
  const name = title
    .replace(/[[\]:*?/\\]/g, ' ')
    .replace(/^'|'$/g, ' ')
    .trim();
  return Array.from(name).slice(0, 31).join('').trim() || 'List';
}
