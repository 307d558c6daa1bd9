// Computes which rows of a long list are in view. All rows have the same height, so nothing is measured.
import { type RefObject, useLayoutEffect, useState } from 'react';

/** In rem, so that rows grow with the text size. The style sheet contains the same numbers. */
const rowRem = { wide: 2.75, phone: 4 };
/** Extra rows above and below the view, so that scrolling shows no gaps. */
const overscan = 8;

interface RowWindow {
  first: number;
  /** The index after the last row to render. */
  end: number;
}

export function useRowHeight(isPhone: boolean): number {
  // Read once: getComputedStyle makes the browser recompute all styles.
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  return rem * (isPhone ? rowRem.phone : rowRem.wide);
}

/** `body` is the element that is as high as all rows together. */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowWindow {
  const [window, setWindow] = useState<RowWindow>({ first: 0, end: 40 });
  useLayoutEffect(() => {
    const update = () => {
      if (body.current === null) return;
      const { top } = body.current.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / rowHeight) - overscan);
      const end = Math.max(0, Math.ceil((innerHeight - top) / rowHeight) + overscan);
      setWindow((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    update();
    // The listener captures scrolling of the page and of any element in it.
    document.addEventListener('scroll', update, { capture: true, passive: true });
    addEventListener('resize', update);
    const moved = new ResizeObserver(update);
    moved.observe(document.body);
    return () => {
      document.removeEventListener('scroll', update, { capture: true });
      removeEventListener('resize', update);
      moved.disconnect();
    };
  }, [body, rowHeight]);
  return { first: Math.min(window.first, Math.max(0, count - 1)), end: Math.min(window.end, count) };
}
