// What is filtered as a file, with its progress and a way to stop it.
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import { type AuditFormat, exportAudit } from './audit-export.ts';
import { download } from '../../parts/download.ts';
import { showDone, showError, showInfo } from '../../shell/toasts.ts';
import { Button } from '../../parts/button.tsx';
import { today } from '../../parts/format.ts';
import { MenuButton } from '../../parts/menu-button.tsx';
import { auditPage as texts } from './texts.ts';

export function AuditExport({ parameters }: { parameters: Record<string, string> }) {
  const { api } = useConsole();
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  // Whoever leaves the page wants no file of it.
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
