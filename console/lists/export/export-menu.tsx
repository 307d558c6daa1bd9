// Menus that export lists as Excel, CSV or YAML, or as an empty template.
import { Download, FileCode, FilePlus, FileSpreadsheet, FileText } from 'lucide-react';
import { catalogue } from '../../parts/catalogue.ts';
import { download } from '../../parts/download.ts';
import { MenuButton, type MenuChoice } from '../../parts/menu-button.tsx';
import { type Api, fetchConsoleFile, type KeptList } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { shellTexts } from '../../shell/texts.ts';
import { showError } from '../../shell/toasts.ts';
import { shownTitle } from '../texts.ts';
import { type ListTable, tableOfLists, templateOfList } from './list-table.ts';
import type { WriteRequest } from './write-excel.worker.ts';

const texts = catalogue(
  {
    export: 'Export',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Empty template (.xlsx)',
    allLists: 'All lists as Excel (.xlsx)',
    notExported: 'Export failed',
  },
  {
    export: 'Exportieren',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Leere Vorlage (.xlsx)',
    allLists: 'Alle Listen als Excel (.xlsx)',
    notExported: 'Export fehlgeschlagen',
  },
);

const formats = [
  ['excel', FileSpreadsheet],
  ['csv', FileText],
  ['yaml', FileCode],
  ['template', FilePlus],
] as const;

export function ExportMenu({ list }: { list: string }) {
  const { api } = useConsole();
  const choices = formats.map(
    ([format, Icon]): MenuChoice => ({
      id: format,
      name: texts[format],
      icon: <Icon aria-hidden="true" size={16} />,
      onChoose: () => orShowError(() => downloadList(api, list, format)),
    }),
  );
  return <Menu choices={choices} />;
}

/** Exports all visible lists to one workbook. */
export function ExportAllMenu({ lists }: { lists: readonly string[] }) {
  const { api } = useConsole();
  const choice: MenuChoice = {
    id: 'all',
    name: texts.allLists,
    icon: <FileSpreadsheet aria-hidden="true" size={16} />,
    onChoose: () => orShowError(() => downloadLists(api, lists, shellTexts.lists)),
  };
  return <Menu choices={[choice]} />;
}

function Menu({ choices }: { choices: readonly MenuChoice[] }) {
  return (
    <MenuButton label={texts.export} icon={<Download aria-hidden="true" size={16} />} choices={choices}>
      {texts.export}
    </MenuButton>
  );
}

function orShowError(act: () => Promise<void>): void {
  act().catch((error: unknown) => showError(error, () => orShowError(act), texts.notExported));
}

type ExportFormat = 'excel' | 'csv' | 'yaml' | 'template';

export async function downloadList(api: Api, list: string, format: ExportFormat): Promise<void> {
  if (format === 'csv') return download(await api.exportList(list, 'text/csv'), `${list}.csv`);
  if (format === 'yaml') return download(await api.exportList(list, 'application/yaml'), `${list}.yaml`);
  const kept = await api.list(list);
  if (format === 'excel') return download(await writeInWorker(shownTitle(kept), tableOfLists([kept])), `${list}.xlsx`);
  return download(await writeInWorker(shownTitle(kept), templateOfList(kept)), `${list}-template.xlsx`);
}

/** Maximum number of concurrent requests. */
const maxConcurrent = 4;

/** Exports the lists to one workbook, with a column for the name of the list. */
async function downloadLists(api: Api, lists: readonly string[], title: string): Promise<void> {
  const kept: KeptList[] = [];
  for (let at = 0; at < lists.length; at += maxConcurrent) {
    kept.push(...(await Promise.all(lists.slice(at, at + maxConcurrent).map((list) => api.list(list)))));
  }
  return download(await writeInWorker(title, tableOfLists(kept, true)), 'lists.xlsx');
}

async function writeInWorker(title: string, table: ListTable): Promise<Blob> {
  await fetchConsoleFile('write-excel.worker.js');
  const worker = new Worker('console/write-excel.worker.js', { type: 'module' });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data);
    worker.onerror = (event) => reject(new TypeError(event.message));
    worker.postMessage({ title, table } satisfies WriteRequest);
  }).finally(() => worker.terminate());
}
