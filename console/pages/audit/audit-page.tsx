// What happened in Frontdesk, for auditors.
import { useMemo } from 'react';
import { auditParameters, isFiltered, readAuditFilter } from './audit-filter.ts';
import { useAudit } from './audit-queries.ts';
import { AuditExport } from './export-menu.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditRows } from './audit-rows.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../shell/error-note.tsx';
import { LoadingOrError } from '../../shell/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { auditPage as texts } from './texts.ts';
import { shared } from '../../parts/texts.ts';

export function AuditPage({ query }: { query: string }) {
  const filter = useMemo(() => readAuditFilter(query), [query]);
  const parameters = useMemo(() => auditParameters(filter), [filter]);
  return (
    <>
      <PageHeader title={shared.audit} text={texts.text}>
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
