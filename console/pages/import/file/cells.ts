// The contents of a file before its columns are assigned to fields.

/** A cell that the spreadsheet stores as a date. */
interface DateCell {
  day: string;
}

/** A cell without usable content: an error like `#REF!`, or a formula that was never computed. */
interface BrokenCell {
  broken: string;
}

export type Cell = string | number | boolean | null | DateCell | BrokenCell;

/** Marks a formula without a cached result. */
export const notComputed = 'formula';

export interface Sheet {
  name: string;
  /** `rows[0]` is row 1 of the file. Rows may differ in length. */
  rows: Cell[][];
}

export interface TableFile {
  kind: 'table';
  sheets: Sheet[];
  /** Whether date serial numbers count from 1904. */
  isFrom1904: boolean;
}

/** A file that the service parses, not the console. */
export interface DocumentFile {
  kind: 'document';
  type: 'application/yaml' | 'application/json';
  text: string;
}

export type ReadFile = TableFile | DocumentFile;

export const isDateCell = (cell: Cell | undefined): cell is DateCell =>
  typeof cell === 'object' && cell !== null && 'day' in cell;
export const isBrokenCell = (cell: Cell | undefined): cell is BrokenCell =>
  typeof cell === 'object' && cell !== null && 'broken' in cell;

/** The trimmed text of a cell; an empty string if the cell is empty or its formula was never computed. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (isDateCell(cell)) return cell.day;
  if (isBrokenCell(cell)) return cell.broken === notComputed ? '' : cell.broken;
  return String(cell).trim();
}

export const isEmptyCell = (cell: Cell | undefined) =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

/** The file with one cell changed to what the user typed. `row` is 1-based. */
export function withCell(file: TableFile, sheet: number, row: number, column: number, text: string): TableFile {
  const sheets = file.sheets.with(sheet, changedSheet(file.sheets[sheet] ?? { name: '', rows: [] }, row, column, text));
  return { ...file, sheets };
}

function changedSheet({ name, rows }: Sheet, row: number, column: number, text: string): Sheet {
  const cells = [...(rows[row - 1] ?? [])];
  // A row may be shorter than the header.
  while (cells.length <= column) cells.push(null);
  cells[column] = text.trim() === '' ? null : text;
  return { name, rows: rows.with(row - 1, cells) };
}

/** `0` is `A`, `27` is `AB`. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
