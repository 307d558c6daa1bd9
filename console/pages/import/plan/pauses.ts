// Long work in steps, between which the page answers the person.

const longestMs = 12;

/** Call it between two steps. It waits only where the last wait was a while ago. */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestMs) return undefined;
    return new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
      since = performance.now();
    });
  };
}

export type Pause = ReturnType<typeof createPauses>;
