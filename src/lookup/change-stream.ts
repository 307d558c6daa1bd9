// Server-sent events: who watches the lists learns of a change at once.
import type { Principal } from '../http/access.ts';
import type { Db } from '../storage/storage.ts';
import { readEvents, readLastSeq } from './lookup.queries.ts';

export interface ChangeStream {
  open(principal: Principal, lastEventId: string | null): Promise<Response>;
  /** Tells everybody of what is new in the history, and of lists that changed without a write. */
  publish(turned?: readonly { list: string; version: number }[]): Promise<void>;
  closeAll(): void;
}

interface ChangeStreamOptions {
  db: Db;
  /** Whether this person may go on watching. */
  mayStay: (principal: Principal) => boolean;
}

interface Watcher {
  principal: Principal;
  controller: ReadableStreamDefaultController<Uint8Array>;
}

const heartbeatMs = 15_000;
// Some thousand events. Whoever has not read that much by then is gone or stuck, and resumes where it was.
const longestBacklog = 256 * 1024;
const mostPerSession = 10;

export async function createChangeStream({ db, mayStay }: ChangeStreamOptions): Promise<ChangeStream> {
  const watchers = new Set<Watcher>();
  const encoder = new TextEncoder();
  let lastSeq = await readLastSeq(db);

  function leave(watcher: Watcher): void {
    if (!watchers.delete(watcher)) return;
    try {
      watcher.controller.close();
    } catch {
      // the client was faster
    }
  }

  function send(watcher: Watcher, text: string): void {
    if ((watcher.controller.desiredSize ?? 0) <= 0) leave(watcher);
    else watcher.controller.enqueue(encoder.encode(text));
  }

  const heartbeat = setInterval(() => {
    for (const watcher of watchers) {
      if (mayStay(watcher.principal)) send(watcher, ':\n\n');
      else leave(watcher);
    }
  }, heartbeatMs);

  return {
    async open(principal, lastEventId) {
      const after = Number(lastEventId ?? Number.NaN);
      const missed = Number.isSafeInteger(after) && after >= 0 ? await readEvents(db, after) : [];
      const own = [...watchers].filter((watcher) => watcher.principal.sessionId === principal.sessionId);
      for (const watcher of own.slice(0, Math.max(0, own.length - mostPerSession + 1))) leave(watcher);
      let watcher: Watcher | undefined;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            watcher = { principal, controller };
            watchers.add(watcher);
            send(watcher, `retry: 2000\n\n${missed.map(eventOf).join('')}`);
          },
          cancel() {
            if (watcher !== undefined) leave(watcher);
          },
        },
        new ByteLengthQueuingStrategy({ highWaterMark: longestBacklog }),
      );
      return new Response(body, {
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          // nginx would hold events back to fill its buffer.
          'X-Accel-Buffering': 'no',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
    async publish(turned = []) {
      const events = await readEvents(db, lastSeq);
      lastSeq = Math.max(lastSeq, ...events.map(({ seq }) => seq));
      const text = events.map(eventOf).join('') + turned.map(dataOf).join('');
      if (text !== '') for (const watcher of watchers) send(watcher, text);
    },
    closeAll() {
      clearInterval(heartbeat);
      for (const watcher of watchers) leave(watcher);
    },
  };
}

function eventOf(event: { seq: number; list: string; version: number }): string {
  return `id: ${event.seq}\n${dataOf(event)}`;
}

function dataOf({ list, version }: { list: string; version: number }): string {
  return `event: change\ndata: ${JSON.stringify({ list, version })}\n\n`;
}
