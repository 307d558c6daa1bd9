// Long work on the database, in small steps with pauses in which others can use it.
import { setTimeout as wait } from 'node:timers/promises';

interface Pace {
  /** Share of the time that steps take. */
  share?: number;
  minPauseMs?: number;
  /** Ends a pause early. */
  signal?: AbortSignal;
}

/** On a busy machine, steps take long. Other replicas take over work that makes no progress for a minute. */
const maxPauseMs = 5000;

/**
 * Returns a function that runs one step. Before it starts, it pauses in proportion to how long the previous step took. SQLite's
 * lock is not queued: without a pause, other processes would not get it before they time out.
 */
export function createStepper({ share = 0.5, minPauseMs = 20, signal }: Pace = {}) {
  let pausedUntil = 0;
  return async <T>(step: () => Promise<T>): Promise<T> => {
    const restMs = pausedUntil - performance.now();
    if (restMs > 0) await wait(restMs, undefined, { signal }).catch(() => {});
    const start = performance.now();
    try {
      return await step();
    } finally {
      const end = performance.now();
      pausedUntil = end + Math.min(Math.max(minPauseMs, (end - start) * (1 / share - 1)), maxPauseMs);
    }
  };
}
