// React hooks for a list, a label, the person, and the session.
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { CurrentUser, Frontdesk, ItemFields, ListItem, ListName, LookupOptions, StoredValue } from './index.ts';
import { listsOf, scopeOf } from './lookup-options.ts';
import { findResource, type Loaded, nothing, type Resource } from './resource.ts';

export type { Loaded } from './resource.ts';

const Context = createContext<Frontdesk | undefined>(undefined);

export const FrontdeskProvider = Context.Provider;

export function useFrontdesk(): Frontdesk {
  const frontdesk = useContext(Context);
  if (frontdesk === undefined)
    throw new Error(
      'A hook was called outside a provider: wrap the component in <FrontdeskProvider value={frontdesk}>.',
    );
  return frontdesk;
}

function useSessionState() {
  const { subscribe, session } = useFrontdesk();
  return useSyncExternalStore(subscribe, session, session);
}

/** The state on a server, where nobody is signed in and nothing is requested. */
const whileLoading = () => nothing;

/** Loads the data again when `version` changes. */
function useResource<T>(resource: Resource<T>, version: string): Loaded<T> {
  const loaded = useSyncExternalStore<Loaded<T>>(resource.subscribe, resource.state, whileLoading);
  useEffect(() => resource.require(version), [resource, version]);
  return loaded;
}

export interface UseLookupOptions<Field extends keyof ItemFields = never> extends Omit<LookupOptions<Field>, 'signal'> {
  /** Loads the list again whenever it changes, through one connection for all tabs. */
  live?: boolean;
  /** Loads the list again when this number changes. For applications with their own stream of changes. */
  version?: number;
}

/** The items of a list. They are loaded again after a new sign-in, when the person returns to the page, and with `live`. */
export function useLookup<List extends ListName, Field extends keyof ItemFields = never>(
  list: List,
  options: UseLookupOptions<Field> = {},
): Loaded<ListItem<List, NoInfer<Field>>[]> {
  const { live = false, version = 0, ...request } = options;
  const frontdesk = useFrontdesk();
  const key = JSON.stringify([list, request]);
  const resource = findResource(frontdesk, key, () => frontdesk.lookup(list, request), listsOf(list, request));
  return useKept(JSON.stringify([list, scopeOf(request)]), useListResource(resource, live, version));
}

/** The label of a stored value, even if it is retired; the value itself if the list does not know it. */
export function useLabel<List extends ListName>(
  list: List,
  value: StoredValue<List>,
  { live = false, language }: { live?: boolean; language?: string } = {},
): Loaded<string> {
  const frontdesk = useFrontdesk();
  const key = JSON.stringify(['label', list, value, language]);
  const resource = findResource(frontdesk, key, () => frontdesk.label(list, value, { language }), [list]);
  return useListResource(resource, live, 0);
}

function useListResource<T>(resource: Resource<T>, live: boolean, version: number): Loaded<T> {
  const { signIns, status } = useSessionState();
  // Components that are already shown load their data again after a sign-in, or when resume() has continued the session.
  const isOver = status === 'starting' || status === 'signed-out';
  const loaded = useResource(resource, `${version} ${signIns} ${isOver}`);
  useEffect(() => (live ? resource.watch() : undefined), [resource, live]);
  return loaded;
}

/** Shows the data of the previous options until the new data arrives, but only in the same scope. */
function useKept<T>(scope: string, loaded: Loaded<T>): Loaded<T> {
  const { data } = loaded;
  const [kept, setKept] = useState({ scope, data });
  if (kept.scope !== scope || (data !== undefined && kept.data !== data)) setKept({ scope, data });
  if (data !== undefined || kept.scope !== scope || kept.data === undefined) return loaded;
  return { ...loaded, data: kept.data, isLoading: false, isStale: true };
}

/** The person who is signed in, or was signed in last. Loaded again after each renewal, which may change the roles. */
export function useMe(): Loaded<CurrentUser> {
  const frontdesk = useFrontdesk();
  const { renewedAt, personNumber } = useSessionState();
  const resource = findResource(frontdesk, `me ${personNumber}`, () => frontdesk.me());
  return useResource(resource, String(renewedAt));
}

/**
 * Who is signed in, whether they still are, and how to sign in and out. `error`: why the last sign-in failed, or why it is not
 * known who is signed in.
 */
export function useSession() {
  const { signIn, signOut } = useFrontdesk();
  const { status, reason, signInError } = useSessionState();
  const { data: person, error: loadError } = useMe();
  const error = signInError ?? (status === 'signed-out' ? undefined : loadError);
  return { person, status, reason, error, signIn, signOut };
}
