// Handmade workbooks with content that spreadsheet programs write, but the console's own export does not: formulas, errors,
// dates as numbers.
import { strToU8, type Zippable, zipSync } from 'fflate';

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The text of a cell, or its XML with its type and style. A day is a number with a date format. */
export type RawCell = string | { type?: string; style?: number; xml: string } | null;

export const number = (value: number): RawCell => ({ xml: `<v>${value}</v>` });
/** A number that is formatted as a date. */
export const serialDate = (serial: number): RawCell => ({ style: 1, xml: `<v>${serial}</v>` });
export const formula = (code: string, result?: string): RawCell => ({
  type: 'str',
  xml: `<f>${code}</f>${result === undefined ? '' : `<v>${result}</v>`}`,
});
export const errorCell = (error: string): RawCell => ({ type: 'e', xml: `<f>A1</f><v>${error}</v>` });

export function makeWorkbook(rows: readonly (readonly RawCell[])[], options: { isFrom1904?: boolean } = {}) {
  return zipWorkbook(`<sheetData>${rows.map(rowXml).join('')}</sheetData>`, options);
}

export function zipWorkbook(sheetContent: string, { isFrom1904 = false } = {}): Uint8Array<ArrayBuffer> {
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><workbookPr${isFrom1904 ? ' date1904="1"' : ''}/><sheets><sheet name="Positions" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet ${main}><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}>${sheetContent}</worksheet>`,
  };
  const zippable: Zippable = {};
  for (const [name, content] of Object.entries(files)) zippable[name] = strToU8(head + content);
  return new Uint8Array(zipSync(zippable));
}

const relations = (targets: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${packages}/relationships">${targets.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

function rowXml(cells: readonly RawCell[], index: number): string {
  const xml = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${index + 1}`));
  return `<row r="${index + 1}">${xml.join('')}</row>`;
}

function cellXml(cell: RawCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
  const type = cell.type === undefined ? '' : ` t="${cell.type}"`;
  return `<c r="${place}"${type}${cell.style === undefined ? '' : ` s="${cell.style}"`}>${cell.xml}</c>`;
}

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
