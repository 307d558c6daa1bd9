// The export of the filtered audit, with progress and a way to cancel.
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { download } from '../../parts/download.ts';
import { today } from '../../parts/format.tsx';
import { MenuButton } from '../../parts/menu-button.tsx';
import { useConsole } from '../../shell/console-context.ts';
import { showDone, showError, showInfo } from '../../shell/toasts.ts';
import { type AuditFormat, exportAudit } from './audit-export.ts';
import { auditPage as texts } from './texts.ts';

export function AuditExport({ parameters }: { parameters: Record<string, string> }) {
  const { api } = useConsole();
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  // Leaving the page cancels the export.
  useEffect(() => () => running.current?.abort(), []);

  async function run(format: AuditFormat) {
    const stop = new AbortController();
    running.current = stop;
    setRows(0);
    try {
      const readPage = (query: Record<string, string>) => api.audit(query, stop.signal);
      const made = await exportAudit({ format, parameters, readPage, onProgress: setRows, signal: stop.signal });
      if (made === undefined) return;
      download(made.file, `audit-${today()}.${format}`);
      if (made.isComplete) showDone(texts.exported(made.rows));
      else showInfo(texts.cut(made.rows));
    } catch (error) {
      if (!stop.signal.aborted) showError(error, () => void run(format), texts.notExported);
    } finally {
      setRows(undefined);
    }
  }

  function stop() {
    running.current?.abort();
    setRows(undefined);
    showInfo(texts.stopped);
  }

  if (rows !== undefined) {
    return (
      <>
        <span role="status">{texts.exporting(rows)}</span>
        <Button onPress={stop}>{texts.stop}</Button>
      </>
    );
  }
  return (
    <MenuButton
      look="normal"
      icon={<Download aria-hidden="true" size={16} />}
      choices={[
        { id: 'csv', name: texts.csv, onChoose: () => void run('csv') },
        { id: 'jsonl', name: texts.jsonl, onChoose: () => void run('jsonl') },
      ]}
    >
      {texts.exportAs}
    </MenuButton>
  );
}
