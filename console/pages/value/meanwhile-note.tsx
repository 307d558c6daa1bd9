import { useState } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import type { HistoryEntry, KeptList } from '../../shell/api.ts';
import { useHistory } from '../../lists/queries.ts';
import { Button } from '../../parts/button.tsx';
import { valueTexts as texts } from './texts.ts';
import { Entries } from './history-section.tsx';

interface MeanwhileNoteProps {
  list: KeptList;
  value: string;
  /** Whether something is typed, which stays. */
  isTyped: boolean;
}

/** Who changed this value since the panel was opened, and what. */
export function MeanwhileNote({ list, value, isTyped }: MeanwhileNoteProps) {
  const [seen, setSeen] = useState(list.version);
  const entries = useHistory(list.list, value).data?.pages[0] ?? [];
  const { me } = useConsole();
  const isNew = ({ version, by }: HistoryEntry) => version > seen && by !== me.sub;
  const others = entries.filter(isNew);
  return (
    <div role="status">
      {others.length > 0 && (
        <div className="note info">
          <div className="note-body">
            <strong>{texts.changedMeanwhile}</strong>
            <Entries entries={others} list={list} />
            {isTyped && <p>{texts.typedStays}</p>}
          </div>
          <Button look="plain" onPress={() => setSeen(list.version)}>
            {texts.gotIt}
          </Button>
        </div>
      )}
    </div>
  );
}
