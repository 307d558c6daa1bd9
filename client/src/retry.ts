// Which errors are worth a retry, and how long to wait before retrying.

/** No connection, too many requests, or a failure of the service or its provider. */
export const isTemporary = ({ status }: { status: number }) => status === 0 || status === 429 || status >= 500;

/** The delay doubles each time, and is shortened at random by up to half, so that clients do not all reconnect at once. */
export function retryDelay(failures: number, retryAfter = 0): number {
  const longest = Math.min(1000 * 2 ** failures, 30_000);
  // At most a day, because setTimeout accepts at most 24 days.
  return Math.min(retryAfter * 1000, 86_400_000) + (longest * (1 + Math.random())) / 2;
}

/** Resolves after this time, or earlier when the signal is aborted. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}
