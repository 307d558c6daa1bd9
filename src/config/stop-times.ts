// How long a stop takes at the most, part by part. docs/operations.md states the sums.

/** In production: every answer says that its connection closes. */
export const announceMs = 1000;
/** Requests under way finish. */
export const drainMs = 10_000;
/** Then everything is closed: the last spans are sent, the database is closed. */
export const closeMs = 4000;
export const longestStopMs = announceMs + drainMs + closeMs;
/** A supervisor ends workers that take longer than they may. */
export const longestStopOfWorkersMs = longestStopMs + 1000;

/** Waits for the work, and not longer than this. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const waited = Promise.withResolvers<void>();
  const timer = setTimeout(waited.resolve, milliseconds);
  try {
    await Promise.race([work, waited.promise]);
  } finally {
    clearTimeout(timer);
  }
}
