// Waiting for what comes about by itself, but not at once.

/** Far longer than anything takes on a busy machine: a wait ends when its condition holds, not when a clock says so. */
export const longestWaitMs = 120_000;

/** Asks until it is so. Gives the seconds that took. */
export async function until(isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > longestWaitMs) throw new Error(`not within ${longestWaitMs / 1000} s: ${isSo}`);
    await Bun.sleep(20);
  }
  return (performance.now() - start) / 1000;
}

/** The same where an error means "not yet", as of a server that does not listen. */
export const untilWorks = (isSo: () => Promise<boolean>) => until(() => isSo().catch(() => false));
