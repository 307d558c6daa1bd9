// Waits for conditions that become true on their own.

/**
 * Far longer than anything takes on a busy machine, because a wait should end when its condition holds, not at a time limit.
 */
export const longestWaitMs = 120_000;

/** Polls until the condition holds. Returns the seconds that it took. */
export async function until(isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > longestWaitMs) throw new Error(`not within ${longestWaitMs / 1000} s: ${isSo}`);
    await Bun.sleep(20);
  }
  return (performance.now() - start) / 1000;
}

/** Polls like `until`, but an error counts as false, for example if a server is not listening yet. */
export const untilWorks = (isSo: () => Promise<boolean>) => until(() => isSo().catch(() => false));

/**
 * Runs an attempt that depends on the service's time limits. If it took longer than `ms`, the machine has stalled, so the
 * result means nothing and the attempt is repeated.
 */
export async function withoutStall<T>(ms: number, attempt: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const [outcome] = await Promise.allSettled([attempt()]);
  if (performance.now() - start > ms) return withoutStall(ms, attempt);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
