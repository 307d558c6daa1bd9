import { authorName } from '../../lists/actor.ts';
import { ListHeader } from '../../lists/list-header.tsx';
import { useHistory, useList, useSummary } from '../../lists/queries.ts';
import { useUndoEntry } from '../../lists/saving/use-save-list.ts';
import type { SentenceContext } from '../../lists/sentences/sentence-context.ts';
import {
  canUndo,
  EntryChanges,
  LaterChangeNote,
  UndoButton,
  useSentenceContext,
} from '../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Badge } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { HistoryEntry } from '../../shell/api.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { versionTexts as texts } from './texts.ts';

export function HistoryPage({ list }: { list: string }) {
  const kept = useList(list);
  const history = useHistory(list);
  const context = useSentenceContext(kept.data);
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  const undo = useUndoEntry(list);
  const entries = history.data?.pages.flat() ?? [];
  const newest = kept.data?.version ?? entries[0]?.version;
  return (
    <>
      <ListHeader list={list} current="history" windowTitle={texts.historyOf} />
      <h2 className="unseen">{sharedListTexts.history}</h2>
      {history.data === undefined ? (
        <LoadingOrError query={history} />
      ) : (
        <>
          <ol className="history" reversed>
            {entries.map((entry) => (
              <HistoryItem
                key={entry.version}
                list={list}
                entry={entry}
                isCurrent={entry.version === newest}
                context={context}
                undo={mayKeep ? undo : undefined}
              />
            ))}
          </ol>
          {history.isFetchNextPageError && <LoadingOrError query={history} />}
          {history.hasNextPage ? (
            <Button isPending={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
              {shellTexts.showOlder}
            </Button>
          ) : (
            <p className="quiet">{texts.beginning}</p>
          )}
        </>
      )}
    </>
  );
}

interface HistoryItemProps {
  list: string;
  entry: HistoryEntry;
  isCurrent: boolean;
  context: SentenceContext;
  /** Absent if the user may not change the list. */
  undo: ReturnType<typeof useUndoEntry> | undefined;
}

function HistoryItem({ list, entry, isCurrent, context, undo }: HistoryItemProps) {
  const { version, at, reason } = entry;
  return (
    <li className="history-entry">
      <div className="history-head">
        <p>
          <strong>
            <bdi>{authorName(entry)}</bdi>
          </strong>{' '}
          <span className="quiet">
            <Moment at={at} /> · {texts.version(version)}
          </span>
        </p>
        <div className="history-actions">
          {undo !== undefined && canUndo(entry) && <UndoButton entry={entry} undo={undo} />}
          {isCurrent ? (
            <Badge tone="info">{texts.current}</Badge>
          ) : (
            <ButtonLink look="plain" href={addressOf({ page: 'version', list, version })}>
              {texts.view} <span className="unseen">{texts.version(version)}</span>
            </ButtonLink>
          )}
        </div>
      </div>
      {reason !== null && (
        <p className="reason" dir="auto">
          {reason}
        </p>
      )}
      <EntryChanges list={list} entry={entry} context={context} />
      {undo !== undefined && <LaterChangeNote entry={entry} context={context} />}
    </li>
  );
}
