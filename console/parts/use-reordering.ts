// Moving a value of a list: by pointer, or by keyboard.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

interface ReorderingOptions {
  /** The values in the order that is saved. */
  current: string[];
  version: number;
  labelOf: (value: string) => string;
  onReorder: (values: string[], from: number) => Promise<boolean>;
}

export function useReordering({ current, version, labelOf, onReorder }: ReorderingOptions) {
  /** The order while a value is moved; undefined otherwise. */
  const [draft, setDraft] = useState<string[]>();
  const [moving, setMoving] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  /** For screen readers. */
  const [announcement, setAnnouncement] = useState('');
  /** The version that was shown when the move began. */
  const from = useRef(0);
  const dragged = useRef<string>(undefined);
  const handles = useRef(new Map<string, HTMLButtonElement>());

  const movedByKey = useRef<string>(undefined);
  // A handle loses the focus when its row is moved in the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new order moves it
  useEffect(() => {
    if (movedByKey.current !== undefined) handles.current.get(movedByKey.current)?.focus();
    movedByKey.current = undefined;
  }, [draft]);

  // With values that others added meanwhile, and without those they retired.
  const order = [...new Set([...(draft ?? []), ...current])].filter((value) => current.includes(value));

  function place(value: string, index: number): void {
    const next = order.filter((each) => each !== value);
    next.splice(Math.max(0, Math.min(index, next.length)), 0, value);
    setDraft(next);
    setAnnouncement(`${labelOf(value)}: place ${next.indexOf(value) + 1} of ${next.length}.`);
  }

  function begin(value: string): void {
    from.current = version;
    setMoving(value);
  }

  async function drop(): Promise<void> {
    setMoving(undefined);
    if (draft === undefined) return;
    const isSame = order.every((value, index) => current[index] === value);
    setSaving(true);
    if (!isSame) await onReorder(order, from.current);
    setSaving(false);
    setDraft(undefined);
  }

  function cancel(): void {
    dragged.current = undefined;
    setMoving(undefined);
    setDraft(undefined);
    setAnnouncement('Not moved.');
  }

  usePointer(dragged, { order, place, drop, cancel });

  function onKeyDown(event: KeyboardEvent, value: string): void {
    const index = order.indexOf(value);
    const step: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: order.length };
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (moving === value) void drop();
      else {
        begin(value);
        const keys = 'Use the arrow keys to move it, Space to drop it, Escape to cancel.';
        setAnnouncement(`${labelOf(value)} is being moved. ${keys}`);
      }
    } else if (event.key === 'Escape' && moving === value) {
      cancel();
    } else if (moving === value && event.key in step) {
      event.preventDefault();
      movedByKey.current = value;
      place(value, step[event.key] ?? index);
    }
  }

  /** For the button that a value is moved with. */
  const handleProps = (value: string) => ({
    'aria-pressed': moving === value,
    ref: (element: HTMLButtonElement | null) => {
      if (element !== null) handles.current.set(value, element);
    },
    onPointerDown: ({ button }: { button: number }) => {
      if (button !== 0) return;
      dragged.current = value;
      begin(value);
    },
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, value),
    // By a screen reader or by voice: a mouse and the keyboard are handled above.
    onClick: ({ detail }: { detail: number }) => {
      if (detail !== 0) return;
      if (moving === value) void drop();
      else begin(value);
    },
    // Not when the row is only moved in the page.
    onBlur: () => {
      if (moving === value && movedByKey.current === undefined && dragged.current === undefined) cancel();
    },
  });

  return { order, moving, isSaving, announcement, handleProps };
}

interface Moves {
  order: string[];
  place: (value: string, index: number) => void;
  drop: () => Promise<void>;
  cancel: () => void;
}

/** Follows a mouse, a pen or a finger. On the window, since the row itself moves under it. */
function usePointer(dragged: { current: string | undefined }, moves: Moves): void {
  const latest = useRef(moves);
  latest.current = moves;
  useEffect(() => {
    const move = ({ clientX, clientY }: PointerEvent) => {
      const value = dragged.current;
      if (value === undefined) return;
      // Near the edge of the window the page scrolls.
      if (clientY < 90) scrollBy(0, -24);
      else if (clientY > innerHeight - 60) scrollBy(0, 24);
      const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-value]');
      const over = row?.dataset.value;
      if (row == null || over === undefined || over === value) return;
      const { order, place } = latest.current;
      const [from, to] = [order.indexOf(value), order.indexOf(over)];
      const { top, height } = row.getBoundingClientRect();
      // Past its middle: a tall row and a low one would otherwise change places again and again.
      if (to >= 0 && clientY > top + height / 2 === to > from) place(value, to);
    };
    const end = (finish: 'drop' | 'cancel') => {
      if (dragged.current === undefined) return;
      dragged.current = undefined;
      void latest.current[finish]();
    };
    const listening = new AbortController();
    const options = { signal: listening.signal };
    addEventListener('pointermove', move, options);
    addEventListener('pointerup', () => end('drop'), options);
    addEventListener('pointercancel', () => end('cancel'), options);
    addEventListener('keydown', ({ key }) => key === 'Escape' && end('cancel'), options);
    return () => listening.abort();
  }, [dragged]);
}
