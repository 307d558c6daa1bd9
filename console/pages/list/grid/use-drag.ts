// Drags rows by mouse, pen or touch. The listeners are on the window, because the rows move under the pointer.
import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { KeptItem } from '../../../shell/api.ts';

interface DragOptions {
  body: RefObject<HTMLElement | null>;
  rowHeight: number;
  onStart: (value: string) => void;
  /** Called with the index of the row under the pointer. Above or below the rows, the index is out of range. */
  onOver: (index: number) => void;
  onDrop: () => void;
  onCancel: () => void;
}

/** Near the window's edges the page scrolls by `step` pixels per frame. */
const edge = { top: 96, bottom: 72, step: 14 };
/** Moving the pointer by fewer pixels is a click, not a drag. */
const slack = 4;

interface Drag {
  pointer: number;
  value: string;
  startY: number;
  y: number;
  hasStarted: boolean;
  frame: number;
}

export function useDrag(options: DragOptions) {
  const latest = useRef(options);
  latest.current = options;
  const drag = useRef<Drag>(undefined);

  const follow = useCallback((current: Drag) => {
    const { body, rowHeight, onOver } = latest.current;
    if (body.current === null) return;
    onOver(Math.floor((current.y - body.current.getBoundingClientRect().top) / rowHeight));
  }, []);

  const scrollAtEdges = useCallback(() => {
    const current = drag.current;
    if (current === undefined) return;
    const by = current.y < edge.top ? -edge.step : current.y > innerHeight - edge.bottom ? edge.step : 0;
    if (current.hasStarted && by !== 0) {
      scrollerOf(latest.current.body.current).scrollBy(0, by);
      follow(current);
    }
    current.frame = requestAnimationFrame(scrollAtEdges);
  }, [follow]);

  useEffect(() => {
    const end = (isDropped: boolean) => {
      const current = drag.current;
      if (current === undefined) return;
      drag.current = undefined;
      cancelAnimationFrame(current.frame);
      if (!current.hasStarted) return;
      ignoreNextClick();
      latest.current[isDropped ? 'onDrop' : 'onCancel']();
    };
    const onMove = (event: PointerEvent) => {
      const current = drag.current;
      if (current === undefined || event.pointerId !== current.pointer) return;
      current.y = event.clientY;
      if (!current.hasStarted && Math.abs(current.y - current.startY) < slack) return;
      if (!current.hasStarted) {
        current.hasStarted = true;
        latest.current.onStart(current.value);
      }
      follow(current);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || drag.current === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('pointermove', onMove, { signal });
    addEventListener('pointerup', (event) => event.pointerId === drag.current?.pointer && end(true), { signal });
    addEventListener('pointercancel', (event) => event.pointerId === drag.current?.pointer && end(false), { signal });
    addEventListener('keydown', onKey, { signal, capture: true });
    return () => {
      listening.abort();
      end(false);
    };
  }, [follow]);

  return useCallback(
    (event: ReactPointerEvent, value: string) => {
      if (event.button !== 0 || drag.current !== undefined) return;
      const { pointerId: pointer, clientY: y } = event;
      drag.current = { pointer, value, startY: y, y, hasStarted: false, frame: requestAnimationFrame(scrollAtEdges) };
    },
    [scrollAtEdges],
  );
}

/** After a drop, the browser reports a click on the element under the pointer, such as the moved row. */
function ignoreNextClick(): void {
  const listening = new AbortController();
  addEventListener('click', (event) => event.stopPropagation(), { capture: true, signal: listening.signal });
  // A click that belongs to the drop is reported before this timeout. Later clicks are not ignored.
  setTimeout(() => listening.abort());
}

/** The nearest scrolling ancestor. */
function scrollerOf(element: HTMLElement | null): Element {
  for (let around = element?.parentElement; around != null; around = around.parentElement) {
    const isScrolling = /auto|scroll/.test(getComputedStyle(around).overflowY);
    if (isScrolling && around.scrollHeight > around.clientHeight) return around;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Room for the grid's header above, and the bulk bar below. */
const margin = { above: 56, below: 96 };

/**
 * Keeps a row in view while it is moved by keys or buttons. The position is computed, because the row may not be
 * rendered there yet.
 */
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
