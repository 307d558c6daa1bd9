// What a person decides about a table before it is imported, and what was recognised for them. Pure.
import type { Cell, TableFile } from '../file/cells.ts';
import { type Column, recogniseColumns } from './columns.ts';
import { type DayOrder, type FoundOrder, findDayOrder } from './dates.ts';
import type { Field, KnownNames } from '../../../lists/columns/headers.ts';

export interface Choices {
  sheet: number;
  /** The index of the row. */
  headerRow: number;
  columns: Column[];
  /** Answered by the person, by field. */
  dayOrders: Partial<Record<Field, DayOrder>>;
  emptyClears: boolean;
  /** The list that all rows are for; null where a column names it. */
  list: string | null;
}

/** The sheet with the most rows; people keep notes on others. */
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

export interface DateColumn {
  column: Column;
  order: FoundOrder;
  /** A date that can be read both ways. */
  example: string;
}

/** The columns of dates whose order has to be asked for. */
export function ambiguousDates(file: TableFile, { sheet, headerRow, columns }: Choices): DateColumn[] {
  return dateColumns(columns).flatMap((column) => {
    const cells = cellsBelow(file, sheet, headerRow, column);
    const order = findDayOrder(cells);
    const example = cells.find((cell) => typeof cell === 'string' && findDayOrder([cell]) === 'ambiguous');
    return order === 'ambiguous' ? [{ column, order, example: String(example).trim() }] : [];
  });
}

/** Found where the column tells, else as answered. */
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
