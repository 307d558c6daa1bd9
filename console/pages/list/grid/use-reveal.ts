// Keeps a row that is moved by keys or buttons in view.
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import { scrollerOf } from './use-drag.ts';

/** Above is the head of the grid, below the bar for several values. */
const margin = { above: 56, below: 96 };

/** By arithmetic: the row itself may still be on its way to its place. */
export function useReveal(body: RefObject<HTMLElement | null>, rows: readonly KeptItem[], rowHeight: number) {
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    const index = wanted.current === undefined ? -1 : rows.findIndex(({ value }) => value === wanted.current);
    wanted.current = undefined;
    if (index < 0 || body.current === null) return;
    const top = body.current.getBoundingClientRect().top + index * rowHeight;
    const below = top + rowHeight - (innerHeight - margin.below);
    const by = top < margin.above ? top - margin.above : Math.max(0, below);
    if (by !== 0) scrollerOf(body.current).scrollBy(0, by);
  }, [body, rows, rowHeight]);
  return (value: string | undefined) => {
    wanted.current = value;
  };
}
