// Hooks. A list is loaded once for all who use it, and again when it has changed.
import { createContext, useContext, useEffect, useState } from 'react';
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

/** Asks anew whenever `name` changes; what comes late is for nobody. */
function useLoaded<T>(name: string, ask: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T>>(nothing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` is a new function each time; `name` says what it asks
  useEffect(() => {
    let isCurrent = true;
    setState((before) => ({ ...before, isLoading: true }));
    ask().then(
      (data) => isCurrent && setState({ data, error: undefined, isLoading: false }),
      (error: FrontdeskError) => isCurrent && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return state;
}

/** The items of a list; `version` may be any number that grows when it should be asked for anew. */
export function useLookup(list: ListName, options: LookupOptions & { version?: number } = {}): Loaded<LookupItem[]> {
  const frontdesk = useFrontdesk();
  return useLoaded(JSON.stringify([list, options]), () => frontdesk.lookup(list, options));
}

/** The person who is signed in. */
export function useMe(): Loaded<CurrentUser> {
  const frontdesk = useFrontdesk();
  return useLoaded(String(frontdesk.expiresAt()?.getTime()), () => frontdesk.me());
}
