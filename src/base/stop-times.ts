// The maximum duration of each part of a shutdown. docs/operations.md states the sums.

/** For announcing, in every answer, that its connection will close. Only in production. */
export const announceMs = 1000;
/** For letting requests in progress finish. */
export const drainMs = 10_000;
/** For sending the last spans and closing the database. */
export const closeMs = 4000;
export const longestStopMs = announceMs + drainMs + closeMs;
/** A supervisor kills workers that take longer. */
export const longestStopOfWorkersMs = longestStopMs + 1000;

/** Waits for the work, up to a time limit. Returns undefined if it takes longer. */
export async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const waited = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => waited.resolve(undefined), milliseconds);
  try {
    return await Promise.race([work, waited.promise]);
  } finally {
    clearTimeout(timer);
  }
}
