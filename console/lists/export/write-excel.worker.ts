// Writes workbooks in a worker, because a long list takes seconds.
import type { ListTable } from './list-table.ts';
import { writeExcel } from './write-excel.ts';

export interface WriteRequest {
  title: string;
  table: ListTable;
}

globalThis.onmessage = async ({ data: { title, table } }: MessageEvent<WriteRequest>) => {
  globalThis.postMessage(await writeExcel(title, table));
};
// Only a thrown error reaches the page's `onerror`; a rejected promise does not.
globalThis.onunhandledrejection = ({ reason }) => globalThis.reportError(reason);
