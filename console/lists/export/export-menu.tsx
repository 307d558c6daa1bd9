import { Download, FileCode, FilePlus, FileSpreadsheet, FileText } from 'lucide-react';
import { catalogue } from '../../parts/catalogue.ts';
import { MenuButton, type MenuChoice } from '../../parts/menu-button.tsx';
import { useConsole } from '../../shell/console-context.ts';
import { shellTexts } from '../../shell/texts.ts';
import { showError } from '../../shell/toasts.ts';
import { downloadList, downloadLists, type ExportFormat } from './download-list.ts';

const texts = catalogue(
  {
    export: 'Export',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Empty template (.xlsx)',
    allLists: 'All lists as Excel (.xlsx)',
    notExported: 'Not exported',
  },
  {
    export: 'Exportieren',
    excel: 'Excel (.xlsx)',
    csv: 'CSV',
    yaml: 'YAML',
    template: 'Leere Vorlage (.xlsx)',
    allLists: 'Alle Listen als Excel (.xlsx)',
    notExported: 'Nicht exportiert',
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
      onChoose: () => orShowError(() => downloadList(api, list, format satisfies ExportFormat)),
    }),
  );
  return <Menu choices={choices} />;
}

/** All visible lists in one workbook. */
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
    <MenuButton label={texts.export} look="normal" icon={<Download aria-hidden="true" size={16} />} choices={choices}>
      {texts.export}
    </MenuButton>
  );
}

function orShowError(act: () => Promise<void>): void {
  act().catch((error: unknown) => showError(error, () => orShowError(act), texts.notExported));
}
