// CSV as RFC 4180 has it, with the place of every field, and safe to open in a spreadsheet.

interface Cell {
  text: string;
  line: number;
  column: number;
}

interface ParsedCsv {
  rows: Cell[][];
  fault?: { message: string; line: number; column: number };
}

export function parseCsv(text: string): ParsedCsv {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let line = 1;
  let lineStart = 0;
  let position = 0;
  const here = () => ({ line, column: position - lineStart + 1 });

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
      if (value === undefined) return { rows, fault: { message: 'a quote is opened and not closed', ...start } };
      if (position < text.length && !/[,\r\n]/.test(text[position] ?? '')) {
        return { rows, fault: { message: 'text follows behind a closing quote', ...here() } };
      }
    } else {
      const end = text.slice(position).search(/[,\r\n]/);
      value = end === -1 ? text.slice(position) : text.slice(position, position + end);
      position += value.length;
      if (value.includes('"'))
        return { rows, fault: { message: 'a quote stands within a field that is not quoted', ...start } };
    }
    row.push({ text: unguard(value), ...start });
    if (text[position] === ',') {
      position++;
      // A comma at the very end stands before one more, empty field.
      if (position === text.length || /[\r\n]/.test(text[position] ?? '')) row.push({ text: '', ...here() });
      if (position < text.length && !/[\r\n]/.test(text[position] ?? '')) continue;
    }
    if (text[position] === '\r') position++;
    if (text[position] === '\n') position++;
    line++;
    lineStart = position;
    // A line with nothing on it is no row.
    if (row.length > 1 || row[0]?.text !== '') rows.push(row);
    row = [];
  }
  return { rows };
}

export function writeCsv(rows: readonly (readonly string[])[]): string {
  // The mark at the start tells spreadsheets that this is UTF-8.
  return `\ufeff${rows.map((row) => `${row.map((cell) => quote(guard(cell))).join(',')}\r\n`).join('')}`;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A spreadsheet would run what begins like a formula; a quote before it makes it text, and is taken off on import. */
function guard(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) && !/^-?\d+$/.test(cell) ? `'${cell}` : cell;
}

function unguard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
