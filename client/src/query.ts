// Options for TanStack Query 5, instead of the hooks: useQuery(lookupQuery(frontdesk, 'position')). Imports nothing from that
// library, so it works with the library's adapters for every framework.
import { FrontdeskError } from './error.ts';
import type {
  AllLookups,
  CurrentUser,
  Frontdesk,
  ItemFields,
  ListItem,
  ListName,
  LoadOptions,
  LookupOptions,
  StoredValues,
  ValidateResult,
} from './index.ts';
import { listsOf, scopeOf } from './lookup-options.ts';
import { isTemporary, retryDelay } from './retry.ts';
import { watchChanges } from './shared-changes.ts';

interface QueryContext {
  signal: AbortSignal;
}

/** The part of TanStack's QueryClient that is used here. */
interface QueryClient {
  invalidateQueries(filters: {
    queryKey: readonly unknown[];
    predicate?: (query: { queryKey: readonly unknown[] }) => boolean;
  }): Promise<void>;
}

const retries = 3;

const shared = {
  staleTime: 60_000,
  /** Retries only after temporary errors, not if a list does not exist or the session has ended. */
  retry: (failures: number, error: Error) =>
    failures < retries && error instanceof FrontdeskError && isTemporary(error),
  retryDelay: (failures: number, error: Error) =>
    retryDelay(failures, error instanceof FrontdeskError ? error.retryAfter : undefined),
};

const keyOf = ({ baseUrl }: Frontdesk, kind: 'lookup' | 'lookups' | 'me' | 'validate') =>
  ['frontdesk', baseUrl, kind] as const;

/**
 * The items of a list. Until they arrive, `data` contains the items for the previous options, and `isPlaceholderData` is
 * true.
 */
export function lookupQuery<List extends ListName, Field extends keyof ItemFields = never>(
  frontdesk: Frontdesk,
  list: List,
  options: Omit<LookupOptions<Field>, 'signal'> = {},
) {
  type Items = ListItem<List, NoInfer<Field>>[];
  const scope = [...keyOf(frontdesk, 'lookup'), list, scopeOf(options)] as const;
  return {
    ...shared,
    queryKey: [...scope, options] as const,
    queryFn: ({ signal }: QueryContext): Promise<Items> => frontdesk.lookup(list, { ...options, signal }),
    placeholderData: (before: Items | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
      JSON.stringify(query?.queryKey.slice(0, scope.length)) === JSON.stringify(scope) ? before : undefined,
  };
}

/** All lists at once. */
export function lookupsQuery(frontdesk: Frontdesk, options: Omit<LoadOptions, 'signal'> = {}) {
  return {
    ...shared,
    queryKey: [...keyOf(frontdesk, 'lookups'), options] as const,
    queryFn: ({ signal }: QueryContext): Promise<AllLookups> => frontdesk.lookups({ ...options, signal }),
  };
}

/** Whether stored values are known, active or replaced. */
export function validateQuery(frontdesk: Frontdesk, values: StoredValues, options: Omit<LoadOptions, 'signal'> = {}) {
  return {
    ...shared,
    queryKey: [...keyOf(frontdesk, 'validate'), values, options] as const,
    queryFn: ({ signal }: QueryContext): Promise<ValidateResult> => frontdesk.validate(values, { ...options, signal }),
  };
}

/** The person who is signed in. */
export function meQuery(frontdesk: Frontdesk) {
  return {
    ...shared,
    // One person's answer is not shown to the next person.
    queryKey: [...keyOf(frontdesk, 'me'), frontdesk.session().personNumber] as const,
    queryFn: ({ signal }: QueryContext): Promise<CurrentUser> => frontdesk.me({ signal }),
  };
}

/**
 * Until the returned function is called, invalidates lists when they change (through one stream for all tabs), all of
 * Frontdesk's queries after a sign-in, and the person after a renewal.
 */
export function invalidateOnChanges(frontdesk: Frontdesk, queryClient: QueryClient): () => void {
  const invalidate = (...queryKey: readonly unknown[]) => void queryClient.invalidateQueries({ queryKey });
  const invalidateLists = (changed?: string) => {
    void queryClient.invalidateQueries({
      queryKey: keyOf(frontdesk, 'lookup'),
      predicate: ({ queryKey }) => {
        const [list, scope] = queryKey.slice(keyOf(frontdesk, 'lookup').length) as [string, ReturnType<typeof scopeOf>];
        return changed === undefined || listsOf(list, scope).includes(changed);
      },
    });
    invalidate(...keyOf(frontdesk, 'lookups'));
    invalidate(...keyOf(frontdesk, 'validate'));
  };
  const unwatch = watchChanges(frontdesk, {
    onChange: ({ list }) => invalidateLists(list),
    onGap: () => invalidateLists(),
  });
  let before = frontdesk.session();
  const unsubscribe = frontdesk.subscribe(() => {
    const { signIns, renewedAt } = frontdesk.session();
    const isSignIn = signIns > before.signIns;
    if (isSignIn) invalidateLists();
    if (isSignIn || renewedAt > before.renewedAt) invalidate(...keyOf(frontdesk, 'me'));
    before = frontdesk.session();
  });
  return () => {
    unwatch();
    unsubscribe();
  };
}
