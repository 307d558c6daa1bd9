// Files that the browser saves: lists as Excel, CSV and YAML, and templates.
import type { Api, KeptList } from '../../shell/api.ts';
import { download } from '../../parts/download.ts';
import { type ListTable, tableOfLists, templateOfList } from './list-table.ts';
import type { WriteRequest } from './write-excel.worker.ts';

export type ExportFormat = 'excel' | 'csv' | 'yaml' | 'template';

export async function downloadList(api: Api, list: string, format: ExportFormat): Promise<void> {
  if (format === 'csv') return download(await api.exportList(list, 'text/csv'), `${list}.csv`);
  if (format === 'yaml') return download(await api.exportList(list, 'application/yaml'), `${list}.yaml`);
  const kept = await api.list(list);
  if (format === 'excel') return download(await writeBeside(kept.title, tableOfLists([kept])), `${list}.xlsx`);
  return download(await writeBeside(kept.title, templateOfList(kept)), `${list}-template.xlsx`);
}

/** Requests that run at the same time. */
const atOnce = 4;

/** Every list in one workbook, with a column for the list. */
export async function downloadLists(api: Api, lists: readonly string[], title: string): Promise<void> {
  const kept: KeptList[] = [];
  for (let at = 0; at < lists.length; at += atOnce) {
    kept.push(...(await Promise.all(lists.slice(at, at + atOnce).map((list) => api.list(list)))));
  }
  return download(await writeBeside(title, tableOfLists(kept, true)), 'lists.xlsx');
}

function writeBeside(title: string, table: ListTable): Promise<Blob> {
  const worker = new Worker('console/write-excel.worker.js', { type: 'module' });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data);
    worker.onerror = (event) => reject(new TypeError(event.message));
    worker.postMessage({ title, table } satisfies WriteRequest);
  }).finally(() => worker.terminate());
}
