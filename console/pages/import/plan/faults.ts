import { columnOf } from '../../../../src/lookup/rules/columns.ts';
import type { Field } from '../../../lists/columns/headers.ts';
import { csvLine } from '../../../parts/catalogue.ts';
import { type Cell, cellText, isBrokenCell } from '../file/cells.ts';
import { type Column, reasonHeader } from './columns.ts';
import { readDay } from './dates.ts';

// The faults of a file, by row and column.

export interface ImportFault {
  /** 1-based, as in the spreadsheet; null for the whole file or a column. */
  row: number | null;
  /** Index of the column; null for the whole row. */
  column: number | null;
  message: string;
}

/** The faults of rows, by row number. */
export type BadRows = Map<number, ImportFault[]>;

/** Maximum number of faults kept for each row. */
const maxPerRow = 5;

export function addToRow(rows: BadRows, fault: ImportFault): void {
  if (fault.row === null) return;
  const its = rows.get(fault.row);
  if (its === undefined) rows.set(fault.row, [fault]);
  else if (its.length < maxPerRow) its.push(fault);
}

/** Stores a limited number of faults, since a wrong column has a fault in every row. */
export class FaultList {
  readonly faults: ImportFault[] = [];
  /** Total number of faults, including those beyond the limit. */
  count = 0;
  /** The first faults of each row that has any. */
  readonly rows: BadRows = new Map();
  /** Whether any fault is outside the rows of values. If so, leaving out rows does not help. */
  isOutsideRows = false;
  readonly #most: number;
  readonly #headerRow: number;

  /** `headerRow` is 1-based. */
  constructor(headerRow: number, most = 1000) {
    this.#headerRow = headerRow;
    this.#most = most;
  }

  add(row: number | null, column: number | null, message: string): void {
    this.count++;
    if (row === null || row <= this.#headerRow) this.isOutsideRows = true;
    else addToRow(this.rows, { row, column, message });
    if (this.faults.length < this.#most) this.faults.push({ row, column, message });
  }

  has(row: number): boolean {
    return this.rows.has(row);
  }
}

/** Sorts faults by row, then by column. */
export function inFileOrder(faults: readonly ImportFault[]): ImportFault[] {
  return faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || (a.column ?? -1) - (b.column ?? -1));
}

interface ServiceFault {
  field: string;
  message: string;
}

/**
 * Places the service's faults in the file: `lists.position.items.3.labels.de` is the column `label:de` of the row that
 * item 3 was built from. Pure.
 */
export function placeFaults(
  faults: readonly ServiceFault[],
  sentRows: ReadonlyMap<string, readonly (number | null)[]>,
  columns: ReadonlyMap<Field, number>,
): ImportFault[] {
  return inFileOrder(
    faults.map(({ field, message }) => {
      const [, list = '', index, name = '', ...key] =
        /^lists\.([^.]+)\.items\.(\d+)(?:\.([^.]+)(?:\.(.+))?)?$/.exec(field) ?? [];
      const row = index === undefined ? null : (sentRows.get(list)?.[Number(index)] ?? null);
      const column = columnAt(name, key[0] ?? '', columns);
      // If a fault does not belong to a row of the file, its message names the field.
      return { row, column, message: row === null && field !== '' ? `${field}: ${message}` : message };
    }),
  );
}

/** Finds a keyed column, such as `code:sap.hr`. The key may contain dots and be followed by an index. */
function columnAt(name: string, key: string, columns: ReadonlyMap<Field, number>): number | null {
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) {
    const column = columns.get(columnOf(name, key.slice(0, end)));
    if (column !== undefined) return column;
  }
  return columns.get(name) ?? null;
}

interface FaultyRows {
  rows: readonly Cell[][];
  /** Index of the header row. */
  headerRow: number;
  columns: readonly Column[];
  isFrom1904: boolean;
}

/**
 * Writes the left-out rows as a CSV file, which the user can correct and import. It contains all columns of the user's
 * file and a column with the reasons.
 */
export function csvOfRows(badRows: BadRows, { rows, headerRow, columns, isFrom1904 }: FaultyRows, separator: string) {
  const header = rows[headerRow] ?? [];
  const numbers = [...badRows.keys()].sort((a, b) => a - b);
  const all = numbers.map((row) => rows[row - 1] ?? []);
  const width = [header, ...all].reduce((most, row) => Math.max(most, row.length), 0);
  const headers = Array.from({ length: width }, (_, index) => cellText(header[index]));
  // The imported file may itself be a file of left-out rows.
  const shown = headers.flatMap((text, index) => (text === reasonHeader ? [] : [index]));
  const dates = new Set(columns.filter(({ field }) => isDay(field)).map(({ index }) => index));
  const lines = numbers.map((row, at) => {
    const cells = shown.map((index) => textOf(all[at]?.[index], dates.has(index), isFrom1904));
    return csvLine([...cells, reasonsOf(badRows.get(row) ?? [], headers)], separator);
  });
  return `\uFEFF${csvLine([...shown.map((index) => headers[index] ?? ''), reasonHeader], separator)}${lines.join('')}`;
}

const isDay = (field: Field) => field === 'validFrom' || field === 'validTo';

/** A cell as text that the import reads in the same way. Errors are left empty: `#REF!` would be read as a label. */
function textOf(cell: Cell | undefined, isDate: boolean, isFrom1904: boolean): string {
  if (isBrokenCell(cell)) return '';
  // A spreadsheet stores a date as a number.
  if (isDate && typeof cell === 'number') return readDay(cell, 'day-first', isFrom1904) ?? String(cell);
  return cellText(cell);
}

const reasonsOf = (faults: readonly ImportFault[], headers: readonly string[]) =>
  faults.map(({ column, message }) => (column === null ? message : `${headers[column] ?? ''}: ${message}`)).join(' · ');
