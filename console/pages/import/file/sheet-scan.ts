// What the reader of workbooks does not tell of a sheet: how far it reaches, and the cells that it leaves out as empty
// although something is wrong with them.
import { notComputed } from './cells.ts';

export interface SheetScan {
  /** Of the last cell, from 1. */
  lastRow: number;
  lastColumn: number;
  cells: number;
  broken: { row: number; column: number; what: string }[];
}

const cellPattern = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
const hasFormula = /<(?:\w+:)?f[\s/>]/;
const result = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</;
const emptyResult = /<(?:\w+:)?v\s*\/>/;

export function scanSheet(xml: string): SheetScan {
  const scan: SheetScan = { lastRow: 0, lastColumn: 0, cells: 0, broken: [] };
  for (const [, attributes = '', content = ''] of xml.matchAll(cellPattern)) {
    // Cells that have a format and nothing in them reach far beyond the last row.
    if (content === '') continue;
    const place = /\br="([A-Z]+)(\d+)"/.exec(attributes);
    if (place === null) continue;
    const row = Number(place[2]);
    const column = columnNumber(place[1] ?? '');
    scan.lastRow = Math.max(scan.lastRow, row);
    scan.lastColumn = Math.max(scan.lastColumn, column);
    scan.cells++;
    const what = whatIsBroken(attributes, content);
    if (what !== undefined) scan.broken.push({ row, column, what });
  }
  return scan;
}

function whatIsBroken(attributes: string, content: string): string | undefined {
  const computed = result.exec(content)?.[1];
  if (/\bt="e"/.test(attributes)) return computed ?? '#N/A';
  if (!hasFormula.test(content) || emptyResult.test(content)) return undefined;
  // A text formula may have the empty text as its result; a number may not.
  const isText = /\bt="str"/.test(attributes);
  return computed === undefined || (computed === '' && !isText) ? notComputed : undefined;
}

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
