// Runs long work on the database in small steps, with pauses in which others can use the database.
import { setTimeout as wait } from 'node:timers/promises';

interface Pace {
  /** The share of the time that steps may take. The rest is pauses. */
  share?: number;
  minPauseMs?: number;
  /** Ends a pause early. */
  signal?: AbortSignal;
}

/**
 * On a busy machine, steps take long, and so would the pauses after them. Pauses are limited because other replicas take over
 * work that stalls for a minute.
 */
const maxPauseMs = 5000;

/**
 * Returns a function that runs one step. Before the step, it pauses in proportion to how long the previous step took.
 * SQLite's lock has no queue, so without a pause, other processes would not get it before they time out.
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
