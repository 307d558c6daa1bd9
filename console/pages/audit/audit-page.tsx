// What happened in Frontdesk, for auditors.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../lists/queries.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { AuditRow } from '../../shell/api.ts';
import { useConsole } from '../../shell/console-context.ts';
import { ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { shellTexts } from '../../shell/texts.ts';
import { auditParameters, isFiltered, readAuditFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditRows } from './audit-rows.tsx';
import { AuditExport } from './export-menu.tsx';
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
      <Entries parameters={parameters} isFiltered={isFiltered(filter)} />
    </>
  );
}

function Entries({ parameters, isFiltered: hasFilter }: { parameters: Record<string, string>; isFiltered: boolean }) {
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
      {rows.length === 0 && <EmptyState title={hasFilter ? texts.noMatches : texts.noEntries} />}
      <AuditRows rows={rows} />
      <ErrorNote error={query.error} onRetry={() => void query.fetchNextPage()} />
      {query.hasNextPage ? (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {texts.showOlder}
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
type Pages = InfiniteData<AuditRow[], string | undefined>;

/** The audit a page at a time, newest first, and how much has been written since. */
function useAudit(parameters: Parameters) {
  const { api } = useConsole();
  const client = useQueryClient();
  const queryKey = [...keys.audit, parameters];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.audit({ ...parameters, limit: pageRows, ...(pageParam !== undefined && { before: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    // Each page is sorted oldest first.
    getNextPageParam: (page) => (page.length === pageRows ? page[0]?.id : undefined),
    // Rows never change, and the reader should not lose their place: newer rows are shown on request.
    staleTime: 'static',
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.toReversed()) ?? [], [query.data]);
  const newest = rows[0]?.id ?? '0';
  const newer = useQuery({
    queryKey: ['audit-newer', parameters, newest],
    queryFn: ({ signal }) => api.audit({ ...parameters, after: newest, limit: pageRows }, signal),
    enabled: query.isSuccess,
    refetchInterval: newerIntervalMs,
    // Nothing is newer than the page that was just loaded.
    initialData: [],
    // It polls again in a few seconds anyway.
    retry: false,
    gcTime: 0,
  });

  function showNewer(): void {
    const found = newer.data;
    client.setQueryData<Pages>(queryKey, (before) =>
      before === undefined || found.length === 0
        ? before
        : { pages: [found, ...before.pages], pageParams: [undefined, ...before.pageParams] },
    );
  }

  return { query, rows, newer: newer.data.length, hasManyNewer: newer.data.length === pageRows, showNewer };
}
