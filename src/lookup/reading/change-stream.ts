// Server-sent events: clients that watch the lists get every change at once.
import type { Principal } from '../../http/access.ts';
import type { Db } from '../../storage/storage.ts';
import { type ListEvent, type Mark, readEvents, readMark } from '../history/event.queries.ts';
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
  since?: Mark;
  /** The lists in memory. */
  all: () => readonly { list: string; version: number }[];
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
  const { db, all, mayStay, mayRead, isLoaded, today, differingBetween, heartbeatMs = usualHeartbeatMs } = options;
  const subscribers = new Subscribers(mayStay, heartbeatMs);
  let last = options.since ?? (await readMark(db));
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

  /**
   * After a restore of the database, or the loss of its last changes, the history ends earlier or goes on another way. Nobody
   * can say then what a client has seen: every list is sent.
   */
  async function noticeOtherHistory(): Promise<void> {
    const known = last;
    if ((await readMark(db, known.seq)).entry === known.entry) return;
    const end = await readMark(db);
    // Another call may have noticed it meanwhile.
    if (last !== known) return;
    last = end;
    for (const subscriber of subscribers) {
      subscriber.seq = end.seq;
      subscribers.send(subscriber, format(everyList(end.seq), subscriber.principal));
    }
  }

  const everyList = (seq: number) => all().map(({ list, version }) => ({ seq, list, version }));

  /** What somebody missed since the event that they name, up to a change and a day. */
  async function missedSince(
    principal: Principal,
    lastEventId: string | undefined,
  ): Promise<{ text: string; seq: number; until: string }> {
    const [newest, until] = [last.seq, day];
    const seen = readId(lastEventId);
    if (seen === undefined) return { text: '', seq: newest, until };
    const events = await readLoadedEvents(seen.seq);
    // Of a history that is longer than ours was until now, and not only here.
    if (events.length === 0 && seen.seq > newest && seen.seq > (await readMark(db)).seq) {
      return { text: format(everyList(newest), principal), seq: newest, until };
    }
    const changed = new Set(events.map(({ list }) => list));
    const byDate = differingBetween(seen.day, until).filter(({ list }) => !changed.has(list));
    const missed = [...byDate.map(({ list, version }) => ({ seq: seen.seq, list, version, day: until })), ...events];
    return { text: format(missed, principal), seq: Math.max(newest, ...events.map(({ seq }) => seq)), until };
  }

  return {
    async open(principal, lastEventId) {
      subscribers.expectRoomFor(principal);
      let missed = await missedSince(principal, lastEventId);
      // Again, where something was published meanwhile: from here on it is sent to this one as well.
      while (missed.seq < last.seq || missed.until !== day) missed = await missedSince(principal, lastEventId);
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
      await noticeOtherHistory();
      const newest = await readLoadedEvents(last.seq);
      const end = newest.at(-1);
      const mark = end === undefined ? last : await readMark(db, end.seq);
      // Compared again afterwards: another call may have published meanwhile.
      const events = newest.filter(({ seq }) => seq > last.seq);
      if (mark.seq > last.seq) last = mark;
      for (const subscriber of subscribers) {
        const unsent = events.filter(({ seq }) => seq > subscriber.seq);
        subscribers.send(subscriber, format(unsent, subscriber.principal));
        subscriber.seq = Math.max(subscriber.seq, last.seq);
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
