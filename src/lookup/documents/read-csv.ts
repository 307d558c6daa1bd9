// Lists as CSV: a row is an item. Titles and versions have no column.

import type { Fault } from '../change.ts';
import { LanguageTag } from '../fields.schema.ts';
import { type Cell, parseCsv } from './csv.ts';
import { Faults, type Place, WrongFile } from './faults.ts';
import { type Content, isReserved, texts } from './tree.ts';

export const csvColumns = ['list', 'value', 'label', 'sortOrder', 'validFrom', 'validTo', 'retired', 'replacedBy'];
const required = ['list', 'value', 'label'];
const mostColumns = 500;

export function readCsvContent(text: string, faults: Faults): Content {
  const { rows, fault } = parseCsv(text);
  if (fault !== undefined) throw new WrongFile([{ field: '', ...fault }]);
  const [head = [], ...body] = rows;
  const columns = readHead(head);
  const rowsOf = new Map<string, Cell[][]>();
  for (const row of body) {
    if (row.length !== head.length) {
      const message = `The row has ${row.length} fields, the header ${head.length}`;
      faults.add([], message, placeOf(row[0]));
    }
    const cell = row[columns.get('list') ?? 0];
    const list = cell?.text ?? '';
    if (isReserved(list)) faults.add(['lists', list], texts.reserved, placeOf(cell));
    const rowsSoFar = rowsOf.get(list);
    if (rowsSoFar === undefined) rowsOf.set(list, [row]);
    else rowsSoFar.push(row);
  }
  return {
    value: {
      lists: Object.fromEntries(
        Array.from(rowsOf, ([list, itsRows]) => [list, { items: itsRows.map((row) => readItem(columns, row)) }]),
      ),
    },
    placesOf([, list, , index, ...field]) {
      const itsRows = rowsOf.get(String(list)) ?? [];
      // Each row has the name of its list.
      if (index === undefined) return itsRows.map((row) => placeOf(row[columns.get('list') ?? 0]));
      const row = itsRows[Number(index)];
      const column = columns.get(field[0] === 'labels' ? `label:${String(field[1])}` : String(field[0]));
      if (row === undefined || column === undefined) return [placeOf(row?.[0])];
      // Which fields a row that is too short lacks is not known.
      return row[column] === undefined ? [] : [placeOf(row[column])];
    },
  };
}

const placeOf = ({ line, column }: Place = { line: 1, column: 1 }): Place => ({ line, column });

/** The columns by name. Without them no row can be read. */
function readHead(head: readonly Cell[]): Map<string, number> {
  if (head.length > mostColumns) {
    throw new WrongFile([{ field: '', message: `At most ${mostColumns} columns`, ...placeOf(head[mostColumns]) }]);
  }
  const columns = new Map<string, number>();
  const faults = new Faults();
  for (const [index, cell] of head.entries()) {
    const name = cell.text.trim();
    const message = columns.has(name) ? 'Column given twice' : columnFault(name);
    if (message !== undefined) faults.add([name], message, cell);
    columns.set(name, index);
  }
  for (const name of required.filter((each) => !columns.has(each))) {
    faults.add([name], 'Required column missing', placeOf(head[0]));
  }
  faults.throwIfAny();
  return columns;
}

function columnFault(name: string): Fault['message'] | undefined {
  if (csvColumns.includes(name)) return undefined;
  if (!name.startsWith('label:')) return 'Unknown column';
  return LanguageTag.safeParse(name.slice(6)).error?.issues[0]?.message;
}

/** An empty cell leaves its field out. */
function readItem(columns: ReadonlyMap<string, number>, row: readonly Cell[]): object {
  const item: Record<string, unknown> = {};
  const labels: Record<string, string> = {};
  for (const [name, index] of columns) {
    const text = row[index]?.text ?? '';
    if (text === '' || name === 'list') continue;
    if (name.startsWith('label:')) labels[name.slice(6)] = text;
    else item[name] = typedCell(name, text);
  }
  return Object.keys(labels).length === 0 ? item : { ...item, labels };
}

/** What cannot be converted stays text, which the schema refuses. */
function typedCell(name: string, text: string): unknown {
  if (name === 'sortOrder' && /^-?\d+$/.test(text)) return Number(text);
  if (name === 'retired' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}
