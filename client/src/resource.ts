// The data that hooks show. All components share one answer, which is loaded again when the data may have changed. Does
// not depend on React.
import type { Frontdesk, FrontdeskError } from './index.ts';
import { isTemporary, retryDelay } from './retry.ts';
import { watchChanges } from './shared-changes.ts';

export interface Loaded<T> {
  /** The last answer. It stays during a reload, after an error, and after the session has ended. */
  data: T | undefined;
  /** Why the last request failed. */
  error: FrontdeskError | undefined;
  /** Whether the first answer is still being loaded. */
  isLoading: boolean;
  /** Whether a request is in progress, even if there is already `data`. */
  isFetching: boolean;
  /** Whether `data` is outdated: the answer to the previous options, or from before a failed request. */
  isStale: boolean;
}

export interface Resource<T> {
  state(): Loaded<T>;
  subscribe(listener: () => void): () => void;
  /** Loads again if the version has changed since the last call. */
  require(version: string): void;
  /** Loads again whenever one of its lists changes, until the returned function is called. */
  watch(): () => void;
}

interface Owned<T> extends Resource<T> {
  isUsed(): boolean;
  recheck(intervalMs: number): void;
}

export const nothing = { data: undefined, error: undefined, isLoading: true, isFetching: true, isStale: false };

const maxResources = 100;
/** The shortest interval between requests caused by focus events, because a person may switch tabs often. */
const focusIntervalMs = 5000;

const byFrontdesk = new WeakMap<Frontdesk, Map<string, unknown>>();

/** Finds or creates the resource of this key. `lists`: the lists whose changes affect it. */
export function findResource<T>(
  frontdesk: Frontdesk,
  key: string,
  load: () => Promise<T>,
  lists: readonly string[] = [],
): Resource<T> {
  const resources = (byFrontdesk.get(frontdesk) ?? openResources(frontdesk)) as Map<string, Owned<T>>;
  const found = resources.get(key);
  if (found !== undefined) return found;
  if (resources.size >= maxResources) {
    for (const [each, { isUsed }] of resources) if (!isUsed()) resources.delete(each);
  }
  const made = createResource(frontdesk, load, lists);
  resources.set(key, made);
  return made;
}

function openResources(frontdesk: Frontdesk): Map<string, unknown> {
  const resources = new Map<string, Owned<unknown>>();
  byFrontdesk.set(frontdesk, resources);
  frontdesk.environment.watch((event) => {
    if (event === 'person') return;
    for (const each of resources.values()) each.recheck(event === 'focus' ? focusIntervalMs : 0);
  });
  return resources;
}

function createResource<T>(frontdesk: Frontdesk, load: () => Promise<T>, lists: readonly string[]): Owned<T> {
  const listeners = new Set<() => void>();
  let state: Loaded<T> = nothing;
  let isAsking = false;
  let knownVersion: string | undefined;
  let askedAt = 0;
  let failures = 0;
  /** Because of Retry-After, no request is sent before this time. */
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the answer to the request in progress may be outdated. */
  let isOutdated = false;
  let watchers = 0;
  let unwatch = () => {};

  function show(next: Loaded<T>): void {
    state = next;
    for (const listener of [...listeners]) listener();
  }

  async function ask(): Promise<void> {
    const { data } = state;
    // After the session has ended, the data stays as it is, and nothing is requested.
    if (isAsking || (data !== undefined && frontdesk.session().status === 'signed-out')) return;
    clearTimeout(timer);
    isAsking = true;
    askedAt = Date.now();
    show({ ...state, isLoading: data === undefined, isFetching: true });
    let next: Loaded<T>;
    do {
      isOutdated = false;
      next = await load().then(succeed, fail);
    } while (isOutdated && next.error === undefined);
    isAsking = false;
    show(next);
  }

  function succeed(answer: T): Loaded<T> {
    failures = 0;
    // Keeps the same object if nothing has changed, so that components need not render again.
    const data = JSON.stringify(answer) === JSON.stringify(state.data) ? state.data : answer;
    return { data, error: undefined, isLoading: false, isFetching: false, isStale: false };
  }

  function fail(error: FrontdeskError): Loaded<T> {
    const { data } = state;
    if (isTemporary(error)) {
      notBefore = Date.now() + (error.retryAfter ?? 0) * 1000;
      if (listeners.size > 0) timer = setTimeout(ask, retryDelay(failures++, error.retryAfter));
    }
    return { data, error, isLoading: false, isFetching: false, isStale: data !== undefined };
  }

  /** Loads again. The answer to a request that is already in progress may be outdated. */
  function refresh(): void {
    isOutdated = true;
    if (listeners.size > 0) void ask();
  }

  return {
    state: () => state,
    isUsed: () => listeners.size > 0,

    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void ask();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },

    recheck(intervalMs) {
      const now = Date.now();
      if (listeners.size > 0 && now >= notBefore && now >= askedAt + intervalMs) void ask();
    },

    require(version) {
      if (knownVersion !== undefined && knownVersion !== version) refresh();
      knownVersion = version;
    },

    watch() {
      if (watchers++ === 0) {
        unwatch = watchChanges(frontdesk, {
          onChange: (change) => lists.includes(change.list) && refresh(),
          onGap: refresh,
        });
        // A request that was sent before the stream was watched may have missed a change.
        if (!isAsking) refresh();
      }
      return () => {
        if (--watchers === 0) unwatch();
      };
    },
  };
}
