// Reads a chosen file of any kind, within limits. Runs in a worker.
import { largestDocumentBytes } from '../../../../src/lookup/rules/list.ts';
import type { ReadFile } from './cells.ts';
import { type ReadLimits, UnreadableFile } from './limits.ts';
import { decodeText, readCsv } from './read-csv.ts';
import { readExcel } from './read-excel.ts';

export async function readFile(name: string, bytes: Uint8Array<ArrayBuffer>, limits: ReadLimits): Promise<ReadFile> {
  refuseLarger(bytes.length, limits.fileBytes);
  if (bytes.length === 0) throw new UnreadableFile({ reason: 'empty' });
  const ending = name.split('.').pop()?.toLowerCase() ?? '';
  const read = isZip(bytes) ? await readExcel(bytes, limits) : readText(ending, bytes, limits);
  if (read.kind === 'table' && read.sheets.every(({ rows }) => rows.length === 0)) {
    throw new UnreadableFile({ reason: 'empty' });
  }
  return read;
}

function readText(ending: string, bytes: Uint8Array, limits: ReadLimits): ReadFile {
  // The file starts like an Excel 97 workbook or an encrypted workbook.
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) {
    throw new UnreadableFile({ reason: ending === 'xls' ? 'old-excel' : 'protected' });
  }
  if (ending === 'yaml' || ending === 'yml' || ending === 'json') {
    refuseLarger(bytes.length, largestDocumentBytes);
    const type = ending === 'json' ? 'application/json' : 'application/yaml';
    return { kind: 'document', type, text: decodeText(bytes) };
  }
  if (ending !== 'csv' && ending !== 'txt' && ending !== 'tsv') throw new UnreadableFile({ reason: 'unknown-type' });
  return readCsv(bytes, limits);
}

function refuseLarger(bytes: number, limit: number): void {
  if (bytes > limit) throw new UnreadableFile({ reason: 'file-too-large', bytes, limit });
}

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;
