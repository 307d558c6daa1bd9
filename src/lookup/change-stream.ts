// Server-sent events: clients that watch the lists get every change at once.
import type { Principal } from '../http/access.ts';
import type { Db } from '../storage/storage.ts';
import { type ListEvent, readEvents, readLastSeq } from './lookup.queries.ts';
import { Subscribers } from './subscribers.ts';

export interface ChangeStream {
  open(principal: Principal, lastEventId?: string): Promise<Response>;
  /** Sends what is new in the history, and the lists that a new day has changed without a write. */
  publish(newDay?: NewDay): Promise<void>;
  /** How many streams are open. */
  size(): number;
  closeAll(): void;
}

interface NewDay {
  day: string;
  lists: readonly { list: string; version: number }[];
}

interface ChangeStreamOptions {
  db: Db;
  /** The last change that is in memory for certain; if undefined, the last there is. */
  since?: number;
  today: () => string;
  /** The lists that look different on two days. */
  differingBetween: (day: string, otherDay: string) => readonly { list: string; version: number }[];
  heartbeatMs?: number;
  /** Whether this person may go on watching. */
  mayStay: (principal: Principal) => boolean;
  /** Asked for each event: who may read a list can change while a stream is open. */
  mayRead: (principal: Principal, list: string) => boolean;
  /** Whether this version is in memory: who may read it is known only then, and only then it is served. */
  isLoaded: (list: string, version: number) => boolean;
}

const usualHeartbeatMs = 15_000;

export async function createChangeStream(options: ChangeStreamOptions): Promise<ChangeStream> {
  const { db, mayStay, mayRead, isLoaded, today, differingBetween, heartbeatMs = usualHeartbeatMs } = options;
  const subscribers = new Subscribers(mayStay, heartbeatMs);
  let lastSeq = options.since ?? (await readLastSeq(db));
  // Not the clock's: until the lists of a new day are sent, a client that reconnects has to get them.
  let day = today();
  // A list that a new day changed keeps its version: `day` says that it is different all the same.
  const format = (events: readonly (ListEvent & { day?: string })[], principal: Principal) =>
    events
      .filter(({ list }) => mayRead(principal, list))
      .map(({ seq, ...data }) => `id: ${idOf(seq, day)}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`)
      .join('');

  /** Up to the first that is not in memory yet. */
  async function readLoadedEvents(after: number): Promise<ListEvent[]> {
    const events = await readEvents(db, after);
    const next = events.findIndex(({ list, version }) => !isLoaded(list, version));
    return next === -1 ? events : events.slice(0, next);
  }

  /** What somebody missed since the event that they name, up to a change and a day. */
  async function missedSince(
    principal: Principal,
    lastEventId: string | undefined,
  ): Promise<{ text: string; seq: number; until: string }> {
    const [newest, until] = [lastSeq, day];
    const last = readId(lastEventId);
    if (last === undefined) return { text: '', seq: newest, until };
    const events = await readLoadedEvents(last.seq);
    const changed = new Set(events.map(({ list }) => list));
    const byDate = differingBetween(last.day, until).filter(({ list }) => !changed.has(list));
    const all = [...byDate.map(({ list, version }) => ({ seq: last.seq, list, version, day: until })), ...events];
    return { text: format(all, principal), seq: Math.max(newest, ...events.map(({ seq }) => seq)), until };
  }

  return {
    async open(principal, lastEventId) {
      subscribers.expectRoomFor(principal);
      let missed = await missedSince(principal, lastEventId);
      // Again, where something was published meanwhile: from here on it is sent to this one as well.
      while (missed.seq < lastSeq || missed.until !== day) missed = await missedSince(principal, lastEventId);
      // Others of the same person may have been opened meanwhile.
      subscribers.expectRoomFor(principal);
      // An id before the next event: a client that is cut off by then resumes from here.
      return subscribers.add(principal, missed.seq, `retry: 2000\n${missed.text}id: ${idOf(missed.seq, day)}\n\n`);
    },
    async publish(newDay) {
      // First, since it needs no database: it is sent also while the database is away.
      if (newDay !== undefined && newDay.day > day) {
        day = newDay.day;
        for (const subscriber of subscribers) {
          const events = newDay.lists.map(({ list, version }) => ({ seq: subscriber.seq, list, version, day }));
          subscribers.send(subscriber, format(events, subscriber.principal));
        }
      }
      // Compared again afterwards: another call may have published meanwhile.
      const events = (await readLoadedEvents(lastSeq)).filter(({ seq }) => seq > lastSeq);
      lastSeq = Math.max(lastSeq, ...events.map(({ seq }) => seq));
      for (const subscriber of subscribers) {
        const unsent = events.filter(({ seq }) => seq > subscriber.seq);
        subscribers.send(subscriber, format(unsent, subscriber.principal));
        subscriber.seq = Math.max(subscriber.seq, lastSeq);
      }
    },
    size: () => subscribers.size,
    closeAll: () => subscribers.closeAll(),
  };
}

// An id holds the last change and the day, since a list also changes when a date comes: both only grow.
const daysInId = 100_000;
const dayMs = 86_400_000;

function idOf(seq: number, day: string): number {
  return seq * daysInId + Date.parse(day) / dayMs;
}

function readId(text = ''): { seq: number; day: string } | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const id = Number(text);
  return { seq: Math.floor(id / daysInId), day: new Date((id % daysInId) * dayMs).toISOString().slice(0, 10) };
}
