// Reads lists from CSV: each row is an item. There are no columns for titles and versions.

import { columnOf, keyedColumn, plainColumns } from '../rules/columns.ts';
import { itemFields } from '../rules/item.ts';
import { type Cell, parseCsv } from './csv.ts';
import { columnFault, columnNamed, requiredColumns } from './csv-columns.ts';
import { Faults, type Place, WrongFile } from './faults.ts';
import { type Content, isReserved, texts } from './tree.ts';

const mostColumns = 500;

export function readCsvContent(text: string, faults: Faults): Content {
  const { rows, fault } = parseCsv(text);
  if (fault !== undefined) throw new WrongFile([{ field: '', ...fault }]);
  const [head = [], ...body] = rows;
  const columns = readHead(head);
  const rowsOf = new Map<string, Cell[][]>();
  for (const row of body) {
    if (row.length !== head.length) {
      const message = `The row has ${row.length} fields, but the header has ${head.length}`;
      faults.add([], message, placeOf(row[0]));
    }
    const cell = row[columns.get('list') ?? 0];
    const list = cell?.text ?? '';
    if (isReserved(list)) faults.add(['lists', list], texts.reserved, placeOf(cell));
    const rowsSoFar = rowsOf.get(list);
    if (rowsSoFar === undefined) rowsOf.set(list, [row]);
    else rowsSoFar.push(row);
  }
  const fields = itemColumns(columns);
  /**
   * Finds the column of a field. `keys` is the rest of the path of a fault: a key that an index may follow, or the parts of
   * a key that was split at its dots.
   */
  const placedIn = (field: string, keys: readonly string[]) =>
    columns.get(columnOf(field, keys[0] ?? '')) ?? columns.get(columnOf(field, keys.join('.')));
  return {
    value: {
      lists: Object.fromEntries(
        Array.from(rowsOf, ([list, itsRows]) => [list, { items: itsRows.map((row) => readItem(fields, row)) }]),
      ),
    },
    placesOf([, list, , index, field = '', ...keys]) {
      const itsRows = rowsOf.get(String(list)) ?? [];
      // A fault of the list itself is reported at every row of the list, because each row contains the list's name.
      if (index === undefined) return itsRows.map((row) => placeOf(row[columns.get('list') ?? 0]));
      const row = itsRows[Number(index)];
      const column = placedIn(String(field), keys.map(String));
      if (row === undefined || column === undefined) return [placeOf(row?.[0])];
      // In a row that is too short, any field may be the missing one, so faults of absent cells are not reported.
      return row[column] === undefined ? [] : [placeOf(row[column])];
    },
  };
}

const placeOf = ({ line, column }: Place = { line: 1, column: 1 }): Place => ({ line, column });

/** The columns by name. If the header is wrong, no row can be read. */
function readHead(head: readonly Cell[]): Map<string, number> {
  if (head.length > mostColumns) {
    throw new WrongFile([{ field: '', message: `At most ${mostColumns} columns`, ...placeOf(head[mostColumns]) }]);
  }
  const columns = new Map<string, number>();
  const faults = new Faults();
  for (const [index, cell] of head.entries()) {
    const name = columnNamed(cell.text.trim());
    const message = columns.has(name) ? 'Column given twice' : columnFault(name);
    if (message !== undefined) faults.add([name], message, cell);
    columns.set(name, index);
  }
  for (const name of requiredColumns.filter((each) => !columns.has(each))) {
    faults.add([name], 'Required column missing', placeOf(head[0]));
  }
  faults.throwIfAny();
  return columns;
}

type ItemColumn = ReturnType<typeof itemColumns>[number];

/** The columns that are fields of an item, worked out once rather than for each row. */
function itemColumns(columns: ReadonlyMap<string, number>) {
  return Array.from(columns, ([name, index]) => {
    const keyed = keyedColumn(name);
    const field = keyed?.field ?? plainColumns.get(name);
    return { name, index, keyed, holds: field && itemFields[field].holds };
  }).filter(({ name }) => name !== 'list');
}

/** Leaves out a field if its cell is empty. */
function readItem(columns: readonly ItemColumn[], row: readonly Cell[]): object {
  const item: Record<string, unknown> = {};
  const byKey: Record<string, Record<string, unknown>> = {};
  for (const { name, index, keyed, holds } of columns) {
    const content = typedCell(holds, row[index]?.text ?? '');
    if (content === undefined) continue;
    if (keyed === undefined) item[name] = content;
    else {
      const entries = byKey[keyed.field] ?? {};
      entries[keyed.key] = content;
      byKey[keyed.field] = entries;
    }
  }
  return { ...item, ...byKey };
}

/**
 * Converts a cell to the type of its field. In fields that hold words, such as tags, extra spaces are ignored. In other
 * fields they are kept, so that the schema reports them, like cells that cannot be converted.
 */
function typedCell(holds: ItemColumn['holds'], text: string): unknown {
  const areWords = holds === 'words' || holds === 'wordsByKey';
  if ((areWords ? text.trim() : text) === '') return undefined;
  if (areWords) return text.trim().split(/\s+/);
  if (holds === 'number' && /^-?\d+$/.test(text)) return Number(text);
  if (holds === 'status' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}
