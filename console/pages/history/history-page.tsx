import { useMemo } from 'react';
import { authorName } from '../../lists/actor.ts';
import { ValueComboBox } from '../../lists/items/value-combo-box.tsx';
import { ListHeader } from '../../lists/list-header.tsx';
import { type HistoryFilter, useHistory, useList, useSummary } from '../../lists/queries.ts';
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
import { Badge, EmptyState } from '../../parts/content.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf, type Period, periodParameters, readPeriod } from '../../routes.ts';
import type { HistoryEntry, KeptItem } from '../../shell/api.ts';
import { navigate } from '../../shell/console-context.ts';
import { FilterForm, PersonField } from '../../shell/filter-form.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { versionTexts as texts } from './texts.ts';

export function HistoryPage({ list, query }: { list: string; query: string }) {
  const kept = useList(list);
  const given = useMemo(() => readFilter(query), [query]);
  const history = useHistory(list, requestOf(given));
  const context = useSentenceContext(kept.data);
  const mayKeep = useSummary(list)?.mayKeep ?? false;
  const undo = useUndoEntry(list, given.value === '' ? undefined : given.value);
  const entries = history.data?.pages.flat() ?? [];
  const newest = kept.data?.version ?? entries[0]?.version;
  return (
    <>
      <ListHeader list={list} current="history" windowTitle={texts.historyOf} />
      <h2 className="unseen">{sharedListTexts.history}</h2>
      <HistoryFilters key={list} list={list} items={kept.data?.items ?? []} query={query} />
      {history.data === undefined ? (
        <LoadingOrError query={history} />
      ) : (
        <>
          {entries.length === 0 && <EmptyState title={texts.noMatches} />}
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
            query === '' && <p className="quiet">{texts.beginning}</p>
          )}
        </>
      )}
    </>
  );
}

type Filter = Period & { value: string; by: string };

function readFilter(query: string): Filter {
  const given = new URLSearchParams(query);
  const by = (given.get('by') ?? '').trim().slice(0, 255);
  return { value: given.get('value') ?? '', by, ...readPeriod(given) };
}

function requestOf({ value, by, ...period }: Filter): HistoryFilter {
  return { ...(value !== '' && { value }), ...(by !== '' && { by }), ...periodParameters(period) };
}

interface HistoryFiltersProps {
  list: string;
  items: readonly KeptItem[];
  query: string;
}

function HistoryFilters({ list, items, query }: HistoryFiltersProps) {
  return (
    <FilterForm
      className="history-filters"
      query={query}
      read={readFilter}
      show={(shown) => navigate({ page: 'history', list, ...(shown !== '' && { query: shown }) })}
    >
      {({ value, by }, change) => (
        <>
          <ValueComboBox
            // A new key renders a new field. The key changes when the filter names a different value, and when the items
            // have been loaded.
            key={`${value} ${items.length > 0}`}
            label={texts.value}
            items={items}
            none={texts.allValues}
            value={value === '' ? null : value}
            onChange={(chosen) => change({ value: chosen ?? '' })}
          />
          <PersonField value={by} onChange={(person) => change({ by: person })} />
        </>
      )}
    </FilterForm>
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
    <li className="history-entry" tabIndex={-1}>
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
