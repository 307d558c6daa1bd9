// The audit page: who signed in, who was refused, and who changed what.
import { getLocalTimeZone, today } from '@internationalized/date';
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { keys, useLists } from '../../lists/queries.ts';
import { shownTitle } from '../../lists/texts.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, PageHeader } from '../../parts/content.tsx';
import { download } from '../../parts/download.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { MenuButton } from '../../parts/menu-button.tsx';
import { writeFilter } from '../../routes.ts';
import type { AuditRowsPage } from '../../shell/api.ts';
import { navigate, useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { FilterForm, PersonField } from '../../shell/filter-form.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { showDone, showError, showInfo } from '../../shell/toasts.ts';
import { type AuditFormat, exportAudit } from './audit-export.ts';
import { auditParameters, readAuditFilter } from './audit-filter.ts';
import { AuditRows } from './audit-rows.tsx';
import { auditTypeNames, nameAuditType } from './audit-sentences.ts';
import { auditPage as texts } from './texts.ts';

export function AuditPage({ query }: { query: string }) {
  const filter = useMemo(() => readAuditFilter(query), [query]);
  const parameters = useMemo(() => auditParameters(filter), [filter]);
  return (
    <>
      <PageHeader title={shellTexts.audit} text={texts.text}>
        <AuditExport parameters={parameters} />
      </PageHeader>
      <AuditFilters query={query} />
      <Entries parameters={parameters} isFiltered={writeFilter(filter) !== ''} />
    </>
  );
}

/** The ID of the option for all lists or all types. No list or type has this name. */
const all = '*';

function AuditFilters({ query }: { query: string }) {
  const lists = (useLists().data ?? []).map((each) => ({ id: each.list, name: shownTitle(each) }));
  const types = auditTypeNames.map(([id, name]) => ({ id, name }));
  return (
    <FilterForm
      className="audit-filters"
      query={query}
      read={readAuditFilter}
      show={(shown) => navigate({ page: 'audit', query: shown })}
    >
      {({ person, words, list, type }, change) => (
        <>
          <PersonField value={person} onChange={(changed) => change({ person: changed })} />
          <TextField
            label={texts.words}
            placeholder={texts.wordsHint}
            maxLength={100}
            value={words}
            onChange={(changed) => change({ words: changed })}
          />
          <SelectField
            label={texts.list}
            choices={[{ id: all, name: texts.allLists }, ...withChosen(lists, list, list)]}
            value={list === '' ? all : list}
            onChange={(id) => change({ list: id === all ? '' : id })}
          />
          <SelectField
            label={texts.type}
            choices={[{ id: all, name: texts.allTypes }, ...withChosen(types, type, nameAuditType(type))]}
            value={type === '' ? all : type}
            onChange={(id) => change({ type: id === all ? '' : id })}
          />
        </>
      )}
    </FilterForm>
  );
}

/** The address can name a list or type that is not among the choices. */
function withChosen<Choice extends { id: string }>(choices: readonly Choice[], id: string, name: string) {
  return id === '' || choices.some((each) => each.id === id) ? choices : [...choices, { id, name }];
}

function Entries({ parameters, isFiltered }: { parameters: Record<string, string>; isFiltered: boolean }) {
  const { query, rows, newer, hasManyNewer, showNewer } = useAudit(parameters);
  if (query.data === undefined) return <LoadingOrError query={query} lines={10} />;
  return (
    <>
      <div role="status">
        {newer > 0 && (
          <Button look="plain" onPress={showNewer}>
            {hasManyNewer ? texts.showManyNewer : texts.showNewer(newer)}
          </Button>
        )}
      </div>
      {rows.length === 0 && (
        <EmptyState title={query.hasNextPage ? texts.noMatchesYet : isFiltered ? texts.noMatches : texts.noEntries} />
      )}
      <AuditRows rows={rows} />
      <ErrorNote error={query.error} onRetry={() => void query.fetchNextPage()} />
      {query.hasNextPage ? (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {shellTexts.showOlder}
        </Button>
      ) : (
        rows.length > 0 && <p className="quiet">{texts.end}</p>
      )}
    </>
  );
}

const pageRows = 100;
const newerIntervalMs = 15_000;

type Parameters = Record<string, string>;
type Pages = InfiniteData<AuditRowsPage, string | undefined>;

/** Loads the audit page by page, newest rows first, and checks how many rows have been written since. */
function useAudit(parameters: Parameters) {
  const { api } = useConsole();
  const client = useQueryClient();
  const queryKey = [...keys.audit, parameters];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.audit({ ...parameters, limit: pageRows, ...(pageParam !== undefined && { before: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.older,
    // Rows never change. Newer rows are shown only on request, so that readers do not lose their place.
    staleTime: 'static',
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows.toReversed()) ?? [], [query.data]);
  const newest = rows[0]?.id ?? '0';
  const newer = useQuery({
    queryKey: ['audit-newer', parameters, newest],
    queryFn: ({ signal }) => api.audit({ ...parameters, after: newest, limit: pageRows }, signal),
    enabled: query.isSuccess,
    refetchInterval: newerIntervalMs,
    // Nothing is newer than the page that was just loaded.
    initialData: { rows: [], next: newest, older: undefined },
    // The query polls again in a few seconds anyway.
    retry: false,
    gcTime: 0,
  });

  function showNewer(): void {
    const found = newer.data;
    client.setQueryData<Pages>(queryKey, (before) =>
      before === undefined || found.rows.length === 0
        ? before
        : { pages: [{ ...found, older: undefined }, ...before.pages], pageParams: [undefined, ...before.pageParams] },
    );
  }

  const count = newer.data.rows.length;
  return { query, rows, newer: count, hasManyNewer: count === pageRows, showNewer };
}

/** Exports the filtered audit log. Shows the progress, and a button that cancels the export. */
function AuditExport({ parameters }: { parameters: Record<string, string> }) {
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
      download(made.file, `audit-${today(getLocalTimeZone())}.${format}`);
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
