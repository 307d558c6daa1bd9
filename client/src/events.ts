// The stream of list changes: connecting, reading, and trying again.
import { FrontdeskError, unexpectedAnswer } from './error.ts';
import type { SendRequest } from './request.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import type { Session } from './session.ts';
import type { Change } from './types.ts';

/** The state of a stream. `error` is undefined when the service closed it in order, as it does before it stops. */
export type StreamState =
  | { isConnected: true }
  | { isConnected: false; error: FrontdeskError | undefined; retryInMs: number };

export interface ChangesOptions {
  signal?: AbortSignal;
  onState?: (state: StreamState) => void;
}

export function createChanges(request: SendRequest, session: Session) {
  async function connect(lastId: string | undefined, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastId !== undefined) headers['Last-Event-ID'] = lastId;
    const response = await request('/lookups/changes', { headers, ...(signal && { signal }) });
    if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response.body;
    throw unexpectedAnswer(response.status);
  }

  /** Includes a 401 after which another window's sign-in was taken over. */
  function isTemporary({ status }: FrontdeskError): boolean {
    return status === 0 || status === 429 || status >= 500 || (status === 401 && session.current() !== undefined);
  }

  return async function* ({ signal, onState }: ChangesOptions = {}): AsyncGenerator<Change, void, undefined> {
    let lastId: string | undefined;
    for (let failures = 0; ; failures++) {
      let error: FrontdeskError | undefined;
      try {
        const body = await connect(lastId, signal);
        onState?.({ isConnected: true });
        for await (const event of readServerSentEvents(body)) {
          failures = 0;
          if (event.id !== undefined) lastId = event.id;
          if (event.data !== undefined) yield { ...parseData(event.data), id: Number(lastId) };
        }
      } catch (reason) {
        if (signal?.aborted && reason === signal.reason) return;
        if (!(reason instanceof FrontdeskError && isTemporary(reason))) throw reason;
        error = reason;
      }
      if (signal?.aborted) return;
      const retryInMs = retryDelay(failures, error?.retryAfter);
      onState?.({ isConnected: false, error, retryInMs });
      await wait(retryInMs, signal);
      if (signal?.aborted) return;
    }
  };
}

function parseData(data: string): Omit<Change, 'id'> {
  try {
    return JSON.parse(data) as Omit<Change, 'id'>;
  } catch {
    throw unexpectedAnswer(200);
  }
}

/** Doubles each time, and is shortened at random by up to half, so that clients do not all reconnect at once. */
function retryDelay(failures: number, retryAfter = 0): number {
  const longest = Math.min(1000 * 2 ** failures, 30_000);
  // At most a day: setTimeout takes no more than 24.
  return Math.min(retryAfter * 1000, 86_400_000) + (longest * (1 + Math.random())) / 2;
}

/** Ends early when the signal is aborted. */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}
