// Reads Excel workbooks (.xlsx). Limits are checked before and during unpacking.
import { type UnzipFileFilter, type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import { type Cell, notComputed, type Sheet, type TableFile } from './cells.ts';
import { type ReadLimits, UnreadableFile } from './limits.ts';

const wantedEntry = /^(?:\[Content_Types\]|xl\/(?:workbook|styles|sharedStrings|worksheets\/[^/]+))\.xml$|\.rels$/i;
const maxEntries = 2000;

export async function readExcel(bytes: Uint8Array<ArrayBuffer>, limits: ReadLimits): Promise<TableFile> {
  const files = unpack(bytes, limits);
  const workbook = new TextDecoder().decode(files.get('xl/workbook.xml'));
  const scans = scanSheets(files, limits);
  const sheets = await readSheets(files);
  return {
    kind: 'table',
    sheets: sheets.map((sheet, index) => markBroken(sheet, scans[index])),
    isFrom1904: /\bdate1904="(?:1|true)"/.test(workbook),
  };
}

/**
 * Refuses a workbook if the sizes in its ZIP directory are too large. No entry is unpacked beyond the size in the
 * directory: a longer entry is cut off, and readSheets refuses its incomplete XML.
 */
function unpack(bytes: Uint8Array, { unpackedBytes }: ReadLimits): Map<string, Uint8Array> {
  const isEncrypted = ((bytes[6] ?? 0) & 1) === 1;
  if (isEncrypted) throw new UnreadableFile({ reason: 'protected' });
  let entries = 0;
  let claimed = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    if (++entries > maxEntries) throw new UnreadableFile({ reason: 'damaged' });
    if (!wantedEntry.test(name)) return false;
    claimed += originalSize;
    if (claimed <= unpackedBytes) return true;
    throw new UnreadableFile({ reason: 'unpacked-too-large', bytes: claimed, limit: unpackedBytes });
  };
  const files = new Map(Object.entries(unzipOrRefuse(bytes, filter)));
  const unpacked = [...files.values()].reduce((sum, content) => sum + content.length, 0);
  if (unpacked !== claimed) throw new UnreadableFile({ reason: 'damaged' });
  if (!files.has('xl/workbook.xml')) throw new UnreadableFile({ reason: 'unknown-type' });
  return files;
}

function unzipOrRefuse(bytes: Uint8Array, filter: UnzipFileFilter) {
  try {
    return unzipSync(bytes, { filter });
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : new UnreadableFile({ reason: 'damaged' }, cause);
  }
}

/** Scans the sheets in the order in which they are read. */
function scanSheets(files: ReadonlyMap<string, Uint8Array>, limits: ReadLimits): SheetScan[] {
  const decoder = new TextDecoder();
  const targets = sheetPaths(decoder.decode(files.get('xl/workbook.xml')), decoder.decode(relationsOf(files)));
  let cells = 0;
  return targets.map((path) => {
    const scan = scanSheet(decoder.decode(files.get(path)));
    cells += scan.cells;
    if (scan.lastRow > limits.rows + 1) throw tooMany('too-many-rows', scan.lastRow - 1, limits.rows);
    if (scan.lastColumn > limits.columns) throw tooMany('too-many-columns', scan.lastColumn, limits.columns);
    if (cells > limits.cells) throw tooMany('too-many-cells', cells, limits.cells);
    return scan;
  });
}

const tooMany = (reason: 'too-many-rows' | 'too-many-columns' | 'too-many-cells', count: number, limit: number) =>
  new UnreadableFile({ reason, count, limit });

const relationsOf = (files: ReadonlyMap<string, Uint8Array>) => files.get('xl/_rels/workbook.xml.rels');

function sheetPaths(workbook: string, relations: string): string[] {
  const targets = new Map<string, string>();
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)) {
    const id = /\bId="([^"]*)"/.exec(tag)?.[1];
    const target = /\bTarget="([^"]*)"/.exec(tag)?.[1];
    if (id !== undefined && target !== undefined) targets.set(id, target);
  }
  return Array.from(workbook.matchAll(/<(?:\w+:)?sheet\b[^>]*>/g), ([tag]) => {
    const target = targets.get(/\br?:?id="([^"]*)"/.exec(tag)?.[1] ?? '') ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  });
}

/** Packs the files again without compression, so that the library only sees what was unpacked within the limits. */
async function readSheets(files: ReadonlyMap<string, Uint8Array>): Promise<Sheet[]> {
  try {
    const sheets = await readWorkbook(zipSync(Object.fromEntries(files), { level: 0 }).buffer);
    return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellOf)) }));
  } catch (cause) {
    throw new UnreadableFile({ reason: 'damaged' }, cause);
  }
}

function cellOf(content: unknown): Cell {
  // The library returns dates in UTC. The time of day is dropped.
  if (content instanceof Date) return { day: content.toISOString().slice(0, 10) };
  if (typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean') return content;
  return null;
}

function markBroken(sheet: Sheet, scan: SheetScan | undefined): Sheet {
  for (const { row, column, what } of scan?.broken ?? []) {
    while (sheet.rows.length < row) sheet.rows.push([]);
    const cells = sheet.rows[row - 1] ?? [];
    while (cells.length < column) cells.push(null);
    cells[column - 1] = { broken: what };
  }
  return sheet;
}

interface SheetScan {
  /** The 1-based row of the last cell with content. */
  lastRow: number;
  lastColumn: number;
  cells: number;
  broken: { row: number; column: number; what: string }[];
}

const cellPattern = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
const hasFormula = /<(?:\w+:)?f[\s/>]/;
const result = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</;
const emptyResult = /<(?:\w+:)?v\s*\/>/;

/** Finds what the library does not report: the size of a sheet, and broken cells, which the library reads as empty. */
function scanSheet(xml: string): SheetScan {
  const scan: SheetScan = { lastRow: 0, lastColumn: 0, cells: 0, broken: [] };
  for (const [, attributes = '', content = ''] of xml.matchAll(cellPattern)) {
    // Cells with a format but no content are ignored, because they can be far below the last row.
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
  // An empty result counts as computed only if it is text: a number, for example, is never empty.
  const isText = /\bt="str"/.test(attributes);
  return computed === undefined || (computed === '' && !isText) ? notComputed : undefined;
}

function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
