// Writes workbooks beside the page: a long list takes seconds.
import type { ListTable } from './list-table.ts';
import { writeExcel } from './write-excel.ts';

export interface WriteRequest {
  title: string;
  table: ListTable;
}

globalThis.onmessage = async ({ data: { title, table } }: MessageEvent<WriteRequest>) => {
  globalThis.postMessage(await writeExcel(title, table));
};
// What it throws reaches the page as an event `error`; a promise would not.
globalThis.onunhandledrejection = ({ reason }) => globalThis.reportError(reason);
