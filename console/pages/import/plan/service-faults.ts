// The faults that the service found in a document, at the row and column of the file that it was made from. Pure.
import { type ImportFault, inFileOrder } from './faults.ts';
import type { Field } from '../../../lists/columns/headers.ts';

export interface ServiceFault {
  field: string;
  message: string;
}

const columnPrefix: Record<string, string> = { labels: 'label:', codes: 'code:', parents: 'parent:' };

/** `lists.position.items.3.labels.de` is the column `label:de` of the row that item 3 was made from. */
export function placeFaults(
  faults: readonly ServiceFault[],
  sentRows: ReadonlyMap<string, readonly (number | null)[]>,
  columnOf: ReadonlyMap<Field, number>,
): ImportFault[] {
  return inFileOrder(
    faults.map(({ field, message }) => {
      const [, list = '', index, name = '', ...key] =
        /^lists\.([^.]+)\.items\.(\d+)(?:\.([^.]+)(?:\.(.+))?)?$/.exec(field) ?? [];
      const row = index === undefined ? null : (sentRows.get(list)?.[Number(index)] ?? null);
      const column = columnAt(name, key[0] ?? '', columnOf);
      // What has no place in the file is said with its name.
      return { row, column, message: row === null && field !== '' ? `${field}: ${message}` : message };
    }),
  );
}

/** A key may have dots itself, and what is wrong with one of several values stands after the key. */
function columnAt(name: string, key: string, columnOf: ReadonlyMap<Field, number>): number | null {
  const prefix = columnPrefix[name];
  if (prefix === undefined) return columnOf.get(name) ?? null;
  for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) {
    const column = columnOf.get(prefix + key.slice(0, end));
    if (column !== undefined) return column;
  }
  return null;
}
