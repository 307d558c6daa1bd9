// What is filtered of the audit as a file: read page by page, so that the service is asked for little at once.
import type { AuditRow } from '../../../src/audit/audit.schema.ts';

export type AuditFormat = 'csv' | 'jsonl';

interface AuditExportOptions {
  format: AuditFormat;
  parameters: Record<string, string>;
  readPage(query: Record<string, string>): Promise<AuditRow[]>;
  onProgress(rows: number): void;
  signal: AbortSignal;
  pageRows?: number;
  mostRows?: number;
}

export interface AuditFile {
  file: Blob;
  rows: number;
  /** False where there is more than a file may have. */
  isComplete: boolean;
}

/** A file of some 60 MB. `frontdesk audit --json` has no limit. */
const mostExportedRows = 200_000;

/** Oldest first. Undefined when it was stopped. */
export async function exportAudit(options: AuditExportOptions): Promise<AuditFile | undefined> {
  const { format, parameters, readPage, onProgress, signal, pageRows = 1000, mostRows = mostExportedRows } = options;
  const types = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
  // The mark by which spreadsheets know that it is UTF-8.
  const parts: Blob[] = format === 'csv' ? [new Blob([`\uFEFF${csvLine(columns)}`])] : [];
  const finish = (rows: number, isComplete: boolean) => ({
    file: new Blob(parts, { type: types[format] }),
    rows,
    isComplete,
  });
  let [rows, last] = [0, '0'];
  while (rows < mostRows) {
    if (signal.aborted) return undefined;
    const limit = Math.min(pageRows, mostRows - rows);
    const page = await readPage({ ...parameters, after: last, limit: String(limit) });
    if (signal.aborted) return undefined;
    // As a blob each page may leave the memory of the tab.
    parts.push(new Blob([page.map(format === 'csv' ? toCsv : toJson).join('')]));
    rows += page.length;
    last = page.at(-1)?.id ?? last;
    onProgress(rows);
    if (page.length < limit) return finish(rows, true);
  }
  const more = await readPage({ ...parameters, after: last, limit: '1' });
  return finish(rows, more.length === 0);
}

const columns = [
  'id',
  'at',
  'type',
  'person',
  'personName',
  'actor',
  'actorName',
  'session',
  'address',
  'requestId',
  'detail',
] as const;

const toJson = (row: AuditRow) => `${JSON.stringify(row)}\n`;
const toCsv = (row: AuditRow) => csvLine(columns.map((column) => row[column] ?? ''));

const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

/** RFC 4180. A cell that a spreadsheet would run as a formula is made text. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
