import { useMemo, useState } from 'react';
import { authorName } from '../../lists/actor.ts';
import { ListTabs } from '../../lists/list-header.tsx';
import { useHistory, useList, useLists } from '../../lists/queries.ts';
import { describeEntry } from '../../lists/sentences/history-sentences.ts';
import type { SentenceContext } from '../../lists/sentences/sentence-context.ts';
import { Sentences, useSentenceContext } from '../../lists/sentences/sentences.tsx';
import { historyTexts } from '../../lists/sentences/texts.ts';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { formatNumber } from '../../parts/catalogue.ts';
import { Badge, PageHeader } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { HistoryChange, HistoryEntry } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { versionTexts as texts } from './texts.ts';

export function HistoryPage({ list }: { list: string }) {
  const kept = useList(list);
  const { data: summaries } = useLists();
  const summary = summaries?.find((each) => each.list === list);
  const history = useHistory(list);
  const context = useSentenceContext(kept.data);
  const entries = history.data?.pages.flat() ?? [];
  const title = kept.data?.title ?? summary?.title ?? list;
  const newest = kept.data?.version ?? entries[0]?.version;
  return (
    <>
      <PageHeader
        title={title}
        windowTitle={texts.historyOf(title)}
        back={{ href: addressOf({ page: 'lists' }), name: sharedListTexts.allLists }}
      />
      <ListTabs list={list} current="history" mayKeep={summary?.mayKeep ?? false} />
      <h2 className="unseen">{texts.history}</h2>
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
              />
            ))}
          </ol>
          {history.isFetchNextPageError && <LoadingOrError query={history} />}
          {history.hasNextPage ? (
            <Button isPending={history.isFetchingNextPage} onPress={() => void history.fetchNextPage()}>
              {texts.showOlder}
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
}

function HistoryItem({ list, entry, isCurrent, context }: HistoryItemProps) {
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
        {isCurrent ? (
          <Badge tone="info">{texts.current}</Badge>
        ) : (
          <ButtonLink look="plain" href={addressOf({ page: 'version', list, version })}>
            {texts.view} <span className="unseen">{texts.version(version)}</span>
          </ButtonLink>
        )}
      </div>
      {reason !== null && (
        <p className="reason" dir="auto">
          {reason}
        </p>
      )}
      <Changes list={list} entry={entry} context={context} />
    </li>
  );
}

/** The service's maximum number of changes per answer. */
const changesInAnswer = 1000;

function Changes({ list, entry, context }: Omit<HistoryItemProps, 'isCurrent'>) {
  const { api } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const [more, setMore] = useState<HistoryChange[]>([]);
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const { summary, first, rest, leftOut } = useMemo(() => {
    const changesLeftOut = Math.max(0, (entry.changesLeftOut ?? 0) - more.length);
    return describeEntry({ ...entry, changes: [...entry.changes, ...more], changesLeftOut }, context);
  }, [entry, more, context]);

  const load = async () => {
    setLoading(true);
    setError(undefined);
    try {
      const changesFrom = entry.changes.length + more.length;
      const [next] = await api.history(list, { before: entry.version + 1, limit: 1, changesFrom });
      setMore((known) => [...known, ...(next?.changes ?? [])]);
    } catch (failure) {
      setError(failure);
    }
    setLoading(false);
  };

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
      <ErrorNote error={error} onRetry={() => void load()} />
      {rest.length > 0 && (
        <Button look="plain" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? texts.showLess : texts.showAll(rest.length)}
          {named}
        </Button>
      )}
      {leftOut > 0 && (isOpen || rest.length === 0) && (
        <Button look="plain" isPending={isLoading} onPress={() => void load()}>
          {texts.loadMore(formatNumber(Math.min(leftOut, changesInAnswer)), formatNumber(leftOut))}
          {named}
        </Button>
      )}
    </>
  );
}
