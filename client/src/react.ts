// Hooks: a list, the person, and the session.
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { CurrentUser, Frontdesk, FrontdeskError, ListName, LookupItem, LookupOptions } from './index.ts';

const Context = createContext<Frontdesk | undefined>(undefined);

export const FrontdeskProvider = Context.Provider;

export function useFrontdesk(): Frontdesk {
  const frontdesk = useContext(Context);
  if (frontdesk === undefined) throw new Error('There is no <FrontdeskProvider value={frontdesk}> around this.');
  return frontdesk;
}

export interface Loaded<T> {
  data: T | undefined;
  error: FrontdeskError | undefined;
  isLoading: boolean;
}

const nothing = { data: undefined, error: undefined, isLoading: true };

/** Loads when `name` or `version` changes. Data of another name is never shown under this one. */
function useLoaded<T>(name: string, version: number | string, ask: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { name: string }>({ name, ...nothing });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` is a new function each time; `name` says what it asks
  useEffect(() => {
    let isCurrent = true;
    const show = (change: Partial<Loaded<T>>) => {
      if (!isCurrent) return;
      setState((before) => ({ ...(before.name === name ? before : nothing), name, ...change }));
    };
    show({ isLoading: true });
    ask().then(
      (data) => show({ data, error: undefined, isLoading: false }),
      (error: FrontdeskError) => show({ error, isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, version]);
  return state.name === name ? state : nothing;
}

function useSessionState() {
  const { subscribe, session } = useFrontdesk();
  return useSyncExternalStore(subscribe, session, session);
}

/**
 * The items of a list, loaded again when `version` changes: pass the `id` of the list's last change. They are also
 * loaded again after a new sign-in.
 */
export function useLookup(
  list: ListName,
  { version = 0, ...options }: LookupOptions & { version?: number } = {},
): Loaded<LookupItem[]> {
  const frontdesk = useFrontdesk();
  const { signIns } = useSessionState();
  const name = JSON.stringify([frontdesk.baseUrl, list, options]);
  return useLoaded(name, `${version} ${signIns}`, () => frontdesk.lookup(list, options));
}

/** The person who is signed in, or was last: loaded again after each renewal, which may change the roles. */
export function useMe(): Loaded<CurrentUser> {
  const frontdesk = useFrontdesk();
  const { renewedAt, personNumber } = useSessionState();
  return useLoaded(`${frontdesk.baseUrl} ${personNumber}`, renewedAt, () => frontdesk.me());
}

/** Who is signed in, whether they still are, and how to sign in and out. */
export function useSession() {
  const { signIn, signOut } = useFrontdesk();
  const { status, reason } = useSessionState();
  const { data: person } = useMe();
  return { person, status, reason, signIn, signOut };
}
