// Server-sent events: who watches the lists learns of a change at once.
import type { Principal } from '../http/access.ts';
import { noStore } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import type { Db } from '../storage/storage.ts';
import { type ListEvent, readEvents, readLastSeq } from './lookup.queries.ts';

export interface ChangeStream {
  open(principal: Principal, lastEventId?: string): Promise<Response>;
  /** Tells everybody of what is new in the history, and of lists that a new day has changed without a write. */
  publish(turn?: NewDay): Promise<void>;
  /** How many are watching. */
  size(): number;
  closeAll(): void;
}

interface NewDay {
  day: string;
  lists: readonly { list: string; version: number }[];
}

interface ChangeStreamOptions {
  db: Db;
  /** The day it is. */
  today: () => string;
  /** The lists that look different on two days. */
  differingBetween: (day: string, otherDay: string) => readonly { list: string; version: number }[];
  heartbeatMs?: number;
  /** Whether this person may go on watching. */
  mayStay: (principal: Principal) => boolean;
}

interface Watcher {
  principal: Principal;
  /** The last change it was told of. */
  seq: number;
  controller: ReadableStreamDefaultController<Uint8Array>;
}

const usualHeartbeatMs = 15_000;
// Some thousand events. Whoever has not read that much by then is gone or stuck, and resumes where it was.
const longestBacklog = 256 * 1024;
/** Each holds a connection and memory. Said in the route's description, too. */
const mostPerPerson = 10;

export async function createChangeStream(options: ChangeStreamOptions): Promise<ChangeStream> {
  const { db, mayStay, today, differingBetween, heartbeatMs = usualHeartbeatMs } = options;
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
    if (!mayStay(watcher.principal) || (watcher.controller.desiredSize ?? 0) <= 0) leave(watcher);
    else watcher.controller.enqueue(encoder.encode(text));
  }

  /** The new one is refused: clients that closed each other's in turn would all read everything again and again. */
  function expectRoomFor({ employeeId }: Principal): void {
    const own = [...watchers].filter((watcher) => watcher.principal.employeeId === employeeId);
    if (own.filter((watcher) => mayStay(watcher.principal)).length >= mostPerPerson) throw new Problem('rate-limited');
  }

  const heartbeat = setInterval(() => {
    for (const watcher of watchers) send(watcher, ':\n\n');
  }, heartbeatMs);

  // Not the clock's: until the lists of a new day are told, whoever comes back has to learn of them.
  let day = today();
  // A list that a new day changed keeps its version. The day tells those who compare versions that it is news.
  const eventOf = ({ seq, ...data }: ListEvent & { day?: string }) =>
    `id: ${idOf(seq, day)}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`;

  function tell(watcher: Watcher, events: readonly Parameters<typeof eventOf>[0][]): void {
    if (events.length > 0) send(watcher, events.map(eventOf).join(''));
  }

  /** What somebody missed who comes back with the id of their last event, up to a change and a day. */
  async function missedSince(lastEventId?: string): Promise<{ text: string; seq: number; until: string }> {
    const [newest, until] = [lastSeq, day];
    const last = readId(lastEventId);
    if (last === undefined) return { text: '', seq: newest, until };
    const events = await readEvents(db, last.seq);
    const told = new Set(events.map(({ list }) => list));
    const turned = differingBetween(last.day, until).filter(({ list }) => !told.has(list));
    const all = [...turned.map(({ list, version }) => ({ seq: last.seq, list, version, day: until })), ...events];
    return { text: all.map(eventOf).join(''), seq: Math.max(newest, ...events.map(({ seq }) => seq)), until };
  }

  return {
    async open(principal, lastEventId) {
      expectRoomFor(principal);
      let missed = await missedSince(lastEventId);
      // Again, where the others were told of something meanwhile: from here on this one is told as well.
      while (missed.seq < lastSeq || missed.until !== day) missed = await missedSince(lastEventId);
      // Others of the same person may have been opened meanwhile.
      expectRoomFor(principal);
      let watcher: Watcher | undefined;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            watcher = { principal, controller, seq: missed.seq };
            watchers.add(watcher);
            // An id before the next event: whoever is cut off by then resumes from here.
            send(watcher, `retry: 2000\n${missed.text}id: ${idOf(missed.seq, day)}\n\n`);
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
          ...noStore,
          // nginx would hold events back to fill its buffer.
          'X-Accel-Buffering': 'no',
        },
      });
    },
    async publish(turn) {
      // First, since it needs no database: one that is away must not make anybody miss it.
      if (turn !== undefined && turn.day > day) {
        day = turn.day;
        for (const watcher of watchers)
          tell(
            watcher,
            turn.lists.map(({ list, version }) => ({ seq: watcher.seq, list, version, day })),
          );
      }
      // Looked at again afterwards: somebody else may have published meanwhile.
      const events = (await readEvents(db, lastSeq)).filter(({ seq }) => seq > lastSeq);
      lastSeq = Math.max(lastSeq, ...events.map(({ seq }) => seq));
      for (const watcher of watchers) {
        tell(
          watcher,
          events.filter(({ seq }) => seq > watcher.seq),
        );
        watcher.seq = Math.max(watcher.seq, lastSeq);
      }
    },
    size: () => watchers.size,
    closeAll() {
      clearInterval(heartbeat);
      for (const watcher of watchers) leave(watcher);
    },
  };
}

// An id tells the last change and the day, since a list also changes when a date comes: both only grow.
const daysInId = 100_000;
const dayMs = 86_400_000;

function idOf(seq: number, day: string): number {
  return seq * daysInId + Date.parse(day) / dayMs;
}

function readId(text: string | undefined): { seq: number; day: string } | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  const id = Number(text);
  return { seq: Math.floor(id / daysInId), day: new Date((id % daysInId) * dayMs).toISOString().slice(0, 10) };
}
