import { columnOf } from '../../../../src/lookup/rules/columns.ts';
import type { Field } from '../../../lists/columns/headers.ts';

// The faults of a file, by row and column.

export interface ImportFault {
  /** 1-based, as in the spreadsheet; null for the whole file or a column. */
  row: number | null;
  /** Index of the column; null for the whole row. */
  column: number | null;
  message: string;
}

/** Stores a limited number of faults, since a wrong column has a fault in every row. */
export class FaultList {
  readonly faults: ImportFault[] = [];
  /** Total number of faults, including those beyond the limit. */
  count = 0;
  readonly #rows = new Set<number>();
  readonly #most: number;

  constructor(most = 1000) {
    this.#most = most;
  }

  add(row: number | null, column: number | null, message: string): void {
    this.count++;
    if (row !== null) this.#rows.add(row);
    if (this.faults.length < this.#most) this.faults.push({ row, column, message });
  }

  has(row: number): boolean {
    return this.#rows.has(row);
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
