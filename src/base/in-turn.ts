/** Runs work one piece at a time, in the order it was given. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // Reported by the caller.
    last = done.catch(() => {});
    return done;
  };
}
