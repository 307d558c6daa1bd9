// Grid elements with ARIA roles. Table elements lose their semantics when laid out by CSS grid and rendered in part.
import { type ComponentProps, useLayoutEffect, useMemo, useRef } from 'react';

type DivProps = ComponentProps<'div'>;

export function Cell(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; rows have the focus
  return <div role="gridcell" {...props} />;
}

export function RowHeader(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; rows have the focus
  return <div role="rowheader" {...props} />;
}

export function ColumnHeader(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; the button in it has the focus
  return <div role="columnheader" {...props} />;
}

export function Row(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: see above; it is given a tabIndex
  return <div role="row" {...props} />;
}

export function RowGroup(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements: see above
  return <div role="rowgroup" {...props} />;
}

export function Grid(props: DivProps) {
  // biome-ignore lint/a11y/useSemanticElements: see above
  return <div role="grid" {...props} />;
}

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
