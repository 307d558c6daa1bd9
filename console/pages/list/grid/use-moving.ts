// Moving values of a list: an order of mine that is shown until it is saved.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { KeptItem } from '../../../../src/lookup/lookup-admin.schema.ts';
import { activeOrder, type DropPosition, mergeMove, moveValues } from '../../../lists/items/value-order.ts';

export interface Move {
  /** Every active value. */
  order: readonly string[];
  /** Those I moved. */
  moved: ReadonlySet<string>;
}

interface Draft extends Move {
  /** The order of the list that it was made from. */
  base: readonly string[];
}

interface MovingOptions {
  items: readonly KeptItem[];
  /** Saves a move; what comes of it is shown by the list afterwards. */
  save: (move: Move) => Promise<unknown>;
}

/** Presses of up and down that follow each other sooner are one change. */
const collectMilliseconds = 1000;

export function useMoving({ items, save }: MovingOptions) {
  const current = useMemo(() => activeOrder(items), [items]);
  const [mine, setMine] = useState<Draft>();
  /** The values that are held by a pointer or the keyboard. */
  const [held, setHeld] = useState<ReadonlySet<string>>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What was there before the values were picked up: an earlier move may still wait to be saved. */
  const beforeHeld = useRef<Draft>(undefined);

  // On top of what others change while a move is under way or waits to be saved.
  const order = useMemo(() => {
    if (mine === undefined) return current;
    return mine.base === current ? mine.order : mergeMove(mine.order, mine.moved, current);
  }, [mine, current]);
  const latest = useRef({ order, mine, current, save });
  latest.current = { order, mine, current, save };

  const show = useCallback((move: Draft | undefined) => {
    latest.current.mine = move;
    if (move !== undefined) latest.current.order = move.order;
    setMine(move);
  }, []);

  const step = useCallback(
    (values: ReadonlySet<string>, target: string, position: DropPosition) => {
      const { order: before, mine: earlier, current: base } = latest.current;
      const next = moveValues(before, values, target, position);
      show({ base, order: next, moved: new Set([...(earlier?.moved ?? []), ...values]) });
      return next;
    },
    [show],
  );

  /** Saves what was moved, if anything has another place now. */
  const flush = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { mine: move, order: mineOrder, current: saved, save: write } = latest.current;
    if (move === undefined) return;
    const isSame = mineOrder.every((value, index) => saved[index] === value);
    try {
      if (!isSame) await write({ order: mineOrder, moved: move.moved });
    } finally {
      // A later move is shown and saved by itself.
      if (latest.current.mine === move) show(undefined);
    }
  }, [show]);

  const collect = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush(), collectMilliseconds);
  }, [flush]);

  const pickUp = useCallback((values: ReadonlySet<string>) => {
    clearTimeout(timer.current);
    beforeHeld.current = latest.current.mine;
    setHeld(values);
  }, []);
  const drop = useCallback(() => {
    setHeld(undefined);
    void flush();
  }, [flush]);
  const cancel = useCallback(() => {
    setHeld(undefined);
    show(beforeHeld.current);
    if (beforeHeld.current !== undefined) collect();
  }, [show, collect]);

  useSavingOnLeave(timer, flush);
  return { order, isMoved: mine !== undefined, held, step, collect, pickUp, drop, cancel, flush };
}

/** Leaving the page saves at once what waits; closing the tab asks first, since a request may not get through. */
function useSavingOnLeave(timer: { current: unknown }, flush: () => Promise<void>): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (timer.current === undefined) return;
      event.preventDefault();
      void flush();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      if (timer.current !== undefined) void flush();
    };
  }, [timer, flush]);
}
