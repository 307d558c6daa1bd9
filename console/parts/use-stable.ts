import { useLayoutEffect, useMemo, useRef } from 'react';

type Functions = Record<string, (...parameters: unknown[]) => unknown>;

/** Functions with a stable identity that call the newest ones, so that unchanged rows are not rendered again. */
export function useStable<T extends object>(functions: T): T {
  const newest = useRef(functions);
  useLayoutEffect(() => {
    newest.current = functions;
  });
  return useMemo(() => {
    const entries = Object.keys(newest.current).map((name) => [
      name,
      (...parameters: unknown[]) => (newest.current as Functions)[name]?.(...parameters),
    ]);
    return Object.fromEntries(entries) as T;
  }, []);
}
