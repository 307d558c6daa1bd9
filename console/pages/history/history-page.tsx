import { useEffect, useMemo, useState } from 'react';
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
import { isDay, startOfDay } from '../../parts/catalogue.ts';
import { Badge, EmptyState } from '../../parts/content.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Moment } from '../../parts/format.tsx';
import { addressOf } from '../../routes.ts';
import type { HistoryEntry, KeptItem } from '../../shell/api.ts';
import { navigate } from '../../shell/console-context.ts';
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

/** Days in the reader's time zone; empty for no limit. */
interface Filter {
  value: string;
  by: string;
  from: string;
  to: string;
}

function readFilter(query: string): Filter {
  const given = new URLSearchParams(query);
  const dayOf = (name: string) => (isDay(given.get(name) ?? '') ? (given.get(name) ?? '') : '');
  const by = (given.get('by') ?? '').trim().slice(0, 255);
  return { value: given.get('value') ?? '', by, from: dayOf('from'), to: dayOf('to') };
}

/** Returns an empty string if nothing is filtered. */
const writeFilter = (filter: Filter) =>
  new URLSearchParams(Object.entries({ ...filter, by: filter.by.trim() }).filter(([, text]) => text !== '')).toString();

function requestOf({ value, by, from, to }: Filter): HistoryFilter {
  return {
    ...(value !== '' && { value }),
    ...(by !== '' && { by }),
    ...(from !== '' && { since: startOfDay(from) }),
    ...(to !== '' && { until: startOfDay(to, 1) }),
  };
}

/** Long enough to type a name or a year. */
const delayMs = 600;

interface HistoryFiltersProps {
  list: string;
  items: readonly KeptItem[];
  query: string;
}

/** The filters, written to the address shortly after the last change. */
function HistoryFilters({ list, items, query }: HistoryFiltersProps) {
  const [draft, setDraft] = useState(() => readFilter(query));
  const [shown, setShown] = useState(query);
  if (shown !== query) {
    setShown(query);
    // The address has changed. If the Back button or a link changed it, the filter in the address replaces the draft.
    // If the draft itself was written to the address, the two are equal.
    if (writeFilter(draft) !== query) setDraft(readFilter(query));
  }
  const isWrongPeriod = draft.from !== '' && draft.to !== '' && draft.to < draft.from;
  const wanted = writeFilter(draft);
  useEffect(() => {
    if (wanted === query || isWrongPeriod) return;
    const place = { page: 'history', list, ...(wanted !== '' && { query: wanted }) } as const;
    const timer = setTimeout(() => navigate(place), delayMs);
    return () => clearTimeout(timer);
  }, [wanted, query, isWrongPeriod, list]);
  const change = (part: Partial<Filter>) => setDraft({ ...draft, ...part });
  return (
    <form className="history-filters" aria-label={texts.filters} onSubmit={(event) => event.preventDefault()}>
      <ValueComboBox
        // A new key renders a new field. The key changes when the filter names a different value, and when the items have
        // been loaded.
        key={`${draft.value} ${items.length > 0}`}
        label={texts.value}
        items={items}
        none={texts.allValues}
        value={draft.value === '' ? null : draft.value}
        onChange={(value) => change({ value: value ?? '' })}
      />
      <TextField
        label={texts.person}
        placeholder={texts.personHint}
        maxLength={255}
        value={draft.by}
        onChange={(by) => change({ by })}
      />
      <DayField label={texts.from} value={draft.from || null} onChange={(from) => change({ from: from ?? '' })} />
      <DayField
        label={texts.to}
        fault={isWrongPeriod ? texts.wrongPeriod : undefined}
        value={draft.to || null}
        onChange={(to) => change({ to: to ?? '' })}
      />
      {wanted !== '' && (
        <Button look="plain" onPress={() => setDraft(readFilter(''))}>
          {texts.clear}
        </Button>
      )}
    </form>
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
