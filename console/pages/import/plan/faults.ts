// What is wrong with a file, by row and column.

export interface ImportFault {
  /** As the spreadsheet counts, from 1; null where it is the whole file or a column. */
  row: number | null;
  /** The index of the column; null where it is the whole row. */
  column: number | null;
  message: string;
}

/** Collected up to a limit: a wrong column has a fault in every row. */
export class FaultList {
  readonly faults: ImportFault[] = [];
  /** Of all, also those beyond the limit. */
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

/** As somebody would go through the file. */
export function inFileOrder(faults: readonly ImportFault[]): ImportFault[] {
  return faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || (a.column ?? -1) - (b.column ?? -1));
}
