import { useMemo, useRef } from 'react';

type Functions = Record<string, (...parameters: unknown[]) => unknown>;

/** The same functions in every render, so that rows which did not change are not drawn again. They call the newest ones. */
export function useStable<T extends object>(functions: T): T {
  const latest = useRef(functions);
  latest.current = functions;
  return useMemo(() => {
    const entries = Object.keys(latest.current).map((name) => [
      name,
      (...parameters: unknown[]) => (latest.current as Functions)[name]?.(...parameters),
    ]);
    return Object.fromEntries(entries) as T;
  }, []);
}
