// Work that several callers ask for at the same time, done once for all of them.

/** Callers that come while it runs share that run; `current` is the run under way. */
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

/** Makes it at the first call and keeps it. After a failure, the next call tries again. */
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
