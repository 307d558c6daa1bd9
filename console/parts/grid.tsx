// The elements of grids. They have ARIA roles, because table elements lose their semantics when CSS lays them out as a
// grid.
import { type ComponentProps, useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** These elements need no focus handling: only rows, and the fields and buttons inside cells, can have the focus. */
const withRole = (role: string) => (props: ComponentProps<'div'>) => <div role={role} {...props} />;

export const Grid = withRole('grid');
export const RowGroup = withRole('rowgroup');
export const Row = withRole('row');
export const RowHeader = withRole('rowheader');
export const ColumnHeader = withRole('columnheader');
export const Cell = withRole('gridcell');

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => media.matches);
}

type Functions = Record<string, (...parameters: unknown[]) => unknown>;

/** Functions with a stable identity that call the newest functions, so that unchanged rows are not rendered again. */
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
