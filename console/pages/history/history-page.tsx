import { ListTabs } from '../../lists/list-tabs.tsx';
import { useHistory, useList, useLists } from '../../lists/queries.ts';
import { useSentenceContext } from '../../lists/sentences/sentences.tsx';
import { sharedListTexts } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { addressOf } from '../../routes.ts';
import { LoadingOrError } from '../../shell/loading.tsx';
import { HistoryItem } from './history-entry.tsx';
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
