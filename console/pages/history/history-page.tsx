import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { authorName } from '../../lists/actor.ts';
import { ListHeader } from '../../lists/list-header.tsx';
import { useHistory, useList, useSummary } from '../../lists/queries.ts';
import { useUndoEntry } from '../../lists/saving/use-save-list.ts';
import { describeEntry } from '../../lists/sentences/history-sentences.ts';
import type { SentenceContext } from '../../lists/sentences/sentence-context.ts';
import {
  canUndo,
  LaterChangeNote,
  Sentences,
  UndoButton,
  useSentenceContext,
} from '../../lists/sentences/sentences.tsx';
import { historyTexts } from '../../lists/sentences/texts.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { formatNumber } from '../../parts/catalogue.ts';
import { Badge } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { HistoryChange, HistoryEntry } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
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
      <Changes list={list} entry={entry} context={context} />
      {undo !== undefined && <LaterChangeNote entry={entry} context={context} />}
    </li>
  );
}

/** The service's maximum number of changes per answer. */
const changesInAnswer = 1000;

function Changes({ list, entry, context }: Pick<HistoryItemProps, 'list' | 'entry' | 'context'>) {
  const { api } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [more, setMore] = useState<HistoryChange[]>([]);
  const { summary, first, rest, leftOut } = useMemo(() => {
    const changesLeftOut = Math.max(0, (entry.changesLeftOut ?? 0) - more.length);
    return describeEntry({ ...entry, changes: [...entry.changes, ...more], changesLeftOut }, context);
  }, [entry, more, context]);

  const load = useMutation({
    mutationFn: () =>
      api.history(list, { before: entry.version + 1, limit: 1, changesFrom: entry.changes.length + more.length }),
    onSuccess: ([next]) => setMore((known) => [...known, ...(next?.changes ?? [])]),
  });

  const named = <span className="unseen"> {texts.showAllOf(entry.version)}</span>;
  return (
    <>
      {summary !== null && (
        <p className="summary">
          {summary}
          {leftOut > 0 && `, ${historyTexts.more(leftOut)}`}
        </p>
      )}
      <Sentences sentences={isOpen ? [...first, ...rest] : first} />
      <ErrorNote error={load.error} onRetry={() => load.mutate()} />
      {rest.length > 0 && (
        <Button look="plain" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? texts.showLess : texts.showAll(rest.length)}
          {named}
        </Button>
      )}
      {leftOut > 0 && (isOpen || rest.length === 0) && (
        <Button look="plain" isPending={load.isPending} onPress={() => load.mutate()}>
          {texts.loadMore(formatNumber(Math.min(leftOut, changesInAnswer)), formatNumber(leftOut))}
          {named}
        </Button>
      )}
    </>
  );
}
