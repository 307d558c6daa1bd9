// Work that several callers request at the same time, done once for all of them.

/** Callers that arrive during a run share it; `current` is the run in progress. */
export function oneAtATime<T>(act: () => Promise<T>): { (): Promise<T>; readonly current: Promise<T> | undefined } {
  const run = () => {
    run.current ??= act().finally(() => {
      run.current = undefined;
    });
    return run.current;
  };
  run.current = undefined as Promise<T> | undefined;
  return run;
}

/** Creates a value on the first call and keeps it. After a failure, the next call tries again. */
export function makeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Runs work one piece at a time, in the order it was given. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // A failure reaches the caller through `done`.
    last = done.catch(() => {});
    return done;
  };
}
