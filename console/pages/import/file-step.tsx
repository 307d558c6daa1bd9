import { FileSpreadsheet, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { downloadList } from '../../lists/export/export-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { shared } from '../../parts/texts.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { showError } from '../../shell/toasts.ts';
import { Faults } from './faults.tsx';
import { readLimits, type Unreadable, UnreadableFile } from './file/limits.ts';
import { importTexts as texts } from './texts.ts';
import type { Import } from './use-import.ts';

/** The first step: the user drops or chooses a file. */
export function FileStep({ work, list }: { work: Import; list: string | undefined }) {
  const { api } = useConsole();
  const { state, choose, chooseAgain, startAgain } = work;
  const { working, fileName, error, outcome } = state;
  const getTemplate = async (name: string) => {
    try {
      await downloadList(api, name, 'template');
    } catch (thrown) {
      showError(thrown, () => getTemplate(name));
    }
  };
  return (
    <div className="stack import-file">
      {error instanceof UnreadableFile ? (
        <ErrorNote error={new Error(unreadableText(error.why))} title={texts.notRead(fileName)} />
      ) : (
        <ErrorNote error={error} onRetry={chooseAgain} />
      )}
      {outcome !== undefined && <Faults outcome={outcome} />}
      {working === undefined ? (
        <DropArea onFile={choose} />
      ) : (
        <div className="drop-area" role="status">
          <p className="empty-title">{texts.reading(fileName)}</p>
          <Button onPress={startAgain}>{shared.cancel}</Button>
        </div>
      )}
      {list !== undefined && (
        <p className="row quiet import-template">
          {texts.templateHint}
          <Button
            look="plain"
            icon={<FileSpreadsheet aria-hidden="true" size={16} />}
            onPress={() => getTemplate(list)}
          >
            {texts.template}
          </Button>
        </p>
      )}
    </div>
  );
}

function DropArea({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only for the mouse; the button inside does the same
    <div
      className={`drop-area ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <FileUp aria-hidden="true" size={28} />
      <p className="empty-title only-mouse">{texts.drop}</p>
      <p className="quiet only-mouse">{texts.or}</p>
      <Button look="primary" onPress={() => input.current?.click()}>
        {texts.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.choose}
        accept=".xlsx,.csv,.tsv,.txt,.yaml,.yml,.json"
        onChange={(event) => {
          take(event.target.files);
          // Cleared, so that choosing the same file again causes a change event.
          event.target.value = '';
        }}
      />
      <p className="quiet">{texts.kinds(readLimits.rows)}</p>
    </div>
  );
}

function unreadableText(why: Unreadable): string {
  switch (why.reason) {
    case 'file-too-large':
      return texts.fileTooLarge(why.bytes, why.limit);
    case 'unpacked-too-large':
      return texts.unpackedTooLarge(why.limit);
    case 'too-many-rows':
      return texts.tooManyRows(why.count, why.limit);
    case 'too-many-columns':
      return texts.tooManyColumns(why.count, why.limit);
    case 'too-many-cells':
      return texts.tooManyCells(why.count, why.limit);
    case 'too-slow':
      return texts.tooSlow(why.limit);
    case 'empty':
      return texts.empty;
    case 'damaged':
      return texts.damaged;
    case 'protected':
      return texts.protected;
    case 'old-excel':
      return texts.oldExcel;
    case 'unknown-type':
      return texts.unknownType;
    case 'unreadable':
      return texts.unreadable;
  }
}
