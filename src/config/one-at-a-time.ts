/** Whoever calls it while it runs gets that run, and begins no other. */
export function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= act().finally(() => {
      running = undefined;
    });
    return running;
  };
}
