// Computes which rows of the grid are rendered: the rows in view and a few around them.
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { KeptItem } from '../../../shell/api.ts';
import { rowOffsets, rowsInView } from './rows-in-view.ts';

/** Heights in rem, as in translations.css. */
const rowHeight = 2.375;
const noteHeight = 3;

export function useRowWindow(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly KeptItem[],
  hasNote: (value: string) => boolean,
) {
  const [view, setView] = useState({ top: 0, height: 800, rem: 16 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setView({ top: element.scrollTop, height: element.clientHeight, rem });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  const { top, height, rem } = view;
  const offsets = useMemo(
    () => rowOffsets(rows, ({ value }) => (hasNote(value) ? rowHeight + noteHeight : rowHeight) * rem),
    [rows, hasNote, rem],
  );
  return {
    offsets,
    page: Math.max(1, Math.floor(height / (rowHeight * rem)) - 2),
    ...rowsInView(offsets, top, height),
  };
}

/** Focuses a field once it is rendered. */
export function useFocusWhenRendered(wanted: RefObject<string | undefined>): void {
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const input = document.getElementById(wanted.current);
    if (!(input instanceof HTMLInputElement)) return;
    wanted.current = undefined;
    input.focus({ preventScroll: true });
    input.select();
    input.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}
