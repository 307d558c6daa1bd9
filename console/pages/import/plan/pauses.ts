// Splits long work, so that the page stays responsive.

const longestMs = 12;

/** Call it between steps. It yields only if the last pause was a while ago. */
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
