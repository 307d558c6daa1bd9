// A Frontdesk with scripted answers, and a simulated browser whose tabs use it, with locks, a channel, a person and a clock.
import { jest } from 'bun:test';
import { createFrontdesk, type SignedOutReason } from '../../client/src/index.ts';

type Environment = NonNullable<Parameters<typeof createFrontdesk>[1]>;
type Answer = () => Response | Promise<Response>;

export const problem = (code: string, status: number, headers: Record<string, string> = {}) =>
  Response.json({ type: `http://localhost/problems/${code}`, status, title: code, detail: code }, { status, headers });

/** A token with only what the client reads. */
const tokenOf = (person: string, number: number) => `h.${btoa(JSON.stringify({ sub: person, number }))}.s`;

export interface ScriptedRequest {
  path: string;
  method: string;
  token: string | undefined;
  credentials: string | undefined;
}

export function scriptDesk({ lifeSeconds = 3600 } = {}) {
  jest.useFakeTimers();
  const requests: ScriptedRequest[] = [];
  const desk = {
    requests,
    /** The person whose session the cookie names. */
    person: 'E-1' as string | undefined,
    lifeSeconds,
    /** Replaces the answer to a renewal. */
    renew: undefined as Answer | undefined,
    /** Replaces the answer to any other request. If it is unset or returns undefined, the answer depends on the token. */
    answer: undefined as
      | ((request: ScriptedRequest, signal: AbortSignal | null | undefined) => Response | Promise<Response> | undefined)
      | undefined,
    issued: 0,
    valid: new Set<string>(),
    issue(person: string): Response {
      const accessToken = tokenOf(person, ++desk.issued);
      desk.valid.add(accessToken);
      return Response.json({ accessToken, expirationInSeconds: desk.lifeSeconds });
    },
    renewals: () => requests.filter(({ path }) => path === '/auth/renew').length,
    paths: () => requests.map(({ path }) => path),
  };

  function answerTo(request: ScriptedRequest, signal?: AbortSignal | null): Response | Promise<Response> {
    if (request.path === '/auth/renew') {
      if (desk.renew !== undefined) return desk.renew();
      return desk.person === undefined ? problem('session-ended', 401) : desk.issue(desk.person);
    }
    const scripted = desk.answer?.(request, signal);
    if (scripted !== undefined) return scripted;
    if (request.token === undefined || !desk.valid.has(request.token)) return problem('invalid-token', 401);
    return Response.json({ path: request.path });
  }

  const send = (async (url: string, init: RequestInit = {}) => {
    const { pathname } = new URL(url);
    const token = new Headers(init.headers).get('authorization')?.slice('Bearer '.length);
    const request = { path: pathname, method: init.method ?? 'GET', token, credentials: init.credentials };
    requests.push(request);
    return answerTo(request, init.signal);
  }) as typeof fetch;

  return { desk, send };
}

/** A browser, whose tabs share locks and a channel. */
export function openBrowser(send: typeof fetch, { hasLocks = true } = {}) {
  const receivers = new Set<{ tab: object; name: string; receive: (message: unknown) => void }>();
  /** For each lock, the tab that holds it, and the tabs that wait for it. */
  const queues = new Map<string, { tab: object }[]>();
  const closed = new Set<object>();
  let freed = Promise.withResolvers<void>();

  function leaveQueue(name: string, isLeaving: (each: { tab: object }) => boolean): void {
    queues.set(
      name,
      (queues.get(name) ?? []).filter((each) => !isLeaving(each)),
    );
    freed.resolve();
    freed = Promise.withResolvers();
  }

  const locksOf = (tab: object): Environment['locks'] => ({
    async request(name, { ifAvailable, signal }, act) {
      const queue = queues.get(name) ?? [];
      if (ifAvailable && queue.length > 0) return act(null);
      const place = { tab };
      queues.set(name, [...queue, place]);
      const leave = () => leaveQueue(name, (each) => each === place);
      while (queues.get(name)?.[0] !== place) {
        await Promise.race([freed.promise, new Promise((resolve) => signal?.addEventListener('abort', resolve))]);
        if (!signal?.aborted) continue;
        leave();
        throw signal.reason;
      }
      return act({}).finally(leave);
    },
  });

  function openTab() {
    const reasons: SignedOutReason[] = [];
    const tab = {};
    const watchers: ((event: 'person' | 'focus' | 'online') => void)[] = [];
    const tell = (event: 'person' | 'focus' | 'online') => {
      for (const watcher of watchers) watcher(event);
    };
    const environment: Environment = {
      locks: hasLocks ? locksOf(tab) : undefined,
      openChannel(name, receive) {
        receivers.add({ tab, name, receive });
        return (message) => {
          for (const other of receivers) {
            if (other.tab !== tab && other.name === name && !closed.has(tab)) other.receive(structuredClone(message));
          }
        };
      },
      watch(onEvent) {
        watchers.push(onEvent);
      },
    };
    const options = {
      baseUrl: 'http://localhost',
      fetch: ((url: string, init?: RequestInit) =>
        closed.has(tab) ? new Promise<never>(() => {}) : send(url, init)) as typeof fetch,
      onSignedOut: (reason: SignedOutReason) => void reasons.push(reason),
    };
    const client = createFrontdesk(options, environment);
    return {
      client,
      reasons,
      act: () => tell('person'),
      comeOnline: () => tell('online'),
      focus: () => tell('focus'),
      /** The tab sends and receives nothing from now on, and its locks are released. */
      close() {
        closed.add(tab);
        for (const each of receivers) if (each.tab === tab) receivers.delete(each);
        for (const name of queues.keys()) leaveQueue(name, (each) => each.tab === tab);
      },
    };
  }

  return { openTab };
}

/** Advances the clock and runs what is due. */
export async function pass(seconds: number): Promise<void> {
  jest.advanceTimersByTime(seconds * 1000);
  await settle();
}

/** Runs pending promises until everything waits for the clock. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await Promise.resolve();
}

/** Like a sleeping laptop: the clock advances, but timers do not fire. */
export function sleep(seconds: number): void {
  jest.setSystemTime(new Date(Date.now() + seconds * 1000));
}
