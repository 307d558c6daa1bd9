// Server-sent events: clients that watch the lists learn of every change at once.
import type { Principal } from '../../http/access.ts';
import type { Db } from '../../storage/storage.ts';
import { type ListEvent, type Mark, readEvents, readMark } from '../history/event.queries.ts';
import { Subscribers } from './subscribers.ts';

export type ChangeStream = Awaited<ReturnType<typeof createChangeStream>>;

interface NewDay {
  day: string;
  lists: readonly { list: string; version: number }[];
}

interface ChangeStreamOptions {
  db: Db;
  /** The last change that is certainly in memory. By default, the last one in the history. */
  since?: Mark;
  /** The lists in memory. */
  all: () => readonly { list: string; version: number }[];
  today: () => string;
  /** The lists whose items differ between two days because of their dates. */
  differingBetween: (day: string, otherDay: string) => readonly { list: string; version: number }[];
  heartbeatMs?: number;
  /** Whether this person may keep watching. */
  mayStay: (principal: Principal) => boolean;
  /** Checked for each event, because the readers of a list can change while a stream is open. */
  mayRead: (principal: Principal, list: string) => boolean;
  /** Whether this version is in memory. Until then, it is not served, and its readers are unknown. */
  isLoaded: (list: string, version: number) => boolean;
}

const usualHeartbeatMs = 15_000;

export async function createChangeStream(options: ChangeStreamOptions) {
  const { db, all, mayStay, mayRead, isLoaded, today, differingBetween, heartbeatMs = usualHeartbeatMs } = options;
  const subscribers = new Subscribers(mayStay, heartbeatMs);
  let last = options.since ?? (await readMark(db));
  // The last published day. After midnight, it stays the old day until the lists of the new day are sent, so that clients
  // that reconnect before then still get those lists.
  let day = today();
  // A list that changes on a new day keeps its version, so `day` tells clients that its items differ.
  const format = (events: readonly (ListEvent & { day?: string })[], principal: Principal) =>
    events
      .filter(({ list }) => mayRead(principal, list))
      .map(({ seq, ...data }) => `id: ${idOf(seq, day)}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`)
      .join('');

  /** Leaves out the first event whose version is not in memory yet, and all events after it. */
  async function readLoadedEvents(after: number): Promise<ListEvent[]> {
    const events = await readEvents(db, after);
    const next = events.findIndex(({ list, version }) => !isLoaded(list, version));
    return next === -1 ? events : events.slice(0, next);
  }

  /**
   * After the database was restored or lost its last changes, the history is shorter or continues differently. It is
   * then unknown what a client has seen, so every list is sent.
   */
  async function noticeOtherHistory(): Promise<void> {
    const known = last;
    if ((await readMark(db, known.seq)).entry === known.entry) return;
    const end = await readMark(db);
    // Another call may have handled this in the meantime.
    if (last !== known) return;
    last = end;
    for (const subscriber of subscribers) {
      subscriber.seq = end.seq;
      subscribers.send(subscriber, format(everyList(end.seq), subscriber.principal));
    }
  }

  const everyList = (seq: number) => all().map(({ list, version }) => ({ seq, list, version }));

  /** Returns what a client has missed since its last event, up to the change `seq` and the day `until`. */
  async function missedSince(
    principal: Principal,
    lastEventId: string | undefined,
  ): Promise<{ text: string; seq: number; until: string }> {
    const [newest, until] = [last.seq, day];
    const seen = readId(lastEventId);
    if (seen === undefined) return { text: '', seq: newest, until };
    const events = await readLoadedEvents(seen.seq);
    // The client has seen later changes than this database has, so the database must have been restored from a backup, or
    // have lost its last changes.
    if (events.length === 0 && seen.seq > newest && seen.seq > (await readMark(db)).seq) {
      return { text: format(everyList(newest), principal), seq: newest, until };
    }
    const changed = new Set(events.map(({ list }) => list));
    const byDate = differingBetween(seen.day, until).filter(({ list }) => !changed.has(list));
    const missed = [...byDate.map(({ list, version }) => ({ seq: seen.seq, list, version, day: until })), ...events];
    return { text: format(missed, principal), seq: Math.max(newest, ...events.map(({ seq }) => seq)), until };
  }

  return {
    async open(principal: Principal, lastEventId?: string): Promise<Response> {
      subscribers.expectRoomFor(principal);
      let missed = await missedSince(principal, lastEventId);
      // Reads again if something was published in the meantime. After the loop, nothing can be published before the
      // client is added.
      while (missed.seq < last.seq || missed.until !== day) missed = await missedSince(principal, lastEventId);
      // The same person may have opened other streams in the meantime.
      subscribers.expectRoomFor(principal);
      // Sends an id even if nothing was missed, so that a client that is disconnected before the first event resumes
      // from here.
      return subscribers.add(principal, missed.seq, `retry: 2000\n${missed.text}id: ${idOf(missed.seq, day)}\n\n`);
    },
    /** Sends the new changes in the history, and the lists whose items differ because a new day has begun. */
    async publish(newDay?: NewDay): Promise<void> {
      // The new day is sent first, because this works even while the database is unavailable.
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
      // Compares again, because another call may have published in the meantime.
      const events = newest.filter(({ seq }) => seq > last.seq);
      if (mark.seq > last.seq) last = mark;
      for (const subscriber of subscribers) {
        const unsent = events.filter(({ seq }) => seq > subscriber.seq);
        subscribers.send(subscriber, format(unsent, subscriber.principal));
        subscriber.seq = Math.max(subscriber.seq, last.seq);
      }
    },
    /** The number of open streams. */
    size: () => subscribers.size,
    closeAll: () => subscribers.closeAll(),
  };
}

// An id combines the last change and the day, because lists also change by date. Both only increase.
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
