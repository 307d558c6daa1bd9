// Exports the filtered audit log to a file. The log is read page by page to keep each request small.
import { csvLine } from '../../parts/catalogue.ts';
import type { AuditRow, AuditRowsPage } from '../../shell/api.ts';

export type AuditFormat = 'csv' | 'jsonl';

interface AuditExportOptions {
  format: AuditFormat;
  parameters: Record<string, string>;
  readPage(query: Record<string, string>): Promise<Pick<AuditRowsPage, 'rows' | 'next'>>;
  onProgress(rows: number): void;
  signal: AbortSignal;
  pageRows?: number;
  maxRows?: number;
}

interface AuditFile {
  file: Blob;
  rows: number;
  /** False if there are more rows than one file may contain. */
  isComplete: boolean;
}

/** Limits the file to about 60 MB. The command `frontdesk audit --json` has no limit. */
const maxExportedRows = 200_000;

/** Exports the oldest rows first. Returns undefined if the export was cancelled. */
export async function exportAudit(options: AuditExportOptions): Promise<AuditFile | undefined> {
  const { format, parameters, readPage, onProgress, signal, pageRows = 1000, maxRows = maxExportedRows } = options;
  const types = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
  // The byte order mark tells spreadsheets that the file is UTF-8.
  const parts: Blob[] = format === 'csv' ? [new Blob([`\uFEFF${csvLine(columns, ',')}`])] : [];
  const finish = (rows: number, isComplete: boolean) => ({
    file: new Blob(parts, { type: types[format] }),
    rows,
    isComplete,
  });
  let [rows, last] = [0, '0'];
  while (rows < maxRows) {
    if (signal.aborted) return undefined;
    const limit = Math.min(pageRows, maxRows - rows);
    const page = await readPage({ ...parameters, after: last, limit: String(limit) });
    if (signal.aborted) return undefined;
    // A blob saves memory: the browser may move it to disk.
    parts.push(new Blob([page.rows.map(format === 'csv' ? toCsv : toJson).join('')]));
    rows += page.rows.length;
    // In a search for words, a page may contain few rows or none, although more pages follow. After the last page,
    // `next` no longer changes.
    const isEnd = 'q' in parameters ? page.next === last : page.rows.length < limit;
    last = page.next;
    onProgress(rows);
    if (isEnd) return finish(rows, true);
  }
  const more = await readPage({ ...parameters, after: last, limit: '1' });
  return finish(rows, more.rows.length === 0 && more.next === last);
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
const toCsv = (row: AuditRow) =>
  csvLine(
    columns.map((column) => row[column] ?? ''),
    ',',
  );
