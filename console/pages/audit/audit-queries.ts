// The audit a page at a time, newest first, and what has been written since.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useConsole } from '../../shell/console-context.ts';
import type { AuditRow } from '../../shell/api.ts';
import { keys } from '../../lists/queries.ts';

const pageRows = 100;
const newerIntervalMs = 15_000;

type Parameters = Record<string, string>;
type Pages = InfiniteData<AuditRow[], string | undefined>;

export function useAudit(parameters: Parameters) {
  const { api } = useConsole();
  const client = useQueryClient();
  const queryKey = [...keys.audit, parameters];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.audit({ ...parameters, limit: pageRows, ...(pageParam !== undefined && { before: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    // A page comes oldest first.
    getNextPageParam: (page) => (page.length === pageRows ? page[0]?.id : undefined),
    // Rows never change, and the reader's place must not: newer ones are shown on request.
    staleTime: 'static',
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.toReversed()) ?? [], [query.data]);
  const newest = rows[0]?.id ?? '0';
  const newer = useQuery({
    queryKey: ['audit-newer', parameters, newest],
    queryFn: ({ signal }) => api.audit({ ...parameters, after: newest, limit: pageRows }, signal),
    enabled: query.isSuccess,
    refetchInterval: newerIntervalMs,
    // At first, what was just read is all there is.
    initialData: [],
    // Asked for again in some seconds anyway.
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
