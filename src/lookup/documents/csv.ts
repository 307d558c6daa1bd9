// Reads CSV (RFC 4180) with the position of every field, and writes CSV that is safe to open in a spreadsheet.
import type { Pauses } from '../../base/pauses.ts';

export interface Cell {
  text: string;
  line: number;
  column: number;
}

interface ParsedCsv {
  rows: Cell[][];
  fault?: { message: string; line: number; column: number };
}

export function parseCsv(text: string): ParsedCsv {
  // Spreadsheets write semicolons where the comma is the decimal separator, and tabs on request.
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const separator = [',', ';', '\t'].find((sign) => firstLine.includes(sign)) ?? ',';
  const untilEnd = new RegExp(`[^${separator}\\r\\n]*`, 'y');
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let line = 1;
  let lineStart = 0;
  let position = 0;
  const here = () => ({ line, column: position - lineStart + 1 });
  const findEnd = () => {
    untilEnd.lastIndex = position;
    untilEnd.test(text);
    return untilEnd.lastIndex;
  };

  function readQuoted(): string | undefined {
    let value = '';
    for (position++; position < text.length; position++) {
      if (text[position] !== '"') {
        if (text[position] === '\n') {
          line++;
          lineStart = position + 1;
        }
        value += text[position];
      } else if (text[position + 1] === '"') {
        value += '"';
        position++;
      } else {
        position++;
        return value;
      }
    }
    return undefined;
  }

  while (position < text.length) {
    const start = here();
    let value: string | undefined;
    if (text[position] === '"') {
      value = readQuoted();
      if (value === undefined) return { rows, fault: { message: 'Quote not closed', ...start } };
      if (findEnd() > position) {
        return { rows, fault: { message: 'Text after a closing quote', ...here() } };
      }
    } else {
      value = text.slice(position, findEnd());
      position += value.length;
      if (value.includes('"')) return { rows, fault: { message: 'Quote within a field that is not quoted', ...start } };
    }
    row.push({ text: unguard(value), ...start });
    if (text[position] === separator) {
      position++;
      // After a separator at the end of a line there is one more field, which is empty.
      if (position === text.length || /[\r\n]/.test(text[position] ?? '')) row.push({ text: '', ...here() });
      if (position < text.length && !/[\r\n]/.test(text[position] ?? '')) continue;
    }
    if (text[position] === '\r') position++;
    if (text[position] === '\n') position++;
    line++;
    lineStart = position;
    // A line without any text is not a row.
    if (row.some((cell) => cell.text !== '')) rows.push(row);
    row = [];
  }
  return { rows: withoutEmptyColumns(rows) };
}

/** Spreadsheets write empty columns after the last one in use. */
function withoutEmptyColumns(rows: Cell[][]): Cell[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex(({ text }) => text !== '') + 1), 0);
  return rows.map((row) => (row.length > width ? row.slice(0, width) : row));
}

export async function writeCsv(rows: readonly (readonly string[])[], pauses: Pauses): Promise<string> {
  const lines = await pauses.map(rows, (row) => `${row.map((cell) => quote(guard(cell))).join(',')}\r\n`);
  // The byte order mark makes spreadsheets read the file as UTF-8.
  return `\ufeff${lines.join('')}`;
}

function quote(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Adds an apostrophe to a cell that looks like a formula, so that a spreadsheet treats the cell as text. `unguard`
 * removes the apostrophe on import.
 */
function guard(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) && !/^-?\d+$/.test(cell) ? `'${cell}` : cell;
}

function unguard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
