// The stream of list changes: connecting, reading, and trying again.

import { isTokenRefused, type SendRequest } from './call.ts';
import { FrontdeskError, networkError, unexpectedAnswer } from './error.ts';
import type { Tokens } from './request.ts';
import { isTemporary, retryDelay, wait } from './retry.ts';
import type { Session } from './session.ts';
import type { Change } from './types.ts';

/** The state of a stream. `error` is undefined if the service closed it in an orderly way, as it does before it stops. */
export type StreamState =
  | { isConnected: true }
  | { isConnected: false; error: FrontdeskError | undefined; retryInMs: number };

export interface ChangesOptions {
  signal?: AbortSignal;
  onState?: (state: StreamState) => void;
}

export function createChanges(request: SendRequest, session: Session, tokens: Tokens) {
  async function connect(lastId: string | undefined, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastId !== undefined) headers['Last-Event-ID'] = lastId;
    await tokens.presence(signal);
    const response = await request('/lookups/changes', { headers, ...(signal && { signal }) });
    if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response.body;
    throw unexpectedAnswer(response.status);
  }

  /** Whether trying again may help. A replica may refuse a new token because it does not know the session yet. */
  const mayPass = (error: FrontdeskError) =>
    isTemporary(error) || (isTokenRefused(error) && session.current() !== undefined);

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
        if (!(reason instanceof FrontdeskError && mayPass(reason))) throw reason;
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

// Reads server-sent events as Frontdesk sends them. Standard parsers drop an event without data, together with its id.
// Frontdesk sends such an event when a stream opens, and a client that is then disconnected resumes from its id.
interface ServerSentEvent {
  id?: string;
  data?: string;
}

async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw networkError(cause);
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseEvent);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(block: string): ServerSentEvent {
  const event: ServerSentEvent = {};
  for (const line of block.split('\n')) {
    const [, name, content = ''] = /^(id|data): (.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'data') event[name] = content;
  }
  return event;
}
