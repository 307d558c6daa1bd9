// The queries of the pages. They are cached by key and loaded again when the service announces a change.
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useConsole } from '../shell/console-context.ts';

export const keys = {
  lists: ['lists'] as const,
  list: (list: string) => ['list', list] as const,
  lastChanges: (list: string) => ['last-changes', list] as const,
  history: (list: string, filter: HistoryFilter) => ['history', list, filter] as const,
  version: (list: string, version: number) => ['version', list, version] as const,
  search: (text: string) => ['search', text] as const,
  sessions: ['sessions'] as const,
  audit: ['audit'] as const,
};

/** Invalidates everything that depends on the list. */
export function listChanged(client: QueryClient, list: string): void {
  for (const queryKey of [keys.lists, keys.list(list), keys.lastChanges(list), ['history', list], ['search']]) {
    void client.invalidateQueries({ queryKey });
  }
}

export function useLists({ isNeeded = true } = {}) {
  const { api } = useConsole();
  return useQuery({ queryKey: keys.lists, queryFn: ({ signal }) => api.lists(signal), enabled: isNeeded });
}

/** Whether the user may change any list. */
export function useKeepsLists(): boolean {
  const { permissions } = useConsole();
  const { data: lists = [] } = useLists({ isNeeded: permissions.seeLists && !permissions.createLists });
  return permissions.createLists || lists.some(({ mayKeep }) => mayKeep);
}

/** Undefined until the lists are loaded, or if the list does not exist. */
export const useSummary = (list: string) => useLists().data?.find((summary) => summary.list === list);

export function useList(list: string) {
  const { api } = useConsole();
  return useQuery({ queryKey: keys.list(list), queryFn: ({ signal }) => api.list(list, signal) });
}

export function useLastChanges(list: string) {
  const { api } = useConsole();
  return useQuery({ queryKey: keys.lastChanges(list), queryFn: ({ signal }) => api.lastChanges(list, signal) });
}

const historyPage = 20;

export interface HistoryFilter {
  /** Only the changes of this value. */
  value?: string;
  /** Words of a name, or an employee ID. */
  by?: string;
  /** Instants: `since` is inclusive, `until` is exclusive. */
  since?: string;
  until?: string;
}

/** Loads the history page by page, newest version first. */
export function useHistory(list: string, filter: HistoryFilter = {}) {
  const { api } = useConsole();
  return useInfiniteQuery({
    queryKey: keys.history(list, filter),
    queryFn: ({ pageParam, signal }) => api.history(list, { before: pageParam, limit: historyPage, ...filter }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => {
      const oldest = page.at(-1)?.version ?? 1;
      return page.length < historyPage || oldest <= 1 ? undefined : oldest;
    },
  });
}

/** One entry of the history, which never changes. */
export function useHistoryEntry(list: string, version: number) {
  const { api } = useConsole();
  return useQuery({
    queryKey: [...keys.version(list, version), 'entry'],
    queryFn: async ({ signal }) => (await api.history(list, { before: version + 1, limit: 1 }, signal))[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    select: (entry) => entry ?? undefined,
  });
}

/** Loads an old version only once, because it never changes. */
export function useListAt(list: string, version: number) {
  const { api } = useConsole();
  return useQuery({
    queryKey: keys.version(list, version),
    queryFn: ({ signal }) => api.listAt(list, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Sends a request only if the text has a letter or digit. The previous result is kept until the next is loaded. */
export function useSearch(text: string) {
  const { api } = useConsole();
  const words = text.trim().slice(0, 100);
  return useQuery({
    queryKey: keys.search(words),
    queryFn: ({ signal }) => api.search(words, signal),
    enabled: /[\p{L}\p{N}]/u.test(words),
    placeholderData: (previous) => previous,
  });
}

export function useSessions() {
  const { api } = useConsole();
  return useQuery({ queryKey: keys.sessions, queryFn: ({ signal }) => api.sessions(signal) });
}
