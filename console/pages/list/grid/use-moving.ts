// Moves values: the user's order is shown until it is saved.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { activeOrder, type DropPosition, mergeMove, moveValues } from '../../../lists/items/value-order.ts';
import type { KeptItem } from '../../../shell/api.ts';

export interface Move {
  /** All active values in the new order. */
  order: readonly string[];
  /** The values that were moved. */
  moved: ReadonlySet<string>;
}

interface Draft extends Move {
  /** The list's order when the move began. */
  base: readonly string[];
}

interface MovingOptions {
  items: readonly KeptItem[];
  /** Saves a move. Once it resolves, the list shows the result. */
  save: (move: Move) => Promise<unknown>;
}

/** Moves are saved as one change if each follows the previous one within this time. */
const collectMilliseconds = 1000;

export function useMoving({ items, save }: MovingOptions) {
  const current = useMemo(() => activeOrder(items), [items]);
  const [mine, setMine] = useState<Draft>();
  /** The values held by pointer or keyboard. */
  const [held, setHeld] = useState<ReadonlySet<string>>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The draft from before the values were picked up: an earlier move that is not saved yet, or undefined. */
  const beforeHeld = useRef<Draft>(undefined);

  // If others change the list before the move is saved, the move is applied to their order.
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

  /** Saves the move if the order has changed. */
  const flush = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const { mine: move, order: mineOrder, current: saved, save: write } = latest.current;
    if (move === undefined) return;
    const isSame = mineOrder.every((value, index) => saved[index] === value);
    try {
      if (!isSame) await write({ order: mineOrder, moved: move.moved });
    } finally {
      // If the user has moved values again since, that move stays shown and is saved separately.
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

/** Leaving the page saves a pending move at once; closing the tab asks first, since the request may not get through. */
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
