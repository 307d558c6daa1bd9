// How processes that share a database learn of each other's changes: each topic has a number, which is increased in the
// transaction that makes a change. Every process polls the numbers once a second, and whenever the engine sends a notice.
import { sql, type Transaction } from 'kysely';
import { oneAtATime } from '../base/one-at-a-time.ts';
import { describeError, type Log } from '../telemetry/log.ts';
import type { Db, Storage } from './storage.ts';
import type { Tables } from './tables.ts';

export type Topic = 'keys' | 'sessions' | 'callers' | 'lists';

/** Must be called in the transaction that makes the change. It locks the topic, so that numbers become visible in order. */
export async function bumpRevision(tx: Transaction<Tables>, topic: Topic): Promise<number> {
  const { number } = await tx
    .insertInto('revision')
    .values({ topic, number: 1 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ number: sql<number>`revision.number + 1` }))
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

/** Changes to a topic run one at a time on either engine, because bumpRevision locks the topic until the transaction ends. */
export function changeInTurn<T>(db: Db, topic: Topic, change: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await bumpRevision(tx, topic);
    return change(tx);
  });
}

/** 0 if there was no change yet. */
export async function readRevision(db: Db, topic: Topic): Promise<number> {
  const row = await db.selectFrom('revision').select('number').where('topic', '=', topic).executeTakeFirst();
  return row?.number ?? 0;
}

const pauseMs = 1000;

interface RevisionsOptions {
  storage: Storage;
  log: Log;
  now: () => Date;
  staleLimitSeconds: number;
}

export async function watchRevisions({ storage, log, now, staleLimitSeconds }: RevisionsOptions) {
  const { reads: db, listen } = storage;
  const handlers = new Map<string, () => Promise<void>>();
  let handleTime = async () => {};
  let isTimeDue = false;
  const readRevisions = async () =>
    new Map((await db.selectFrom('revision').selectAll().execute()).map(({ topic, number }) => [topic, number]));
  const seen = await readRevisions();
  const failing = new Set<string>();
  let upToDateAt = now();
  // A monotonic clock does not advance while the machine sleeps, so waking up does not make this process stale.
  let upToDateSince = performance.now();
  let isStale = false;
  /** Handlers in progress, by topic. */
  const handling = new Map<string, Promise<void>>();
  const changedSince = new Set<string>();

  async function attempt(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      failing.delete(what);
    } catch (error) {
      // Logged only when the failures begin, not once a second.
      if (!failing.has(what)) log.error({ what, ...describeError(error) }, 'a change cannot be loaded, trying again');
      failing.add(what);
    }
  }

  /** Runs one handler at a time for each topic, then looks for changes made meanwhile. */
  function handleChange(topic: string, number: number, handle: () => Promise<void>): Promise<void> {
    const running = handling.get(topic);
    if (running !== undefined) {
      changedSince.add(topic);
      return running;
    }
    const handled = attempt(topic, async () => {
      await handle();
      // Set only after success, so that the next poll finds what could not be handled.
      seen.set(topic, number);
    }).finally(() => {
      handling.delete(topic);
      if (changedSince.delete(topic)) void pollAgain();
    });
    handling.set(topic, handled);
    return handled;
  }

  const poll = oneAtATime(async () => {
    const wasAway = failing.has('polling');
    // Each topic is handled separately, because keys that cannot be read must not hide that a session has ended.
    await attempt('polling', async () => {
      for (const [topic, number] of await readRevisions()) {
        const handle = handlers.get(topic);
        if (handle === undefined || seen.get(topic) === number) continue;
        const handled = handleChange(topic, number, handle);
        // Lists are not awaited, because preparing a long list takes a second.
        if (topic !== 'lists') await handled;
      }
    });
    if (isTimeDue) {
      isTimeDue = false;
      await attempt('time', handleTime);
    }
    if (wasAway && !failing.has('polling')) log.info('the database is available again');
    // An outdated list or key may be served for a while; an ended session or a removed caller must not be accepted for
    // long.
    if (['polling', 'sessions', 'callers'].some((what) => failing.has(what))) return;
    upToDateAt = now();
    upToDateSince = performance.now();
    isStale = false;
  });
  const pollAgain = async () => {
    await poll.current;
    await poll();
  };
  const timer = setInterval(() => {
    // Checked by the timer, because a poll can hang until it times out. One interval between polls is normal, so it is added.
    isStale = performance.now() - upToDateSince > staleLimitSeconds * 1000 + pauseMs;
    isTimeDue = true;
    void poll();
  }, pauseMs);
  listen(pollAgain);

  return {
    /** Calls back after a change by any process, including this one. */
    on: (topic: Topic, handle: () => Promise<void>) => void handlers.set(topic, handle),
    /** Calls back once a second, not on each notice, for what changes only with time. */
    onTime(handle: () => Promise<void>): void {
      handleTime = handle;
    },
    /** Polls now, and waits until every change found has been handled. */
    async poll(): Promise<void> {
      isTimeDue = true;
      await pollAgain();
      while (handling.size > 0) {
        await Promise.all(handling.values());
        await pollAgain();
      }
    },
    /** Whether the last successful poll was so long ago that ended sessions and removed callers may be unknown here. */
    isStale: () => isStale,
    /** When the last poll succeeded. */
    upToDateAt: () => upToDateAt,
    stop: () => clearInterval(timer),
  };
}
