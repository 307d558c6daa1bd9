// The choices for importing a table: proposed from the file, then confirmed or changed by the user. Pure.
import type { Field, KnownNames } from '../../../lists/columns/headers.ts';
import type { Cell, TableFile } from '../file/cells.ts';
import { type Column, recogniseColumns } from './columns.ts';
import { type DayOrder, findDayOrder } from './dates.ts';

export interface Choices {
  sheet: number;
  /** Index of the header row. */
  headerRow: number;
  columns: Column[];
  /** The order of day and month that the user chose, by field. */
  dayOrders: Partial<Record<Field, DayOrder>>;
  emptyClears: boolean;
  /** The list into which all rows are imported; null if a column names the list of each row. */
  list: string | null;
}

/** Starts with the sheet that has the most rows, since other sheets often contain only notes. */
export function firstChoices(file: TableFile, known: KnownNames, list: string | null): Choices {
  const most = Math.max(...file.sheets.map(({ rows }) => rows.length));
  return choicesForSheet(
    file,
    file.sheets.findIndex(({ rows }) => rows.length === most),
    known,
    list,
  );
}

export function choicesForSheet(file: TableFile, sheet: number, known: KnownNames, list: string | null): Choices {
  const recognised = recogniseColumns(rowsOf(file, sheet), known);
  return { sheet, ...recognised, dayOrders: {}, emptyClears: false, list };
}

export const rowsOf = (file: TableFile, sheet: number): Cell[][] => file.sheets[sheet]?.rows ?? [];

interface DateColumn {
  column: Column;
  /** A date that can be read both with the day first and with the month first. */
  example: string;
}

/** The date columns for which the user must choose the order of day and month. */
export function ambiguousDates(file: TableFile, { sheet, headerRow, columns }: Choices): DateColumn[] {
  return dateColumns(columns).flatMap((column) => {
    const cells = cellsBelow(file, sheet, headerRow, column);
    const order = findDayOrder(cells);
    const example = cells.find((cell) => typeof cell === 'string' && findDayOrder([cell]) === 'ambiguous');
    return order === 'ambiguous' ? [{ column, example: String(example).trim() }] : [];
  });
}

/** The order of day and month, by field: the order found in the column or, if there is none, the user's choice. */
export function dayOrdersOf(file: TableFile, choices: Choices): Partial<Record<Field, DayOrder>> {
  const { sheet, headerRow, columns, dayOrders } = choices;
  const found = dateColumns(columns).map((column) => {
    const order = findDayOrder(cellsBelow(file, sheet, headerRow, column));
    const isFound = order === 'day-first' || order === 'month-first';
    return [column.field, isFound ? order : dayOrders[column.field]] as const;
  });
  return Object.fromEntries(found.filter(([, order]) => order !== undefined));
}

const dateColumns = (columns: readonly Column[]) =>
  columns.filter(({ field }) => field === 'validFrom' || field === 'validTo');

const cellsBelow = (file: TableFile, sheet: number, headerRow: number, { index }: Column) =>
  rowsOf(file, sheet)
    .slice(headerRow + 1)
    .map((row) => row[index]);
