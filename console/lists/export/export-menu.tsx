import { Download, FileCode, FilePlus, FileSpreadsheet, FileText } from 'lucide-react';
import { useConsole } from '../../shell/console-context.ts';
import { downloadList, downloadLists, type ExportFormat } from './download-list.ts';
import { showError } from '../../shell/toasts.ts';
import { exportTexts as texts } from './texts.ts';
import { shared } from '../../parts/texts.ts';
import { MenuButton, type MenuChoice } from '../../parts/menu-button.tsx';

const formats = [
  ['excel', FileSpreadsheet],
  ['csv', FileText],
  ['yaml', FileCode],
  ['template', FilePlus],
] as const;

/** A list as a file, or a template of it. */
export function ExportMenu({ list }: { list: string }) {
  const { api } = useConsole();
  const choices = formats.map(
    ([format, Icon]): MenuChoice => ({
      id: format,
      name: texts[format],
      icon: <Icon aria-hidden="true" size={16} />,
      onChoose: () => orTell(() => downloadList(api, list, format satisfies ExportFormat)),
    }),
  );
  return <Menu choices={choices} />;
}

/** Every list that one may see, in one workbook. */
export function ExportAllMenu({ lists }: { lists: readonly string[] }) {
  const { api } = useConsole();
  const choice: MenuChoice = {
    id: 'all',
    name: texts.allLists,
    icon: <FileSpreadsheet aria-hidden="true" size={16} />,
    onChoose: () => orTell(() => downloadLists(api, lists, shared.lists)),
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

function orTell(act: () => Promise<void>): void {
  act().catch((error: unknown) => showError(error, () => orTell(act), texts.notExported));
}
