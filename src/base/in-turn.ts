/** Runs work one piece at a time, in the order it was given. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // A failure is reported by the caller, and does not stop the work after it.
    last = done.catch(() => {});
    return done;
  };
}
