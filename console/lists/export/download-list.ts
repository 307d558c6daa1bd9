// Downloads lists as Excel, CSV and YAML, and templates.
import { download } from '../../parts/download.ts';
import type { Api, KeptList } from '../../shell/api.ts';
import { type ListTable, tableOfLists, templateOfList } from './list-table.ts';
import type { WriteRequest } from './write-excel.worker.ts';

export type ExportFormat = 'excel' | 'csv' | 'yaml' | 'template';

export async function downloadList(api: Api, list: string, format: ExportFormat): Promise<void> {
  if (format === 'csv') return download(await api.exportList(list, 'text/csv'), `${list}.csv`);
  if (format === 'yaml') return download(await api.exportList(list, 'application/yaml'), `${list}.yaml`);
  const kept = await api.list(list);
  if (format === 'excel') return download(await writeInWorker(kept.title, tableOfLists([kept])), `${list}.xlsx`);
  return download(await writeInWorker(kept.title, templateOfList(kept)), `${list}-template.xlsx`);
}

/** Maximum number of concurrent requests. */
const maxConcurrent = 4;

/** All lists in one workbook, with a column for the list's name. */
export async function downloadLists(api: Api, lists: readonly string[], title: string): Promise<void> {
  const kept: KeptList[] = [];
  for (let at = 0; at < lists.length; at += maxConcurrent) {
    kept.push(...(await Promise.all(lists.slice(at, at + maxConcurrent).map((list) => api.list(list)))));
  }
  return download(await writeInWorker(title, tableOfLists(kept, true)), 'lists.xlsx');
}

function writeInWorker(title: string, table: ListTable): Promise<Blob> {
  const worker = new Worker('console/write-excel.worker.js', { type: 'module' });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data);
    worker.onerror = (event) => reject(new TypeError(event.message));
    worker.postMessage({ title, table } satisfies WriteRequest);
  }).finally(() => worker.terminate());
}
