// Reads CSV files as spreadsheet programs in any country write them.
import { parse } from 'papaparse';
import type { TableFile } from './cells.ts';
import { type ReadLimits, UnreadableFile } from './limits.ts';

/** How far into the file to look for the header row, in characters. */
const longestHeaders = 100_000;

export function readCsv(bytes: Uint8Array, limits: ReadLimits): TableFile {
  // Excel may name the separator in an extra first line such as `sep=;`.
  const text = decodeText(bytes);
  const separator = /^sep=(.)\r?\n/i.exec(text);
  const { data } = parse<string[]>(separator === null ? text : text.slice(separator[0].length), {
    delimiter: separator?.[1] ?? separatorOf(text),
    preview: limits.rows + 2,
  });
  if (separator !== null) data.unshift([]);
  while (data.at(-1)?.every((cell) => cell.trim() === '')) data.pop();
  if (data.length > limits.rows + 1) {
    throw new UnreadableFile({ reason: 'too-many-rows', count: countLines(text) - 1, limit: limits.rows });
  }
  const columns = data.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns > limits.columns) {
    throw new UnreadableFile({ reason: 'too-many-columns', count: columns, limit: limits.columns });
  }
  return { kind: 'table', sheets: [{ name: '', rows: data.map((row) => row.map(unguard)) }], isFrom1904: false };
}

/** Counts the lines of a file with too many rows to parse. A cell with line breaks counts as several lines. */
function countLines(text: string): number {
  const end = text.trimEnd().length;
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** The most frequent separator outside quotes in the header row. */
function separatorOf(text: string): string {
  const headers = (/^\s*(.*)/.exec(text.slice(0, longestHeaders))?.[1] ?? '').replace(/"[^"]*"/g, '');
  const counts = [';', '\t', ','].map((sign) => ({ sign, count: headers.split(sign).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most), { sign: ',', count: 1 }).sign;
}

/** Removes the quote that exports put before cells that look like formulas. */
function unguard(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** Decodes UTF-8, and UTF-16 with or without a byte order mark. Anything else is read as Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Encoding(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function utf16Encoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // In UTF-16, every second byte of Latin text is zero.
  if (bytes.length >= 4 && bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0) return 'utf-16le';
  if (bytes.length >= 4 && bytes[0] === 0 && bytes[2] === 0 && bytes[1] !== 0) return 'utf-16be';
  return undefined;
}
